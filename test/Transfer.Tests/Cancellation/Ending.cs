namespace Transfer.S3.Tests.Cancellation;

/// <summary>How an operation is ended early.</summary>
public enum Ending
{
    /// <summary>The caller cancels, and the awaited response arrives anyway.</summary>
    CancelledAndAnswered,

    /// <summary>Nothing arrives any more, and the caller cancels twice from other threads.</summary>
    CancelledInSilence,

    /// <summary>The store fails, and the caller cancels during the retry delay.</summary>
    CancelledWhileBackingOff,

    /// <summary>Nothing arrives any more, and the client is disposed twice from other threads.</summary>
    ClientDisposed,
}
