using System.Security.Cryptography;

namespace Transfer.Integrity;

/// <summary>The checksum of some bytes, one part of an upload for example, by any algorithm.</summary>
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

    /// <summary>The digest, where the algorithm makes one. Nothing can be appended after it was asked for.</summary>
    public byte[]? Digest => _digest ??= _hash?.GetHashAndReset();

    public void Append(ReadOnlySpan<byte> data)
    {
        _crc.Append(data);
        _hash?.AppendData(data);
    }

    /// <summary>Takes in a stretch of bytes by its CRCs, where the algorithm is one of them.</summary>
    public void Append(in CrcSet block) => _crc = _crc.Then(block);

    /// <summary>The value as S3 takes it; null where none is wanted.</summary>
    public string? ToBase64() => Digest is { } digest ? Convert.ToBase64String(digest) : _crc.ToBase64(Algorithm);

    /// <summary>The value, to be kept when the part is gone.</summary>
    public PartChecksumValue ToValue() => new(Algorithm, Crc, Digest);

    public void Dispose() => _hash?.Dispose();
}
