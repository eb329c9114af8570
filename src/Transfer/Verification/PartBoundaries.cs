namespace Transfer.S3.Verification;

/// <summary>The boundaries of the parts of a download. Offsets are relative to the first wanted byte.</summary>
/// <param name="PartSizeBytes">The distance between two boundaries.</param>
/// <param name="IsStored">Whether the parts are those in which the object was stored. The first one begins at the first byte of the object.</param>
/// <param name="Origin">The position in the object of offset 0.</param>
internal readonly record struct PartBoundaries(long PartSizeBytes, bool IsStored, long Origin)
{
    /// <summary>A remainder that is smaller than this fraction of a part isn't worth a separate request.</summary>
    private const int SliverFraction = 8;

    /// <summary>Gets the minimum length of the last part. A smaller one is merged with the part before, unless the parts are the stored ones.</summary>
    public long SmallestPartBytes => IsStored ? 0 : PartSizeBytes / SliverFraction;

    // The distance from the boundary before the first wanted byte.
    private long Shift => IsStored ? Origin % PartSizeBytes : 0;

    /// <summary>
    /// Gets the end of the part that contains an offset. Parts keep to the boundaries even after one that was shortened for lack of memory.
    /// </summary>
    public long GetEnd(long offset) => ((((offset + Shift) / PartSizeBytes) + 1) * PartSizeBytes) - Shift;

    /// <summary>Gets the number of parts from an offset to the end.</summary>
    public int CountFrom(long offset, long length)
    {
        if (offset >= length)
        {
            return 0;
        }

        long parts = ((length - 1 + Shift) / PartSizeBytes) - ((offset + Shift) / PartSizeBytes) + 1;
        long sliver = (length + Shift) % PartSizeBytes;
        return (int)(parts > 1 && sliver > 0 && sliver < SmallestPartBytes ? parts - 1 : parts);
    }
}
