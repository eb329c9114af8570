namespace Transfer.S3;

/// <summary>The options of a copy from one store to another.</summary>
/// <example>
/// <code>
/// StoreCopyOptions options = new() { Target = new UploadOptions { StorageClass = "GLACIER" } };
/// await client.CopyAsync(new S3Uri("bucket", "report.csv"), targetClient, new S3Uri("archive", "report.csv"), options);
/// </code>
/// </example>
public sealed record StoreCopyOptions
{
    /// <summary>Gets the version of the source to copy, in a versioned bucket.</summary>
    /// <value>The default is <see langword="null"/>: the latest version.</value>
    public string? SourceVersionId { get; init; }

    /// <summary>Gets the range of bytes of the source to copy.</summary>
    /// <value>The default is <see langword="null"/>: the whole object.</value>
    /// <remarks>
    /// The properties of the source are kept as for a whole object. Stores keep checksums of whole objects only, so what was read of a range isn't verified.
    /// </remarks>
    public ObjectRange? SourceRange { get; init; }

    /// <summary>Gets the customer-provided key to read the source with (SSE-C).</summary>
    /// <value>The default is <see langword="null"/>, no key. The key is sent only over HTTPS or to this machine.</value>
    public CustomerKey? SourceCustomerKey { get; init; }

    /// <summary>Gets a value that indicates whether the requester pays for the requests to the source (Requester Pays buckets).</summary>
    /// <value><see langword="true"/> if the requester pays; otherwise, <see langword="false"/>. The default is <see langword="false"/>.</value>
    public bool SourceRequesterPays { get; init; }

    /// <summary>Gets a value that indicates whether the data that was read is compared with the checksum of the source store before the target is published.</summary>
    /// <value><see langword="true"/> to compare; otherwise, <see langword="false"/>. The default is <see langword="true"/>.</value>
    public bool VerifySource { get; init; } = true;

    /// <summary>Gets the properties of the source that the target of a move needn't have. If it lacks others, the source is kept, and the move fails.</summary>
    /// <value>
    /// The default is an empty list: the source is deleted only if the target has all properties. The names are those of <see cref="CopyResult.LostProperties"/>, in any
    /// case: <c>tags</c>, or the name of a header such as <c>x-amz-storage-class</c>. <c>metadata</c> stands for all user metadata, and <c>all</c> for everything.
    /// </value>
    /// <remarks>A copy that isn't a move doesn't use them, because the source remains.</remarks>
    public IReadOnlyCollection<string> AllowedLosses { get; init; } = [];

    /// <summary>Gets the options of the target.</summary>
    /// <value>
    /// The default has no headers of its own: the content type, the cache headers, the user metadata, and the tags of the source are kept. Those that are set
    /// replace the ones of the source. The storage class, the ACL, the encryption, and the object lock of the source are never copied (<see cref="CopyResult.LostProperties"/>).
    /// </value>
    /// <remarks>
    /// If <see cref="UploadOptions.PartSizeBytes"/> and <see cref="UploadOptions.MultipartThresholdBytes"/> are not set, the target has parts of the same size as
    /// the source where the target allows it, so that both have the same ETag in stores that make ETags of MD5s.
    /// </remarks>
    public UploadOptions Target { get; init; } = new();
}
