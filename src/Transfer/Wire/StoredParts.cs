namespace Transfer.S3.Wire;

/// <summary>The parts in which an object was stored. All have the same length except the last, which can be shorter.</summary>
internal sealed record StoredParts(long LengthBytes)
{
    /// <summary>Reads the response to a HEAD request for the first part; null if it doesn't show parts of the same length.</summary>
    /// <param name="contentRange">
    /// The Content-Range header, which contains the lengths of the part and the object. Without it, the meaning of the length isn't certain.
    /// </param>
    /// <param name="count">The number of parts in the response, if any.</param>
    public static StoredParts? Parse(string? contentRange, int? count)
    {
        if (count is not > 1 || !ReceivedRange.TryParse(contentRange, out ReceivedRange first) || first.Offset != 0)
        {
            return null;
        }

        (long whole, long rest) = Math.DivRem(first.Total, first.Length);
        return whole + (rest > 0 ? 1 : 0) == count ? new StoredParts(first.Length) : null;
    }
}
