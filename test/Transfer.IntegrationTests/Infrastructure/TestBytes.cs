using System.Security.Cryptography;

namespace Transfer.S3.IntegrationTests.Infrastructure;

/// <summary>Creates pseudorandom bytes that are the same in every run.</summary>
internal static class TestBytes
{
    public static byte[] Create(int length, int seed = 1)
    {
        byte[] bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

#pragma warning disable CA5351 // the ETags of S3 are MD5s
    /// <summary>Returns the ETag of a single-part object, with its quotes.</summary>
    public static string ETag(byte[] data) => $"\"{Convert.ToHexStringLower(MD5.HashData(data))}\"";

    /// <summary>Returns the ETag of a multipart object, with its quotes.</summary>
    public static string ETag(params IReadOnlyCollection<byte[]> parts) =>
        $"\"{Convert.ToHexStringLower(MD5.HashData([.. parts.SelectMany(MD5.HashData)]))}-{parts.Count}\"";
#pragma warning restore CA5351
}
