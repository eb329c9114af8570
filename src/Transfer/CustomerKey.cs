using System.Security.Cryptography;

namespace Transfer.S3;

/// <summary>
/// A customer-provided key for server-side encryption (SSE-C; Amazon S3 User Guide, "Using server-side encryption with customer-provided keys"). The store encrypts
/// an object with the key but doesn't keep it, so the same key is needed to read the object.
/// </summary>
/// <remarks>
/// No member and no message contains the key. It is sent with every request for the object. Requests with a key are sent only over HTTPS or to this machine.
/// </remarks>
/// <example>
/// <code>
/// CustomerKey key = CustomerKey.FromBase64(Environment.GetEnvironmentVariable("REPORT_KEY")!);
/// await client.UploadAsync("report.csv", "bucket", "report.csv", new UploadOptions { CustomerKey = key });
/// await client.DownloadAsync("bucket", "report.csv", "copy-of-report.csv", new DownloadOptions { CustomerKey = key });
/// </code>
/// </example>
public sealed class CustomerKey
{
    /// <summary>The length of a key, in bytes. The only supported algorithm is AES-256.</summary>
    public const int LengthBytes = 32;

    /// <summary>Initializes a new instance of the <see cref="CustomerKey"/> class with a copy of a key.</summary>
    /// <param name="key">The key, of <see cref="LengthBytes"/> bytes.</param>
    /// <exception cref="ArgumentException">Thrown when the key has another length.</exception>
    public CustomerKey(ReadOnlySpan<byte> key)
    {
        if (key.Length != LengthBytes)
        {
            throw new ArgumentException($"A customer key has {LengthBytes} bytes; this one has {key.Length}.", nameof(key));
        }

        Base64 = Convert.ToBase64String(key);
#pragma warning disable CA5351 // S3 requires an MD5 to detect a damaged key; it isn't used for security
        Base64Md5 = Convert.ToBase64String(MD5.HashData(key));
#pragma warning restore CA5351
    }

    /// <summary>Gets the name of the algorithm in S3.</summary>
    internal static string Algorithm => "AES256";

    internal string Base64 { get; }

    internal string Base64Md5 { get; }

    /// <summary>Creates a key from its base64 representation.</summary>
    /// <param name="text">The base64 representation of <see cref="LengthBytes"/> bytes.</param>
    /// <returns>The key.</returns>
    /// <exception cref="ArgumentException">
    /// Thrown when the text isn't valid base64, or when the key has another length. The message doesn't contain the text.
    /// </exception>
    public static CustomerKey FromBase64(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        byte[] bytes = new byte[text.Length];
        try
        {
            return Convert.TryFromBase64String(text, bytes, out int count)
                ? new CustomerKey(bytes.AsSpan(0, count))
                : throw new ArgumentException("The customer key is not valid base64.", nameof(text));
        }
        finally
        {
            CryptographicOperations.ZeroMemory(bytes);
        }
    }

    /// <summary>Returns a fixed text that doesn't contain the key.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => "customer key (not shown)";
}
