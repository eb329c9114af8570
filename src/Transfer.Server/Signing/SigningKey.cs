using System.Security.Cryptography;
using System.Text;

namespace Transfer.S3.Server.Signing;

/// <summary>The signing key for a secret, date, region, and service.</summary>
internal sealed class SigningKey
{
    private readonly byte[] _key;

    public SigningKey(string secret, string date, string region, string service)
    {
        byte[] key = Hmac(Encoding.UTF8.GetBytes("AWS4" + secret), date);
        key = Hmac(key, region);
        key = Hmac(key, service);
        _key = Hmac(key, "aws4_request");
    }

    public string Sign(string text) => Convert.ToHexStringLower(Hmac(_key, text));

    public static string StringToSign(string timestamp, string scope, string canonicalRequest) =>
        $"{SignatureClaim.Algorithm}\n{timestamp}\n{scope}\n{Sha256Hex(Encoding.UTF8.GetBytes(canonicalRequest))}";

    public static string Sha256Hex(ReadOnlySpan<byte> bytes) => Convert.ToHexStringLower(SHA256.HashData(bytes));

    /// <summary>Compares two signatures in constant time.</summary>
    public static bool AreEqual(string computed, string claimed) =>
        CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(computed), Encoding.UTF8.GetBytes(claimed));

    private static byte[] Hmac(byte[] key, string text) => HMACSHA256.HashData(key, Encoding.UTF8.GetBytes(text));
}
