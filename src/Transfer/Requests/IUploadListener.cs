using Transfer.S3.Wire;

namespace Transfer.S3.Requests;

/// <summary>Is told of the multipart uploads of a transfer, and of those that are part of it. Calls can overlap, and must not throw.</summary>
internal interface IUploadListener
{
    /// <summary>Gets a value that indicates whether objects are handed over instead of being published. Then all are multipart uploads, which aren't resumed.</summary>
    bool TakesUploads => false;

    /// <summary>Called before the request that creates an upload.</summary>
    void Creating(ObjectAddress address)
    {
    }

    /// <summary>Called when an upload was created, or is resumed.</summary>
    void Created(ObjectAddress address, string uploadId);

    /// <summary>Receives an upload whose parts the store has. The receiver publishes the object, or aborts the upload. Only called if it takes uploads.</summary>
    void Take(ObjectAddress address, StagedUpload upload) => throw new NotSupportedException();
}
