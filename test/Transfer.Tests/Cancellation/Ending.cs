namespace Transfer.Tests.Cancellation;

/// <summary>How an operation is ended before its time.</summary>
public enum Ending
{
    /// <summary>The caller cancels, and what is waited for comes all the same.</summary>
    CancelledAndAnswered,

    /// <summary>Nothing comes any more, and the caller cancels twice from other threads.</summary>
    CancelledInSilence,

    /// <summary>The store fails, and the caller cancels while the next attempt is waited for.</summary>
    CancelledWhileBackingOff,

    /// <summary>Nothing comes any more, and the client is disposed twice from other threads.</summary>
    ClientDisposed,
}
