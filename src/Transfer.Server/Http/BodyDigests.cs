using System.Buffers;
using System.Security.Cryptography;
using Transfer.S3.Server.Checksums;

namespace Transfer.S3.Server.Http;

/// <summary>Computes all digests of a body as it is received.</summary>
internal sealed class BodyDigests : IDisposable
{
    private readonly IncrementalHash? _md5;
    private readonly IncrementalHash? _sha256;
    private readonly (ChecksumAlgorithm Algorithm, RunningChecksum Sum)[] _checksums;

    public BodyDigests(bool md5, bool sha256, IEnumerable<ChecksumAlgorithm> checksums)
    {
#pragma warning disable CA5351 // S3 ETags are MD5s; they aren't used for security
        _md5 = md5 ? IncrementalHash.CreateHash(HashAlgorithmName.MD5) : null;
#pragma warning restore CA5351
        _sha256 = sha256 ? IncrementalHash.CreateHash(HashAlgorithmName.SHA256) : null;
        _checksums = [.. checksums.Distinct().Select(static algorithm => (algorithm, ChecksumInfo.Get(algorithm).Begin()))];
    }

    /// <summary>Gets the MD5; null if it wasn't requested.</summary>
    public byte[]? Md5 { get; private set; }

    /// <summary>Gets the SHA-256 in lower-case hexadecimal digits; null if it wasn't requested.</summary>
    public string? Sha256 { get; private set; }

    public IReadOnlyList<ChecksumValue> Checksums { get; private set; } = [];

    public void Append(ReadOnlySequence<byte> bytes)
    {
        foreach (ReadOnlyMemory<byte> segment in bytes)
        {
            Append(segment.Span);
        }
    }

    public void Append(ReadOnlySpan<byte> bytes)
    {
        _md5?.AppendData(bytes);
        _sha256?.AppendData(bytes);
        foreach ((_, RunningChecksum sum) in _checksums)
        {
            sum.Append(bytes);
        }
    }

    public void Finish()
    {
        Md5 = _md5?.GetHashAndReset();
        Sha256 = _sha256 is null ? null : Convert.ToHexStringLower(_sha256.GetHashAndReset());
        Checksums = [.. _checksums.Select(static checksum => new ChecksumValue(checksum.Algorithm, checksum.Sum.Finish()))];
    }

    public string GetChecksum(ChecksumAlgorithm algorithm) => Checksums.First(checksum => checksum.Algorithm == algorithm).Value;

    public void Dispose()
    {
        _md5?.Dispose();
        _sha256?.Dispose();
        foreach ((_, RunningChecksum sum) in _checksums)
        {
            sum.Dispose();
        }
    }
}
