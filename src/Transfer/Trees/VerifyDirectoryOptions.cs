namespace Transfer.S3;

/// <summary>The options of the comparison of a directory with a prefix, or of two prefixes.</summary>
public sealed record VerifyDirectoryOptions
{
    /// <summary>Gets the patterns of the files and objects to compare. For their syntax, see <see cref="DirectoryOptions.Include"/>.</summary>
    /// <value>The default is an empty list: everything is compared.</value>
    public IReadOnlyList<string> Include { get; init; } = [];

    /// <summary>Gets the patterns of the files and objects to exclude from <see cref="Include"/>.</summary>
    /// <value>The default is an empty list: nothing is excluded.</value>
    public IReadOnlyList<string> Exclude { get; init; } = [];

    /// <summary>Gets the filter by ordered rules for paths, sizes, times, and storage classes.</summary>
    /// <value>The default is <see langword="null"/>: only <see cref="Include"/> and <see cref="Exclude"/> select.</value>
    /// <remarks>A file and an object of the same name are compared if one of them is selected.</remarks>
    public ObjectFilter? Filter { get; init; }

    /// <summary>Gets the keys of the objects to compare. Neither side is then listed or walked. If both are prefixes, they are keys of the source.</summary>
    /// <value>The default is <see langword="null"/>: all files and all objects under the prefix.</value>
    /// <remarks>
    /// The keys are whole keys in any order. They are read once, while objects are being compared, so memory doesn't grow with their number. A key without a file is
    /// <see cref="OutcomeStatus.OnlyAtTarget"/>, one without an object is <see cref="OutcomeStatus.OnlyAtSource"/>, and files whose keys aren't in the list are
    /// ignored. A key that isn't under the prefix is a failure of its object. An exception that the list throws ends the comparison. Each comparison begins with a
    /// HEAD request, so <see cref="Filter"/> can't select by size, time, or storage class.
    /// </remarks>
    public IAsyncEnumerable<string>? Keys { get; init; }

    /// <summary>Gets the time whose objects are compared, in a bucket that keeps versions. If both sides are prefixes, it is that of the source.</summary>
    /// <value>The default is <see langword="null"/>: the current objects. A time can't be set together with <see cref="Keys"/>.</value>
    /// <remarks>For the versions that are compared, see <see cref="ListObjectsOptions.AsOf"/>.</remarks>
    public DateTimeOffset? AsOf { get; init; }

    /// <summary>Gets a value that indicates whether files and objects are compared whose names begin with a dot, or that are in such a directory.</summary>
    /// <value><see langword="true"/> to compare them; otherwise, <see langword="false"/>. The default is <see langword="true"/>.</value>
    public bool IncludeHidden { get; init; } = true;

    /// <summary>Gets a value that indicates whether symbolic links in the local directory are followed.</summary>
    /// <value>The default is <see cref="SymbolicLinks.Follow"/>.</value>
    /// <remarks>
    /// Objects that have the name of a link that is skipped, or whose target doesn't exist, aren't compared, and neither are those below that name. So a comparison with the
    /// selection of a synchronization finds no difference after it.
    /// </remarks>
    public SymbolicLinks SymbolicLinks { get; init; }

    /// <summary>
    /// Gets the maximum number of objects to compare concurrently. Their requests share <see cref="TransferClientOptions.MaxConcurrency"/> with all other transfers.
    /// </summary>
    /// <value>The default is <see langword="null"/>: <see cref="TransferClientOptions.MaxConcurrency"/>. Range: 1 to 1024.</value>
    public int? MaxConcurrentObjects { get; init; }

    /// <summary>
    /// Gets a value that indicates whether an object is read, up to the first byte that differs, if neither its size nor a checksum nor its ETag is conclusive.
    /// </summary>
    /// <value>
    /// <see langword="true"/> to read such objects; otherwise, <see langword="false"/>. The default is <see langword="true"/>. If it is <see langword="false"/>,
    /// such an object is reported as <see cref="OutcomeStatus.NotCompared"/>.
    /// </value>
    public bool ReadContent { get; init; } = true;

    /// <summary>Gets the rate limits of the data that is read for all objects of this comparison together. The limits of the client apply as well.</summary>
    /// <value>The default is <see langword="null"/>: only the limits of the client apply.</value>
    public RateLimit? RateLimit { get; init; }

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

    /// <summary>
    /// Gets a callback that receives every difference as soon as it is found, in no particular order. Calls do not overlap. The comparison waits for each call, so a
    /// slow callback delays it.
    /// </summary>
    /// <value>The default is <see langword="null"/>. Exceptions that the callback throws are logged and otherwise ignored.</value>
    public Action<Outcome>? ObjectEnded { get; init; }
}
