namespace Transfer.S3.Ranges;

/// <summary>A requested range whose place in the object is known.</summary>
/// <param name="Index">The index of the range in the caller's list.</param>
/// <param name="Offset">The offset of the first byte in the object.</param>
/// <param name="Length">The number of bytes, 1 or more.</param>
internal readonly record struct PlacedRange(int Index, long Offset, long Length)
{
    /// <summary>Gets the offset of the byte after the last.</summary>
    public long End => Offset + Length;
}
