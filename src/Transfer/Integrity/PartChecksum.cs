using System.Security.Cryptography;

namespace Transfer.Integrity;

/// <summary>Computes the checksum of a part, with any algorithm.</summary>
internal sealed class PartChecksum : IDisposable
{
    private readonly IncrementalHash? _hash;
    private CrcSet _crc;
    private byte[]? _digest;

    public PartChecksum(ChecksumAlgorithm algorithm)
    {
        Algorithm = algorithm;
        _crc = new CrcSet(CrcSet.KindOf(algorithm));
        _hash = algorithm switch
        {
            ChecksumAlgorithm.Sha256 => IncrementalHash.CreateHash(HashAlgorithmName.SHA256),
            ChecksumAlgorithm.Sha1 => IncrementalHash.CreateHash(HashAlgorithmName.SHA1),
            ChecksumAlgorithm.Md5 => IncrementalHash.CreateHash(HashAlgorithmName.MD5),
            _ => null,
        };
    }

    public ChecksumAlgorithm Algorithm { get; }

    public ref readonly CrcSet Crc => ref _crc;

    /// <summary>Gets the digest; null if the algorithm isn't a hash. Nothing can be appended afterward.</summary>
    public byte[]? Digest => _digest ??= _hash?.GetHashAndReset();

    public void Append(ReadOnlySpan<byte> data)
    {
        _crc.Append(data);
        _hash?.AppendData(data);
    }

    /// <summary>Appends a block by its CRCs. It has no effect if the algorithm is a hash.</summary>
    public void Append(in CrcSet block) => _crc = _crc.Then(block);

    /// <summary>Gets the checksum as S3 uses it; null if none is needed.</summary>
    public string? ToBase64() => Digest is { } digest ? Convert.ToBase64String(digest) : _crc.ToBase64(Algorithm);

    /// <summary>Gets the value, to keep it longer than the part.</summary>
    public PartChecksumValue ToValue() => new(Algorithm, Crc, Digest);

    public void Dispose() => _hash?.Dispose();
}
