namespace Transfer;

/// <summary>Options of one upload. What is null is taken from the client's <see cref="TransferClientOptions"/>.</summary>
public sealed record UploadOptions
{
    /// <summary>Bytes of a part. It grows where 10,000 parts of it would not hold the object.</summary>
    /// <value>
    /// Default: <see cref="TransferClientOptions.UploadPartSizeBytes"/>. Range: 5 MiB to 5 GiB, S3's own limits
    /// (Amazon S3 User Guide, "Multipart upload limits"), and not more than the memory budget.
    /// </value>
    /// <remarks>
    /// If the length of the source is not known, the parts grow while it is read: up to a quarter of <see cref="TransferClientOptions.MemoryBytes"/>, and from part 5,001
    /// on to half of it. The object can then have up to 1.5 TiB with 512 MiB of memory, 5.9 TiB with 2 GiB, and 50 TB (Amazon S3's limit) with 20 GiB. The parts of
    /// <see cref="ITransferClient.OpenWriteAsync"/> grow up to a quarter only, so that the object can have up to 937 GiB with 512 MiB of memory. For larger objects, increase
    /// the part size or the memory.
    /// </remarks>
    public long? PartSizeBytes { get; init; }

    /// <summary>Parts of this object under way at once, at the most.</summary>
    /// <value>Default: <see cref="TransferClientOptions.UploadConcurrency"/>. Range: 1 to 1024.</value>
    public int? MaxPartsInFlight { get; init; }

    /// <summary>Objects smaller than this go up in one PUT.</summary>
    /// <value>Default: <see cref="TransferClientOptions.MultipartThresholdBytes"/>. Range: 0 to 5 GiB.</value>
    public long? MultipartThresholdBytes { get; init; }

    /// <summary>The checksum that is sent with every part and compared with what the store answers.</summary>
    /// <value>Default: <see cref="ChecksumAlgorithm.Auto"/>, which is CRC-64/NVME as long as the store does not refuse it. <see cref="ChecksumAlgorithm.Sha1"/> is refused.</value>
    public ChecksumAlgorithm Checksum { get; init; }

    /// <summary>
    /// Publish only if there is no object under the key yet (S3's <c>If-None-Match: *</c>); otherwise <see cref="PreconditionFailedException"/>, and nothing is
    /// published.
    /// </summary>
    /// <value>Default: false.</value>
    /// <remarks>
    /// Some stores ignore the header, and others refuse it. Until the store has answered with status 412 once, the client sends a HEAD request before it publishes. A store
    /// that refuses the header gets the request without it, and the client logs one warning: then an object that another writer creates in between is replaced.
    /// Credentials that may not read headers leave the decision to the store.
    /// </remarks>
    public bool OnlyIfAbsent { get; init; }

    /// <summary>The media type to store.</summary>
    /// <value>
    /// Default: null, which is what the extension of the source's file name stands for, or else the key's;
    /// <c>application/octet-stream</c> where neither is known.
    /// </value>
    public string? ContentType { get; init; }

    /// <summary>User metadata, without the <c>x-amz-meta-</c> prefix. Stores keep the names in lower case.</summary>
    /// <value>
    /// Default: none. At most 2 KiB of names and values together, printable ASCII: what else S3 takes comes back as encoded words (RFC 2047) that readers
    /// do not decode.
    /// </value>
    public IReadOnlyDictionary<string, string>? Metadata { get; init; }

    /// <summary>
    /// Go on with what an earlier upload of the same file to the same key has left, and leave the parts that the store has taken to a later one where this one
    /// is interrupted: by cancellation, by a failure that may pass, or with its process.
    /// </summary>
    /// <value>
    /// Default: true. When false, an interrupted earlier upload of a file to the same key is aborted, and an upload that fails or is canceled is aborted too. The option
    /// has no effect if the source is not a file.
    /// </value>
    /// <remarks>
    /// What was done is kept in <see cref="TransferClientOptions.StateDirectory"/>, in a journal that only its owner may read. The next run reads the file again,
    /// and sends what the store does not have: a part counts as there if the store lists it with the checksum of what is in the file now. If the file, the options
    /// or the part size have changed, or the file is now sent in one PUT, the earlier upload is aborted and all is sent again. Without the right to list parts
    /// (<c>s3:ListMultipartUploadParts</c>), the journal alone tells which parts are there, and the store checks them when it puts the object together. An upload that nobody
    /// goes on with stays open at the store, and is billed: see <see cref="ITransferClient.AbortUploadsAsync"/>.
    /// </remarks>
    public bool Resume { get; init; } = true;

    /// <summary>
    /// Keep a file's time of last modification in the metadata, under <c>mtime</c> in seconds since 1970, as rclone does; a download with
    /// <see cref="DownloadOptions.KeepLastModified"/> gives it back.
    /// </summary>
    /// <value>Default: false. Without effect on what is no file, and where <see cref="Metadata"/> has an <c>mtime</c> of its own.</value>
    public bool KeepLastModified { get; init; }

    /// <summary>
    /// Replace the object only if it still has this entity tag (S3's <c>If-Match</c>); otherwise <see cref="PreconditionFailedException"/>, and nothing is published.
    /// </summary>
    /// <value>Default: null. With quotes or without. Not together with <see cref="OnlyIfAbsent"/>.</value>
    public string? IfMatch { get; init; }

    /// <summary>Tags of the object.</summary>
    /// <value>Default: none. At most 10; keys of 1 to 128 characters, values of up to 256.</value>
    public IReadOnlyDictionary<string, string>? Tags { get; init; }

    /// <summary>The storage class by its name in S3: <c>STANDARD_IA</c>, <c>GLACIER_IR</c>, ….</summary>
    /// <value>Default: null, the bucket's.</value>
    public string? StorageClass { get; init; }

    /// <summary>How the store encrypts the object with keys of its own.</summary>
    /// <value>Default: null, as the bucket says. Not together with <see cref="CustomerKey"/>.</value>
    public ObjectEncryption? Encryption { get; init; }

    /// <summary>A key of the caller's own to encrypt the object with (SSE-C); who reads it must bring it again.</summary>
    /// <value>Default: null. Only over TLS, or to this machine itself.</value>
    public CustomerKey? CustomerKey { get; init; }

    /// <summary>A canned access control list by its name in S3: <c>private</c>, <c>bucket-owner-full-control</c>, ….</summary>
    /// <value>Default: null, the bucket's rules. Buckets whose owner has turned lists off refuse most of them.</value>
    public string? Acl { get; init; }

    /// <summary>The object's <c>Cache-Control</c>.</summary>
    /// <value>Default: none.</value>
    public string? CacheControl { get; init; }

    /// <summary>The object's <c>Content-Disposition</c>.</summary>
    /// <value>Default: none.</value>
    public string? ContentDisposition { get; init; }

    /// <summary>The object's <c>Content-Encoding</c>: what was done to the bytes before they came here.</summary>
    /// <value>Default: none.</value>
    public string? ContentEncoding { get; init; }

    /// <summary>The object's <c>Content-Language</c>.</summary>
    /// <value>Default: none.</value>
    public string? ContentLanguage { get; init; }

    /// <summary>The object's <c>Expires</c>: when caches should ask for it again. The store keeps the object.</summary>
    /// <value>Default: none. In whole seconds.</value>
    public DateTimeOffset? Expires { get; init; }

    /// <summary>Agree to pay for the requests, where the bucket's owner does not.</summary>
    /// <value>Default: false.</value>
    public bool RequesterPays { get; init; }

    /// <summary>Gets the limits of the bytes per second of this upload. The client's limits apply as well.</summary>
    /// <value>The default is <see langword="null"/>, only those of the client. An instance that several transfers have limits them together.</value>
    public RateLimit? RateLimit { get; init; }

    /// <summary>Events of this transfer, beside those of the client.</summary>
    public TransferEvents? Events { get; init; }

    /// <summary>What others may do with the source's file while it is uploaded. Linux only tells whether one of them writes exclusively, which is always refused.</summary>
    internal FileShare SourceShare { get; init; } = FileShare.ReadWrite | FileShare.Delete;

    /// <summary>Leave the last answer in <see cref="UploadResult.Answer"/>.</summary>
    internal bool KeepAnswer { get; init; }

    /// <summary>Whether <see cref="OnlyIfAbsent"/> is only the header, as with the AWS SDK: what a store makes of that is the caller's to know.</summary>
    internal bool TrustsCondition { get; init; }

    /// <summary>Gets the handle that follows and controls the transfer: pauses, priority, and limits.</summary>
    /// <value>The default is <see langword="null"/>, none. Each handle is for one transfer.</value>
    public TransferHandle? Handle { get; init; }
}
