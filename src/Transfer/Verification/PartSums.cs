using Transfer.S3.Integrity;

namespace Transfer.S3.Verification;

/// <summary>The checksums of an object's parts, of which those that were fetched completely are compared.</summary>
/// <remarks>A part whose ends aren't ends of cells of the <see cref="ContentSums"/> is never compared.</remarks>
internal sealed class PartSums
{
    private readonly Lock _gate = new();
    private readonly Part[] _parts;
    private long _verifiedBytes;

    /// <param name="parts">The length and the checksum of each part, in order.</param>
    public PartSums(IReadOnlyList<(long Length, StoredChecksum? Checksum)> parts)
    {
        _parts = new Part[parts.Count];
        long offset = 0;
        for (int i = 0; i < _parts.Length; i++)
        {
            (long length, StoredChecksum? checksum) = parts[i];
            _parts[i] = new Part(offset, offset + length, checksum);
            offset += length;
        }
    }

    /// <summary>Gets the number of bytes in the parts that match their checksums.</summary>
    public long VerifiedBytes => Volatile.Read(ref _verifiedBytes);

    /// <summary>Compares the parts in a range that were fetched completely and weren't compared before.</summary>
    /// <param name="sums">What was fetched.</param>
    /// <param name="from">The offset of the first byte of the range.</param>
    /// <param name="end">The offset after the last byte of the range.</param>
    /// <returns>The number of the first part that doesn't match, its checksum, and that of its content; null if all match.</returns>
    public (int Number, StoredChecksum Expected, string Actual)? Compare(ContentSums sums, long from, long end)
    {
        lock (_gate)
        {
            for (int i = FindFirst(from); i < _parts.Length && _parts[i].Offset < end; i++)
            {
                Part part = _parts[i];
                if (part is { IsVerified: false, Expected: { } expected } && part.Append(sums)?.ToBase64(expected.Algorithm) is { } actual)
                {
                    if (actual != expected.Value)
                    {
                        return (i + 1, expected, actual);
                    }

                    part.IsVerified = true;
                    Volatile.Write(ref _verifiedBytes, _verifiedBytes + part.End - part.Offset);
                }
            }
        }

        return null;
    }

    /// <summary>Gets the index of the first part that ends after an offset.</summary>
    private int FindFirst(long offset)
    {
        int low = 0;
        for (int high = _parts.Length; low < high;)
        {
            int middle = (low + high) / 2;
            (low, high) = _parts[middle].End <= offset ? (middle + 1, high) : (low, middle);
        }

        return low;
    }

    private sealed class Part(long offset, long end, StoredChecksum? expected)
    {
        private CrcSet _sum = new(CrcSet.Kinds.All); // of the cells up to the first one that isn't complete

        public long Offset => offset;

        public long End => end;

        public StoredChecksum? Expected => expected;

        public bool IsVerified { get; set; }

        /// <summary>Appends the cells that are complete now.</summary>
        /// <returns>The CRCs of the part; null if some of it wasn't fetched.</returns>
        public CrcSet? Append(ContentSums sums)
        {
            while (offset + _sum.Length < end && sums.GetCell(offset + _sum.Length) is { } cell)
            {
                _sum = _sum.Then(cell);
            }

            return offset + _sum.Length == end ? _sum : null;
        }
    }
}
