using System.Security.Cryptography;

namespace Transfer.Integrity;

/// <summary>The checksum of one part of an upload, by any algorithm.</summary>
internal sealed class PartChecksum : IDisposable
{
    private readonly ChecksumAlgorithm _algorithm;
    private readonly IncrementalHash? _sha256;
    private CrcSet _crc;
    private byte[]? _digest;

    public PartChecksum(ChecksumAlgorithm algorithm)
    {
        _algorithm = algorithm;
        _crc = new CrcSet(CrcSet.KindOf(algorithm));
        _sha256 = algorithm == ChecksumAlgorithm.Sha256 ? IncrementalHash.CreateHash(HashAlgorithmName.SHA256) : null;
    }

    public ref readonly CrcSet Crc => ref _crc;

    /// <summary>The digest, where the algorithm makes one. Nothing can be appended after it was asked for.</summary>
    public byte[]? Digest => _digest ??= _sha256?.GetHashAndReset();

    public void Append(ReadOnlySpan<byte> data)
    {
        _crc.Append(data);
        _sha256?.AppendData(data);
    }

    /// <summary>The value as S3 takes it; null where none is wanted.</summary>
    public string? ToBase64() => Digest is { } digest ? Convert.ToBase64String(digest) : _crc.ToBase64(_algorithm);

    public void Dispose() => _sha256?.Dispose();
}
