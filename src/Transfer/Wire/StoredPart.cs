namespace Transfer.Wire;

/// <summary>Where one part of a stored object is in it.</summary>
/// <param name="Offset">Its first byte.</param>
/// <param name="Length">Its length in bytes.</param>
/// <param name="Total">The object's length in bytes.</param>
/// <param name="Count">How many parts the object has; null where the store does not tell.</param>
internal readonly record struct StoredPart(long Offset, long Length, long Total, int? Count)
{
    /// <summary>Reads the answer to a HEAD of a part. Stores that leave Content-Range out may mean anything by the length.</summary>
    /// <param name="contentRange">Its Content-Range, if any.</param>
    /// <param name="count">How many parts it says that there are.</param>
    /// <param name="etag">Its entity tag.</param>
    /// <param name="wanted">The one that the object was to have.</param>
    public static StoredPart? Of(string? contentRange, int? count, string? etag, string? wanted)
        => !ETags.AreSame(etag, wanted) ? throw new WireException(FailureKind.PreconditionFailed, $"the store does not read If-Match: it answered with entity tag {etag}")
            : ContentRange.TryParse(contentRange, out ContentRange range) ? new StoredPart(range.First, range.Last - range.First + 1, range.Total, count) : null;
}
