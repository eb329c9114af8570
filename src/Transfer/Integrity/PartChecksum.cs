namespace Transfer.S3.Integrity;

/// <summary>Computes the checksum of a part, with any algorithm.</summary>
internal sealed class PartChecksum : IDisposable
{
    private readonly ContentHash? _hash;
    private CrcSet _crc;
    private byte[]? _digest;

    public PartChecksum(ChecksumAlgorithm algorithm)
    {
        Algorithm = algorithm;
        ChecksumEntry? entry = ChecksumTable.Find(algorithm);
        _crc = new CrcSet(entry?.Crc ?? CrcSet.Kinds.None);
        _hash = entry?.BeginHash?.Invoke();
    }

    public ChecksumAlgorithm Algorithm { get; }

    public ref readonly CrcSet Crc => ref _crc;

    /// <summary>Gets the digest; null if the algorithm isn't a hash. Nothing can be appended afterward.</summary>
    public byte[]? Digest => _digest ??= _hash?.Finish();

    public void Append(ReadOnlySpan<byte> data)
    {
        _crc.Append(data);
        _hash?.Append(data);
    }

    /// <summary>Appends a block by its CRCs. It has no effect if the algorithm is a hash.</summary>
    public void Append(in CrcSet block) => _crc = _crc.Then(block);

    /// <summary>Gets the checksum as S3 uses it; null if none is needed.</summary>
    public string? ToBase64() => Digest is { } digest ? Convert.ToBase64String(digest) : _crc.ToBase64(Algorithm);

    /// <summary>Gets the value, to keep it longer than the part.</summary>
    public PartChecksumValue ToValue() => new(Algorithm, Crc, Digest);

    /// <summary>Parses the result of <see cref="ToBase64"/>.</summary>
    /// <param name="algorithm">The algorithm.</param>
    /// <param name="text">The checksum; null if none was computed.</param>
    /// <param name="length">The number of bytes that it was computed over.</param>
    /// <returns>Null if it isn't a checksum of this algorithm.</returns>
    public static PartChecksumValue? TryParse(ChecksumAlgorithm algorithm, string? text, long length)
    {
        if (ChecksumTable.Find(algorithm) is not { } entry || text is null)
        {
            return null;
        }

        if (entry.Crc != CrcSet.Kinds.None)
        {
            return CrcSet.TryParse(algorithm, text, length) is { } crc ? new PartChecksumValue(algorithm, crc, null) : null;
        }

        byte[] digest = new byte[entry.Bytes];
        return Convert.TryFromBase64String(text, digest, out int written) && written == entry.Bytes
            ? new PartChecksumValue(algorithm, CrcSet.Unknown(length), digest)
            : null;
    }

    public void Dispose() => _hash?.Dispose();
}
