namespace Transfer.S3.Wire;

/// <summary>The range of one part of an object.</summary>
/// <param name="Offset">The offset of the first byte.</param>
/// <param name="Length">The length, in bytes.</param>
/// <param name="Total">The size of the object, in bytes.</param>
/// <param name="Count">The number of parts of the object; null if the store doesn't return it.</param>
internal sealed record StoredPart(long Offset, long Length, long Total, int? Count)
{
    /// <summary>Reads the response to a HEAD request for a part. Without Content-Range, the meaning of the length isn't certain.</summary>
    /// <param name="contentRange">The Content-Range header, if any.</param>
    /// <param name="count">The number of parts in the response, if any.</param>
    /// <param name="etag">The ETag.</param>
    /// <param name="wanted">The expected ETag.</param>
    public static StoredPart? Parse(string? contentRange, int? count, string? etag, string? wanted)
        => !ETags.AreSame(etag, wanted) ? throw new WireException(FailureKind.PreconditionFailed, $"the store ignores If-Match: it returned the ETag {etag}")
            : ReceivedRange.TryParse(contentRange, out ReceivedRange range) ? new StoredPart(range.Offset, range.Length, range.Total, count) : null;
}
