using System.Security.Cryptography;

namespace Transfer.IntegrationTests.Infrastructure;

/// <summary>Bytes that look random and are the same on every run.</summary>
internal static class TestBytes
{
    public static byte[] Create(int length, int seed = 1)
    {
        byte[] bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

#pragma warning disable CA5351 // S3 says what an ETag is
    /// <summary>The ETag of an object that came in one request, with its quotes.</summary>
    public static string ETag(byte[] data) => $"\"{Convert.ToHexStringLower(MD5.HashData(data))}\"";

    /// <summary>The ETag of an object that came in parts, with its quotes.</summary>
    public static string ETag(params IReadOnlyCollection<byte[]> parts) =>
        $"\"{Convert.ToHexStringLower(MD5.HashData([.. parts.SelectMany(MD5.HashData)]))}-{parts.Count}\"";
#pragma warning restore CA5351
}
