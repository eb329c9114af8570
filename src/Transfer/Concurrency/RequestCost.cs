namespace Transfer.S3.Concurrency;

/// <summary>The class of a request and its cost in bytes.</summary>
/// <param name="Class">The class.</param>
/// <param name="Bytes">The number of bytes that count against the transfer's fair share.</param>
internal readonly record struct RequestCost(RequestClass Class, long Bytes)
{
    /// <summary>Gets a value that indicates whether the request transfers data, so that its duration reflects the link.</summary>
    public bool HasData { get; private init; } = true;

    /// <summary>Gets a value that indicates whether the request cleans up, so that it is sent even while its transfer is paused.</summary>
    public bool IsCleanup { get; private init; }

    /// <summary>Gets the cost of a part if a reader waits for it. Other requests keep their class: a small object that is sent again isn't a part.</summary>
    public RequestCost ToHead() => Class == RequestClass.Part ? this with { Class = RequestClass.Head } : this;

    /// <summary>The size of the largest object that counts as small.</summary>
    public const long SmallBytes = Sizes.MiB;

    /// <summary>
    /// The cost of a request without data. Requests up to this size count equally, because their duration is mostly latency: at 25 MiB/s, a
    /// connection transfers this much in 10 ms.
    /// </summary>
    public const long MinBytes = 256 * Sizes.KiB;

    /// <summary>Gets the cost of a request without data.</summary>
    public static RequestCost Lookup => new(RequestClass.Lookup, MinBytes) { HasData = false };

    /// <summary>Gets the cost of a request that cleans up.</summary>
    public static RequestCost Cleanup => Lookup with { IsCleanup = true };

    /// <summary>Gets the cost of a request for the only data, or the first data, of an object.</summary>
    public static RequestCost First(long? bytes) => bytes <= SmallBytes ? new(RequestClass.Small, Math.Max(MinBytes, bytes.Value)) : new(RequestClass.First, bytes ?? MinBytes);

    /// <summary>Gets the cost of one of the requests that many small objects take, so that as many are in flight as the link and the store allow.</summary>
    public static RequestCost OfSmallObject => First(0);

    /// <summary>Gets the cost of a request for one part of many.</summary>
    /// <param name="bytes">The number of bytes in the part.</param>
    /// <param name="isHead">Whether a reader waits for this part.</param>
    public static RequestCost Part(long bytes, bool isHead = false) => new(isHead ? RequestClass.Head : RequestClass.Part, Math.Max(MinBytes, bytes));
}
