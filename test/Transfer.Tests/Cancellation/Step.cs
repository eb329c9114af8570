namespace Transfer.Tests.Cancellation;

/// <summary>What an operation waits for.</summary>
internal enum Step
{
    /// <summary>The store's answer.</summary>
    Answer,

    /// <summary>The store's answer to the beginning of a multipart upload, which tells what there is to abort: it is waited for even then.</summary>
    Create,

    /// <summary>Bytes of an answer.</summary>
    Body,

    /// <summary>The caller's own source or target.</summary>
    Caller,
}
