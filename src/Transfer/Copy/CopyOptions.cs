using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>The options of a copy within a store.</summary>
/// <example>
/// <code>
/// CopyOptions options = new() { Overwrite = false };
/// await client.CopyAsync(new S3Uri("bucket", "report.csv"), new S3Uri("bucket", "2026/report.csv"), options);
/// </code>
/// </example>
public sealed record CopyOptions
{
    /// <summary>Gets the version of the source to copy, in a versioned bucket.</summary>
    /// <value>The default is <see langword="null"/>: the latest version.</value>
    public string? SourceVersionId { get; init; }

    /// <summary>Gets a value that indicates whether an existing object is replaced.</summary>
    /// <value>
    /// <see langword="true"/> to replace an existing object; otherwise, <see langword="false"/> (<c>If-None-Match: *</c> in S3). The default is
    /// <see langword="true"/>. If it is <see langword="false"/> and the key exists, a <see cref="TransferException"/> with <see cref="TransferError.PreconditionFailed"/> is thrown, and nothing is published.
    /// </value>
    /// <remarks>
    /// Unless the object is empty, it is copied as a multipart upload, regardless of its size, because some stores, such as MinIO, ignore the
    /// condition of CopyObject. Stores that ignore or reject the condition are handled as described for <see cref="UploadOptions.Overwrite"/>.
    /// </remarks>
    public bool Overwrite { get; init; } = true;

    /// <summary>
    /// Gets the size, in bytes, of the parts. If the object doesn't fit into <see cref="AdvancedOptions.MaxUploadParts"/> parts of this size, larger parts are
    /// used.
    /// </summary>
    /// <value>
    /// The default is <see langword="null"/>: 128 MiB. Range: 5 MiB to 5 GiB (Amazon S3 User Guide, "Multipart upload limits"). The parts of a copy need no memory.
    /// </value>
    public long? PartSizeBytes { get; init; }

    /// <summary>Gets the size, in bytes, up to which an object is copied with a single request. Larger objects are copied in parts concurrently.</summary>
    /// <value>
    /// The default is <see langword="null"/>: 256 MiB. Range: 0 to 5 GiB, the limit of a single request (Amazon S3 API Reference, "CopyObject").
    /// </value>
    /// <remarks>
    /// The store copies the tags of the source with a single request. For a copy in parts, the client reads them (<c>s3:GetObjectTagging</c>). If that isn't allowed,
    /// the object is copied without them (<see cref="CopyResult.LostProperties"/>).
    /// </remarks>
    public long? MultipartThresholdBytes { get; init; }

    /// <summary>Gets the maximum number of parts of this object to copy concurrently.</summary>
    /// <value>The default is <see langword="null"/>: <see cref="TransferClientOptions.MaxConcurrency"/>. Range: 1 to 1024.</value>
    public int? MaxConcurrency { get; init; }

    /// <summary>
    /// Gets a value that indicates whether an interrupted copy in parts of the same object to the same key is resumed, and whether this copy keeps its state for a
    /// later one if it is interrupted.
    /// </summary>
    /// <value>
    /// <see langword="true"/> to resume and to keep state; otherwise, <see langword="false"/>. The default is <see langword="true"/>. See
    /// <see cref="UploadOptions.Resume"/>.
    /// </value>
    /// <remarks>A copy is resumed only if the source has the same strong ETag as before. Parts that the store has already copied aren't copied again.</remarks>
    public bool Resume { get; init; } = true;

    /// <summary>Gets the properties of the source that the target of a move needn't have. If it lacks others, the source is kept, and the move fails.</summary>
    /// <value>
    /// The default is an empty list: the source is deleted only if the target has all properties. The names are those of <see cref="CopyResult.LostProperties"/>, in any
    /// case: <c>tags</c>, or the name of a header such as <c>x-amz-storage-class</c>. <c>metadata</c> stands for all user metadata, and <c>all</c> for everything.
    /// </value>
    /// <remarks>A copy that isn't a move doesn't use them, because the source remains.</remarks>
    public IReadOnlyCollection<string> AllowedLosses { get; init; } = [];

    /// <summary>Gets a value that indicates whether the requester pays for the requests (Requester Pays buckets).</summary>
    /// <value><see langword="true"/> if the requester pays; otherwise, <see langword="false"/>. The default is <see langword="false"/>.</value>
    public bool RequesterPays { get; init; }

    /// <summary>Gets the events of this transfer, in addition to those of the client.</summary>
    /// <value>The default is <see langword="null"/>.</value>
    [JsonIgnore]
    public TransferEvents? Events { get; init; }

    /// <summary>Gets the handle that monitors and controls the transfer: pauses, priority, and limits.</summary>
    /// <value>The default is <see langword="null"/>, none. A handle can be used for one transfer only.</value>
    [JsonIgnore]
    public TransferHandle? Handle { get; init; }
}
