using System.IO.Hashing;
using System.Security.Cryptography;

#pragma warning disable CA5350, CA5351 // S3's checksums and ETags are based on them

namespace Transfer.S3.Tests.Verify;

/// <summary>Computes checksums as S3 does, in the simplest way.</summary>
internal static class Sums
{
    public static StoredChecksum Full(ChecksumAlgorithm algorithm, byte[] content) => new() { Algorithm = algorithm, Value = Convert.ToBase64String(Of(algorithm, content)), IsComposite = false };

    public static StoredChecksum Composite(ChecksumAlgorithm algorithm, byte[] content, params int[] parts)
        => new() { Algorithm = algorithm, Value = $"{Convert.ToBase64String(OfParts(algorithm, content, parts))}-{parts.Length}", IsComposite = true };

    public static string Tag(byte[] content) => $"\"{Convert.ToHexStringLower(MD5.HashData(content))}\"";

    public static string Tag(byte[] content, params int[] parts) => $"\"{Convert.ToHexStringLower(OfParts(ChecksumAlgorithm.Md5, content, parts))}-{parts.Length}\"";

    private static byte[] OfParts(ChecksumAlgorithm algorithm, byte[] content, int[] parts)
    {
        List<byte> sums = [];
        int offset = 0;
        foreach (int part in parts)
        {
            sums.AddRange(Of(algorithm, content[offset..(offset + part)]));
            offset += part;
        }

        return Of(algorithm, [.. sums]);
    }

    private static byte[] Of(ChecksumAlgorithm algorithm, byte[] content) => algorithm switch
    {
        ChecksumAlgorithm.Crc64Nvme => Convert.FromBase64String(Crc.Crc64Nvme.ToBase64(Crc.Crc64Nvme.Compute(content))),
        ChecksumAlgorithm.Crc32C => Convert.FromBase64String(Crc.Crc32C.ToBase64(Crc.Crc32C.Compute(content))),
        ChecksumAlgorithm.Crc32 => Convert.FromBase64String(Crc.Crc32.ToBase64(Crc.Crc32.Compute(content))),
        ChecksumAlgorithm.Sha256 => SHA256.HashData(content),
        ChecksumAlgorithm.Sha1 => SHA1.HashData(content),
        ChecksumAlgorithm.Sha512 => SHA512.HashData(content),
        ChecksumAlgorithm.XxHash64 => XxHash64.Hash(content),
        ChecksumAlgorithm.XxHash3 => XxHash3.Hash(content),
        ChecksumAlgorithm.XxHash128 => XxHash128.Hash(content),
        _ => MD5.HashData(content),
    };
}
