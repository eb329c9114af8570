namespace Transfer;

/// <summary>Options of a comparison of a folder with a prefix.</summary>
public sealed record VerifyDirectoryOptions
{
    /// <summary>Patterns of what is compared, of files and objects alike, as in <see cref="DirectoryOptions.Include"/>.</summary>
    /// <value>Default: empty, everything.</value>
    public IReadOnlyList<string> Include { get; init; } = [];

    /// <summary>Patterns of what of that is left out, on both sides.</summary>
    /// <value>Default: empty, nothing.</value>
    public IReadOnlyList<string> Exclude { get; init; } = [];

    /// <summary>Compare also what has a name that begins with a dot or is in such a folder, on both sides.</summary>
    /// <value>Default: true.</value>
    public bool IncludeHidden { get; init; } = true;

    /// <summary>What links in the local tree mean. Where they are skipped they count for nothing, and an object under the name of one is missing here.</summary>
    /// <value>Default: <see cref="SymbolicLinks.Follow"/>.</value>
    public SymbolicLinks SymbolicLinks { get; init; }

    /// <summary>Objects compared at once, at the most; their requests share <see cref="TransferClientOptions.Concurrency"/> with everything else.</summary>
    /// <value>Default: null, <see cref="TransferClientOptions.Concurrency"/>. Range: 1 to 1024.</value>
    public int? Concurrency { get; init; }

    /// <summary>Read an object, up to the first byte that differs, where neither its size nor a checksum nor its entity tag can tell.</summary>
    /// <value>Default: true. When false, such an object is a <see cref="DifferenceKind.NotCompared"/>.</value>
    public bool ReadContent { get; init; } = true;

    /// <summary>Gets the limits of the bytes per second that are read for all objects of this comparison together. The client's limits apply as well.</summary>
    /// <value>The default is <see langword="null"/>, only those of the client.</value>
    public RateLimit? RateLimit { get; init; }

    /// <summary>The key that the objects were encrypted with, where the store does not keep it (SSE-C).</summary>
    /// <value>Default: null, none. It is refused over plain http to anything but this machine, before anything is sent.</value>
    public CustomerKey? CustomerKey { get; init; }

    /// <summary>Agree to pay for the requests, where the bucket's owner leaves that to those who read.</summary>
    /// <value>Default: false; such a bucket then refuses with status 403.</value>
    public bool RequesterPays { get; init; }

    /// <summary>
    /// Gets a callback that receives every difference as soon as it is found, in no particular order. Calls do not overlap. The comparison waits for each call, so a
    /// slow callback delays it.
    /// </summary>
    /// <value>The default is <see langword="null"/>. Exceptions that the callback throws are logged and otherwise ignored.</value>
    public Action<ObjectDifference>? DifferenceFound { get; init; }
}
