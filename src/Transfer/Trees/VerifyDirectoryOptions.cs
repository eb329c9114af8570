namespace Transfer.S3;

/// <summary>The options of the comparison of a folder with a prefix, or of two prefixes.</summary>
/// <remarks>
/// A file and an object of the same name are compared if <see cref="TreeOptions.Filter"/> selects one of them. If both sides are prefixes, <see cref="TreeOptions.AsOf"/> is a
/// time of the source. Without <see cref="TreeOptions.MaxConcurrentObjects"/>, <see cref="TransferClientOptions.MaxConcurrency"/> objects are compared at a time.
/// </remarks>
/// <example>
/// <code>
/// VerifyDirectoryOptions options = new()
/// {
///     Exclude = ["*.tmp"],
///     ObjectEnded = outcome => Console.WriteLine($"{outcome.Name}: {outcome.Status}"), // only what isn't the same
/// };
/// DirectoryResult result = await client.VerifyTreeAsync(Place.InDirectory("photos"), Place.InBucket("bucket", "photos/"), options);
/// </code>
/// </example>
public sealed record VerifyDirectoryOptions : TreeOptions
{
    /// <summary>Gets the keys of the objects to compare. Neither side is then listed or walked. If both are prefixes, they are keys of the source.</summary>
    /// <value>The default is <see langword="null"/>: all files and all objects under the prefix.</value>
    /// <remarks>
    /// The keys are whole keys in any order. They are read once, while objects are being compared, so memory doesn't grow with their number. A key without a file is
    /// <see cref="OutcomeStatus.OnlyAtTarget"/>, one without an object is <see cref="OutcomeStatus.OnlyAtSource"/>, and files whose keys aren't in the list are
    /// ignored. A key that isn't under the prefix is a failure of its object. An exception that the list throws ends the comparison. Each comparison begins with a
    /// HEAD request, so <see cref="TreeOptions.Filter"/> can't select by size, time, or storage class.
    /// </remarks>
    public IAsyncEnumerable<string>? Keys { get; init; }

    /// <summary>Gets a value that indicates whether symbolic links in the local directory are followed.</summary>
    /// <value>The default is <see cref="SymbolicLinks.Follow"/>.</value>
    /// <remarks>
    /// Objects that have the name of a link that is skipped, or whose target doesn't exist, aren't compared, and neither are those below that name. So a comparison with the
    /// selection of a synchronization finds no difference after it.
    /// </remarks>
    public SymbolicLinks SymbolicLinks { get; init; }

    /// <summary>
    /// Gets a value that indicates whether an object is read, up to the first byte that differs, if neither its size nor a checksum nor its ETag is conclusive.
    /// </summary>
    /// <value>
    /// <see langword="true"/> to read such objects; otherwise, <see langword="false"/>. The default is <see langword="true"/>. If it is <see langword="false"/>,
    /// such an object is reported as <see cref="OutcomeStatus.NotCompared"/>.
    /// </value>
    public bool ReadContent { get; init; } = true;

    /// <summary>Gets the customer-provided key that the objects were encrypted with (SSE-C).</summary>
    /// <value>
    /// The default is <see langword="null"/>, no key. The key is sent only over HTTPS or to this machine. Otherwise, the comparison fails before anything is sent.
    /// </value>
    public CustomerKey? CustomerKey { get; init; }

    /// <summary>Gets a value that indicates whether the requester pays for the requests (Requester Pays buckets).</summary>
    /// <value>
    /// <see langword="true"/> if the requester pays; otherwise, <see langword="false"/>. The default is <see langword="false"/>: Requester Pays buckets reject the
    /// requests with status 403.
    /// </value>
    public bool RequesterPays { get; init; }
}
