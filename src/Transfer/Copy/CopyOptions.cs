namespace Transfer;

/// <summary>Options of one copy inside a store. What is null is taken from the client's <see cref="TransferClientOptions"/> or its default.</summary>
public sealed record CopyOptions
{
    /// <summary>Which version of the source to copy, in a bucket that keeps them.</summary>
    /// <value>Default: null, the newest.</value>
    public string? SourceVersionId { get; init; }

    /// <summary>Fail with a <see cref="PreconditionFailedException"/> if the target's key exists when the copy is published (S3's <c>If-None-Match: *</c>).</summary>
    /// <remarks>The object is then copied as a multipart upload whatever its size, unless it is empty: not every store heeds the condition on CopyObject (MinIO does not). In parts, the source's tags stay behind. What
    /// <see cref="UploadOptions.OnlyIfAbsent"/> says of stores that ignore or refuse the condition is true for copies, too.</remarks>
    /// <value>Default: false.</value>
    public bool OnlyIfAbsent { get; init; }

    /// <summary>Bytes of a part. It grows where <see cref="TransferClientOptions.MaxUploadParts"/> of it would not hold the object.</summary>
    /// <value>Default: 128 MiB. Range: 5 MiB to 5 GiB (Amazon S3 User Guide, "Multipart upload limits"). A part takes no memory here.</value>
    public long? PartSizeBytes { get; init; }

    /// <summary>Objects up to this size are copied in one request; larger ones in parts, side by side.</summary>
    /// <remarks>A copy in one request brings the source's tags along; one in parts does not.</remarks>
    /// <value>Default: 256 MiB. Range: 0 to 5 GiB, the most that one request copies (Amazon S3 API Reference, "CopyObject").</value>
    public long? MultipartThresholdBytes { get; init; }

    /// <summary>Parts of this object under way at once, at the most.</summary>
    /// <value>Default: <see cref="TransferClientOptions.Concurrency"/>. Range: 1 to 1024.</value>
    public int? MaxPartsInFlight { get; init; }

    /// <summary>Agree to pay for the requests, where the bucket's owner does not.</summary>
    /// <value>Default: false.</value>
    public bool RequesterPays { get; init; }

    /// <summary>Events of this transfer, beside those of the client.</summary>
    public TransferEvents? Events { get; init; }

    /// <summary>Gets the handle that follows and controls the transfer: pauses, priority, and limits.</summary>
    /// <value>The default is <see langword="null"/>, none. Each handle is for one transfer.</value>
    public TransferHandle? Handle { get; init; }
}
