using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>What a <see cref="TransferException"/> reports, for programs that decide by it. The message and the other properties have the details.</summary>
/// <remarks>Values can be added in later versions, so treat those that you don't know as <see cref="Other"/>.</remarks>
[JsonConverter(typeof(JsonStringEnumConverter<TransferError>))]
public enum TransferError
{
    /// <summary>Another error.</summary>
    Other = 0,

    /// <summary>The object doesn't exist. The response to a HEAD request has no error code, so the bucket may not exist either.</summary>
    ObjectNotFound,

    /// <summary>The bucket doesn't exist.</summary>
    BucketNotFound,

    /// <summary>The credentials don't allow the operation.</summary>
    AccessDenied,

    /// <summary>There are no credentials, or the store doesn't accept them: they are unknown or expired, the signature isn't right, or the clock of this machine isn't.</summary>
    Credentials,

    /// <summary>A condition of the call doesn't hold (status 412). Nothing was downloaded, published, or deleted.</summary>
    PreconditionFailed,

    /// <summary>The object has not changed, as <see cref="DownloadOptions.IfNoneMatch"/> or <see cref="DownloadOptions.IfModifiedSince"/> asks (status 304). Nothing was downloaded.</summary>
    NotModified,

    /// <summary>The object was replaced or deleted during the transfer, or it isn't what the <see cref="ObjectHint"/> says.</summary>
    ObjectChanged,

    /// <summary>The content isn't what the checksum says. The exception is a <see cref="ChecksumMismatchException"/>.</summary>
    ChecksumMismatch,

    /// <summary>The object is archived, and can't be read before it is restored.</summary>
    Archived,

    /// <summary>
    /// The memory budget (<see cref="TransferClientOptions.MemoryBytes"/>) was too small, or others held its memory. The message names what holds the memory.
    /// </summary>
    MemoryLimit,

    /// <summary>The store still asked for fewer requests after all retries.</summary>
    Throttled,

    /// <summary>There was no response: the store can't be reached, or connections broke or stalled.</summary>
    Connection,

    /// <summary>The source of a synchronization doesn't exist. Nothing was changed.</summary>
    SourceMissing,

    /// <summary>Nothing is selected at the source of a synchronization, and everything at the target would be deleted. Nothing was changed.</summary>
    SourceEmpty,

    /// <summary>The source and the target of a synchronization overlap. Nothing was changed.</summary>
    Overlap,

    /// <summary>More would be deleted than <see cref="DeleteDirectoryOptions.MaxDelete"/> or <see cref="SyncOptions.MaxDelete"/> allows. The message says whether anything was deleted.</summary>
    DeletionLimit,

    /// <summary>Parts of a <see cref="PresignedUpload"/> are missing or have another length. Nothing was published, and the upload can go on.</summary>
    UploadIncomplete,

    /// <summary>There is no such <see cref="PresignedUpload"/> anymore: it was completed or aborted.</summary>
    UploadNotFound,

    /// <summary>A limit of the client was reached (<see cref="TransferClientOptions.Limit"/>), so a request was not sent. The same call goes on later.</summary>
    LimitReached,
}
