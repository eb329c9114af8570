namespace Transfer.Wire;

/// <summary>The parts in which an object was stored: all of one length, but for a shorter last one.</summary>
internal readonly record struct StoredParts(long LengthBytes)
{
    /// <summary>Reads the answer to a HEAD of the first part; null where it does not show parts of one length.</summary>
    /// <param name="contentRange">Its Content-Range, which says how long the part and the object are. Stores that leave it out may mean anything by the length.</param>
    /// <param name="count">How many parts there are, where the store tells.</param>
    public static StoredParts? Of(string? contentRange, int? count)
    {
        if (count is not > 1 || !ContentRange.TryParse(contentRange, out ContentRange first) || first.First != 0)
        {
            return null;
        }

        long length = first.Last + 1;
        (long whole, long rest) = Math.DivRem(first.Total, length);
        return whole + (rest > 0 ? 1 : 0) == count ? new StoredParts(length) : null;
    }
}
