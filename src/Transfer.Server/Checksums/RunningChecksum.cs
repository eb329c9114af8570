using System.Security.Cryptography;

namespace Transfer.Server.Checksums;

/// <summary>Computes a checksum incrementally.</summary>
internal sealed class RunningChecksum : IDisposable
{
    private readonly Crc64Nvme? _crc64;
    private readonly Crc32? _crc32;
    private readonly Crc32C? _crc32C;
    private readonly IncrementalHash? _hash;

    public RunningChecksum(ChecksumKind algorithm)
    {
        Algorithm = algorithm;
        switch (algorithm)
        {
            case ChecksumKind.Crc64Nvme:
                _crc64 = new Crc64Nvme();
                break;
            case ChecksumKind.Crc32:
                _crc32 = new Crc32();
                break;
            case ChecksumKind.Crc32C:
                _crc32C = new Crc32C();
                break;
            case ChecksumKind.Sha1:
                _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA1);
                break;
            default:
                _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
                break;
        }
    }

    public ChecksumKind Algorithm { get; }

    public static string Of(ChecksumKind algorithm, ReadOnlySpan<byte> bytes)
    {
        using var checksum = new RunningChecksum(algorithm);
        checksum.Append(bytes);
        return checksum.Finish();
    }

    public void Append(ReadOnlySpan<byte> bytes)
    {
        if (_crc64 is not null)
        {
            _crc64.Append(bytes);
        }
        else if (_crc32 is not null)
        {
            _crc32.Append(bytes);
        }
        else if (_crc32C is not null)
        {
            _crc32C.Append(bytes);
        }
        else
        {
            _hash!.AppendData(bytes);
        }
    }

    /// <summary>Returns the value as S3 sends it: the base64 of the bytes in big-endian order.</summary>
    public string Finish() => Algorithm switch
    {
        ChecksumKind.Crc64Nvme => Crc64Nvme.ToBase64(_crc64!.Value),
        ChecksumKind.Crc32 => Crc32.ToBase64(_crc32!.Value),
        ChecksumKind.Crc32C => Crc32C.ToBase64(_crc32C!.Value),
        _ => Convert.ToBase64String(_hash!.GetHashAndReset()),
    };

    public void Dispose() => _hash?.Dispose();
}
