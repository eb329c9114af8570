namespace Transfer.S3.Verification;

/// <summary>The checksums of an object's parts, of which those that were fetched completely are compared.</summary>
/// <param name="parts">The length and the checksum of each part, in order.</param>
internal sealed class PartSums(IReadOnlyList<(long Length, StoredChecksum? Checksum)> parts)
{
    private readonly Lock _gate = new();
    private readonly bool[] _isVerified = new bool[parts.Count];

    /// <summary>Gets the number of bytes in the parts that match their checksums.</summary>
    public long VerifiedBytes { get; private set; }

    /// <summary>Compares the parts in a range that were fetched completely and weren't compared before.</summary>
    /// <param name="sums">What was fetched.</param>
    /// <param name="from">The offset of the first byte of the range.</param>
    /// <param name="end">The offset after the last byte of the range.</param>
    /// <returns>The number of the first part that doesn't match, its checksum, and that of its content; null if all match.</returns>
    public (int Number, StoredChecksum Expected, string Actual)? Compare(ContentSums sums, long from, long end)
    {
        lock (_gate)
        {
            long offset = 0;
            for (int i = 0; i < parts.Count && offset < end; i++)
            {
                (long length, StoredChecksum? expected) = parts[i];
                if (offset + length > from && !_isVerified[i] && expected is not null && sums.Between(offset, offset + length)?.ToBase64(expected.Algorithm) is { } actual)
                {
                    if (actual != expected.Value)
                    {
                        return (i + 1, expected, actual);
                    }

                    _isVerified[i] = true;
                    VerifiedBytes += length;
                }

                offset += length;
            }
        }

        return null;
    }
}
