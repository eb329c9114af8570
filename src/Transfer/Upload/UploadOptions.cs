using System.Globalization;
using System.Text.Json.Serialization;
using Transfer.S3.Wire;

namespace Transfer.S3;

/// <summary>The options of an upload.</summary>
/// <example>
/// <code>
/// UploadOptions options = new()
/// {
///     ContentType = "text/csv",
///     Metadata = new Dictionary&lt;string, string> { ["author"] = "sales" },
///     StorageClass = "STANDARD_IA",
///     Overwrite = false,
/// };
/// await client.UploadAsync("report.csv", "bucket", "report.csv", options);
/// </code>
/// </example>
public sealed record UploadOptions
{
    /// <summary>
    /// Gets the size, in bytes, of the parts. If the object doesn't fit into <see cref="AdvancedOptions.MaxUploadParts"/> parts of this size, larger parts are
    /// used.
    /// </summary>
    /// <value>
    /// The default is <see langword="null"/>: <see cref="TransferClientOptions.UploadPartSizeBytes"/>. Range: 5 MiB to 5 GiB, the limits of Amazon S3 (Amazon S3
    /// User Guide, "Multipart upload limits"), but not more than <see cref="TransferClientOptions.MemoryBytes"/>.
    /// </value>
    /// <remarks>
    /// <para>
    /// If the length of the source isn't known, the default is 5 MiB for the first parts, and the parts grow while the source is read: up to a quarter of <see cref="TransferClientOptions.MemoryBytes"/>, and
    /// from part 5,001 on to half of it. The object can then have up to 1.5 TiB with 512 MiB of memory, 5.9 TiB with 2 GiB, and 50 TB (the limit of Amazon S3) with
    /// 20 GiB.
    /// </para>
    /// <para>
    /// The parts of <see cref="ITransferClient.OpenWriteAsync"/> grow only up to a quarter, so the object can have up to 937 GiB with 512 MiB of memory. For larger
    /// objects, increase the part size or the memory.
    /// </para>
    /// </remarks>
    public long? PartSizeBytes { get; init; }

    /// <summary>Gets the number of bytes of the source, if the caller knows it and the source doesn't: that of a stream that can't seek, or of a pipe.</summary>
    /// <value>The default is <see langword="null"/>: the length of the source, if it knows it. Range: 0 or more.</value>
    /// <remarks>
    /// The size of the parts is then known from the beginning, and the progress has a total. If the source has more or fewer bytes, nothing is published, and a
    /// <see cref="TransferException"/> is thrown. That is also so for a source whose own length differs. <see cref="ITransferClient.OpenWriteAsync"/> and transfers of many
    /// objects don't accept the option.
    /// </remarks>
    public long? Length { get; init; }

    /// <summary>Gets the maximum number of parts of this object to upload concurrently.</summary>
    /// <value>The default is <see langword="null"/>: <see cref="TransferClientOptions.MaxUploadConcurrency"/>. Range: 1 to 1024.</value>
    public int? MaxConcurrency { get; init; }

    /// <summary>Gets the size threshold, in bytes, below which an object is uploaded with a single PUT request.</summary>
    /// <value>The default is <see langword="null"/>: <see cref="TransferClientOptions.MultipartThresholdBytes"/>. Range: 0 to 5 GiB.</value>
    public long? MultipartThresholdBytes { get; init; }

    /// <summary>Gets the checksum algorithm. The checksum is sent with every part and compared with the store's response.</summary>
    /// <value>
    /// The default is <see cref="ChecksumAlgorithm.Auto"/>: CRC-64/NVME, unless the store rejects it. If the store rejects another algorithm, the upload fails.
    /// </value>
    public ChecksumAlgorithm Checksum { get; init; }

    /// <summary>Gets a value that indicates whether an existing object is replaced.</summary>
    /// <value>
    /// <see langword="true"/> to replace an existing object; otherwise, <see langword="false"/> (<c>If-None-Match: *</c> in S3). The default is
    /// <see langword="true"/>. If it is <see langword="false"/> and the key exists, a <see cref="TransferException"/> with <see cref="TransferError.PreconditionFailed"/> is thrown, and nothing is published.
    /// </value>
    /// <remarks>
    /// Some stores ignore or reject the header. Until the store has enforced it once with status 412, the client sends a HEAD request before it publishes the
    /// object. If a store rejects the header, the client logs a warning and sends the request without it. An object that another writer creates between the two
    /// requests is then replaced. If the credentials don't allow HEAD requests, only the header is used.
    /// </remarks>
    public bool Overwrite { get; init; } = true;

    /// <summary>Gets the content type of the object.</summary>
    /// <value>
    /// The default is <see langword="null"/>: the content type of the extension of the source file's name, or else of the key, or <c>application/octet-stream</c> if
    /// the extension is unknown.
    /// </value>
    public string? ContentType
    {
        get => Headers[ObjectHeader.ContentType];
        init => Headers = Headers.With(ObjectHeader.ContentType, value);
    }

    /// <summary>Gets the user metadata, without the <c>x-amz-meta-</c> prefix. Stores convert the names to lower case.</summary>
    /// <value>
    /// The default is <see langword="null"/>, none. Names and values together can have at most 2 KiB and must be printable ASCII, because S3 returns other
    /// characters as encoded words (RFC 2047) that readers don't decode.
    /// </value>
    public IReadOnlyDictionary<string, string>? Metadata { get; init; }

    /// <summary>
    /// Gets a value that indicates whether an interrupted upload of the same file to the same key is resumed, and whether this upload keeps its state for a later
    /// one if it is interrupted.
    /// </summary>
    /// <value>
    /// <see langword="true"/> to resume and to keep state; otherwise, <see langword="false"/>. The default is <see langword="true"/>. If it is
    /// <see langword="false"/>, an interrupted earlier upload to the same key is aborted, and an upload that fails or is canceled is aborted too. The option has
    /// no effect if the source is neither a file nor an object of another store.
    /// </value>
    /// <remarks>
    /// <para>
    /// An upload is interrupted by cancellation, by a failure that may be temporary, or by the end of the process. Its state is kept in a journal in
    /// <see cref="TransferClientOptions.StateDirectory"/> that only its owner can read. An interrupted upload that is never resumed stays open and uses storage that
    /// you pay for. See <see cref="ITransferClient.AbortUploadsAsync"/>.
    /// </para>
    /// <para>
    /// The next upload reads the file again and sends the parts that the store doesn't have. A part isn't sent again if the store lists it with the checksum of the
    /// current content of the file. If the file, the options, or the part size have changed, or if the file is now uploaded with a single PUT request, the earlier
    /// upload is aborted and the whole file is sent.
    /// </para>
    /// <para>
    /// A copy between stores doesn't read the parts again that both the journal and the target's list contain. It is resumed only if the source has the same strong
    /// ETag as before.
    /// </para>
    /// <para>
    /// If the credentials don't allow listing parts (<c>s3:ListMultipartUploadParts</c>), the journal alone determines which parts are not sent again. The store
    /// checks them when it completes the upload.
    /// </para>
    /// </remarks>
    public bool Resume { get; init; } = true;

    /// <summary>Gets a value that indicates whether only the parts are sent in which the file differs from the object that it replaces.</summary>
    /// <value>
    /// <see langword="true"/> to let the store copy the equal parts from the existing object; <see langword="false"/> to send the whole file. The default is
    /// <see langword="false"/>. The option has an effect only if the source is a file or memory, if it isn't smaller than <see cref="MultipartThresholdBytes"/>, and if
    /// <see cref="Overwrite"/> is <see langword="true"/>.
    /// </value>
    /// <remarks>
    /// <para>
    /// The store lists the parts of the existing object with their checksums, and the file is read and compared with them. The new object has parts of the same size, so
    /// <see cref="PartSizeBytes"/> has no effect. Bytes that are inserted or removed shift what follows, so everything after them is sent. All properties of the new
    /// object are those of the options. The bytes that were not sent count as <see cref="TransferStatistics.BytesResumed"/>.
    /// </para>
    /// <para>
    /// If the file and its properties are those of the object, nothing is published, and <see cref="UploadResult.Parts"/> is 0. That takes two requests, and one more for
    /// each 1,000 parts.
    /// </para>
    /// <para>
    /// The object is published only if the existing one still has the ETag that was compared. Otherwise, a <see cref="TransferException"/> with
    /// <see cref="TransferError.PreconditionFailed"/> or <see cref="TransferError.ObjectChanged"/> is thrown, and nothing is published.
    /// </para>
    /// <para>
    /// The whole file is sent, and the reason is logged as information, if the existing object was uploaded with one request, if its parts have different sizes or less
    /// than 5 MiB, or if the store doesn't return their checksums. The same applies to objects that the store can't copy, such as archived ones, to a
    /// <see cref="CustomerKey"/>, and to <see cref="ChecksumAlgorithm.None"/>.
    /// </para>
    /// <para>
    /// A part counts as equal if its checksum is. If the checksums are CRC-32 or CRC-32C, a changed part has the checksum of the old one once in 4 billion times.
    /// </para>
    /// </remarks>
    public bool ReuseParts { get; init; }

    /// <summary>Gets a value that indicates whether the last-modified time of the file is stored in the metadata.</summary>
    /// <value>
    /// <see langword="true"/> to store the time; otherwise, <see langword="false"/>. The default is <see langword="false"/>. The option has no effect if the source
    /// is not a file, or if <see cref="Metadata"/> already contains <c>mtime</c>.
    /// </value>
    /// <remarks>
    /// The time is stored as <c>mtime</c>, in seconds since 1970, as rclone does. A download with <see cref="DownloadOptions.KeepLastModified"/> restores it.
    /// </remarks>
    public bool KeepLastModified { get; init; }

    /// <summary>Gets a value that indicates whether the type and the permissions of the file are stored in the metadata.</summary>
    /// <value>
    /// <see langword="true"/> to store them; otherwise, <see langword="false"/>. The default is <see langword="false"/>. The option has no effect on Windows, if the source
    /// is not a file, or if <see cref="Metadata"/> already contains <c>mode</c>.
    /// </value>
    /// <remarks>
    /// They are stored as <c>mode</c>, in octal digits, as rclone does. A download with <see cref="DownloadOptions.KeepPermissions"/> restores the permissions.
    /// </remarks>
    public bool KeepPermissions { get; init; }

    /// <summary>Gets a value that indicates whether the IDs of the owner and the group of the file are stored in the metadata.</summary>
    /// <value>
    /// <see langword="true"/> to store them; otherwise, <see langword="false"/>. The default is <see langword="false"/>. The option has an effect only on Linux, if the
    /// source is a file, and if <see cref="Metadata"/> doesn't contain <c>uid</c> and <c>gid</c>.
    /// </value>
    /// <remarks>They are stored as <c>uid</c> and <c>gid</c>, as rclone does. A download with <see cref="DownloadOptions.KeepOwner"/> restores them.</remarks>
    public bool KeepOwner { get; init; }

    /// <summary>
    /// Gets the ETag that the existing object must have to be replaced (<c>If-Match</c> in S3). Otherwise, a <see cref="TransferException"/> with <see cref="TransferError.PreconditionFailed"/> is thrown,
    /// and nothing is published.
    /// </summary>
    /// <value>
    /// The default is <see langword="null"/>, no condition. The ETag can have quotes or not. It implies that the object exists, so <see cref="Overwrite"/> must be <see langword="true"/>.
    /// </value>
    /// <remarks>
    /// Some stores ignore the condition. Until a store is known to honor it, a HEAD request compares the ETag before the upload, which another writer can overtake. Amazon
    /// S3 and a store that was probed (<see cref="TransferClient.ProbeStoreAsync"/>) are known.
    /// </remarks>
    public string? IfMatch { get; init; }

    /// <summary>Gets the tags of the object.</summary>
    /// <value>
    /// The default is <see langword="null"/>, none. An object can have up to 10 tags, with keys of 1 to 128 characters and values of up to 256 characters.
    /// </value>
    public IReadOnlyDictionary<string, string>? Tags { get; init; }

    /// <summary>Gets the storage class of the object by its S3 name, such as <c>STANDARD_IA</c> or <c>GLACIER_IR</c>.</summary>
    /// <value>The default is <see langword="null"/>: the default storage class of the bucket.</value>
    public string? StorageClass
    {
        get => Headers[ObjectHeader.StorageClass];
        init => Headers = Headers.With(ObjectHeader.StorageClass, value);
    }

    /// <summary>Gets the server-side encryption of the object.</summary>
    /// <value>The default is <see langword="null"/>: the default encryption of the bucket. The option can't be combined with <see cref="CustomerKey"/>.</value>
    public ObjectEncryption? Encryption { get; init; }

    /// <summary>Gets the protection of the object from deletion and replacement.</summary>
    /// <value>The default is <see langword="null"/>: the default retention of the bucket, if it has one.</value>
    public ObjectLock? Lock { get; init; }

    /// <summary>Gets the customer-provided key to encrypt the object with (SSE-C). The same key is needed to read the object.</summary>
    /// <value>
    /// The default is <see langword="null"/>, no key. The key is sent only over HTTPS or to this machine. Otherwise, the upload fails before anything is sent.
    /// </value>
    [JsonIgnore]
    public CustomerKey? CustomerKey { get; init; }

    /// <summary>Gets the canned access control list (ACL) of the object by its S3 name, such as <c>private</c> or <c>bucket-owner-full-control</c>.</summary>
    /// <value>The default is <see langword="null"/>: the rules of the bucket apply. Buckets with disabled ACLs reject most values.</value>
    public string? Acl
    {
        get => Headers[ObjectHeader.Acl];
        init => Headers = Headers.With(ObjectHeader.Acl, value);
    }

    /// <summary>Gets the <c>Cache-Control</c> header of the object.</summary>
    /// <value>The default is <see langword="null"/>, none.</value>
    public string? CacheControl
    {
        get => Headers[ObjectHeader.CacheControl];
        init => Headers = Headers.With(ObjectHeader.CacheControl, value);
    }

    /// <summary>Gets the <c>Content-Disposition</c> header of the object.</summary>
    /// <value>The default is <see langword="null"/>, none.</value>
    public string? ContentDisposition
    {
        get => Headers[ObjectHeader.ContentDisposition];
        init => Headers = Headers.With(ObjectHeader.ContentDisposition, value);
    }

    /// <summary>Gets the <c>Content-Encoding</c> header of the object, which describes how the content was encoded before the upload.</summary>
    /// <value>The default is <see langword="null"/>, none.</value>
    public string? ContentEncoding
    {
        get => Headers[ObjectHeader.ContentEncoding];
        init => Headers = Headers.With(ObjectHeader.ContentEncoding, value);
    }

    /// <summary>Gets the <c>Content-Language</c> header of the object.</summary>
    /// <value>The default is <see langword="null"/>, none.</value>
    public string? ContentLanguage
    {
        get => Headers[ObjectHeader.ContentLanguage];
        init => Headers = Headers.With(ObjectHeader.ContentLanguage, value);
    }

    /// <summary>Gets the <c>Expires</c> header of the object, after which caches request it again. The store doesn't delete the object at that time.</summary>
    /// <value>The default is <see langword="null"/>, none. Fractions of a second are ignored.</value>
    public DateTimeOffset? Expires
    {
        get;
        init
        {
            field = value;
            Headers = Headers.With(ObjectHeader.Expires, value?.ToString("R", CultureInfo.InvariantCulture));
        }
    }

    /// <summary>Gets a value that indicates whether the requester pays for the requests (Requester Pays buckets).</summary>
    /// <value><see langword="true"/> if the requester pays; otherwise, <see langword="false"/>. The default is <see langword="false"/>.</value>
    public bool RequesterPays { get; init; }

    /// <summary>Gets the rate limits of this upload. The limits of the client apply as well.</summary>
    /// <value>The default is <see langword="null"/>: only the limits of the client apply. Transfers that share an instance are limited together.</value>
    [JsonIgnore]
    public RateLimit? RateLimit { get; init; }

    /// <summary>Gets the events of this transfer, in addition to those of the client.</summary>
    /// <value>The default is <see langword="null"/>.</value>
    [JsonIgnore]
    public TransferEvents? Events { get; init; }

    /// <summary>Gets the handle that monitors and controls the transfer: pauses, priority, and limits.</summary>
    /// <value>The default is <see langword="null"/>, none. A handle can be used for one transfer only.</value>
    [JsonIgnore]
    public TransferHandle? Handle { get; init; }

    /// <summary>Gets the headers whose properties are set.</summary>
    internal HeaderValues Headers { get; init; }
}
