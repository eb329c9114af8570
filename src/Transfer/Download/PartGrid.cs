namespace Transfer.Download;

/// <summary>Where the parts of a download end. Offsets count from the first byte that is wanted.</summary>
/// <param name="PartSizeBytes">From one end to the next.</param>
/// <param name="IsStored">Whether the parts are those in which the object was stored, which the first of its bytes begins.</param>
/// <param name="Origin">The byte of the object that offset 0 stands for.</param>
internal readonly record struct PartGrid(long PartSizeBytes, bool IsStored, long Origin)
{
    /// <summary>A rest smaller than this part of a part is not worth a request of its own.</summary>
    private const int SliverFraction = 8;

    /// <summary>What would be a smaller part at the end goes with the one before, unless the parts are the store's.</summary>
    public long SmallestPartBytes => IsStored ? 0 : PartSizeBytes / SliverFraction;

    // Where the grid begins before the first byte that is wanted.
    private long Shift => IsStored ? Origin % PartSizeBytes : 0;

    /// <summary>Where the part ends that has the byte at the offset. Parts keep to the grid also after one that little memory made smaller.</summary>
    public long EndOf(long offset) => ((((offset + Shift) / PartSizeBytes) + 1) * PartSizeBytes) - Shift;

    /// <summary>How many parts the bytes from the offset on will be.</summary>
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
