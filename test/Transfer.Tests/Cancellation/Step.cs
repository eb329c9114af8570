namespace Transfer.S3.Tests.Cancellation;

/// <summary>What an operation waits for.</summary>
internal enum Step
{
    /// <summary>The response of the store.</summary>
    Answer,

    /// <summary>The response to CreateMultipartUpload. Even a canceled operation waits for it, because the upload must be aborted.</summary>
    Create,

    /// <summary>Bytes of a response body.</summary>
    Body,

    /// <summary>The caller's source or target.</summary>
    Caller,
}
