using System.Security.Cryptography;

namespace Transfer;

/// <summary>
/// A key of the caller's own that the store encrypts an object with and does not keep (SSE-C, Amazon S3 User Guide, "Using server-side encryption
/// with customer-provided keys"): who reads the object must bring it again.
/// </summary>
/// <remarks>
/// The key is shown by no member and no message. It goes out with every request for the object, so it is refused over plain http to anything but this
/// machine itself.
/// </remarks>
public sealed class CustomerKey
{
    /// <summary>The length of a key in bytes: the one algorithm is AES-256.</summary>
    public const int LengthBytes = 32;

    /// <summary>Takes a key; its bytes are copied.</summary>
    /// <param name="key">The key, of <see cref="LengthBytes"/> bytes.</param>
    /// <exception cref="ArgumentException">The key has another length.</exception>
    public CustomerKey(ReadOnlySpan<byte> key)
    {
        if (key.Length != LengthBytes)
        {
            throw new ArgumentException($"A customer key has {LengthBytes} bytes; this one has {key.Length}.", nameof(key));
        }

        Base64 = Convert.ToBase64String(key);
#pragma warning disable CA5351 // the store wants it to find a key that was damaged on the way; it protects nothing
        Base64Md5 = Convert.ToBase64String(MD5.HashData(key));
#pragma warning restore CA5351
    }

    /// <summary>The algorithm's name as S3 takes it.</summary>
    internal static string Algorithm => "AES256";

    internal string Base64 { get; }

    internal string Base64Md5 { get; }

    /// <summary>Takes a key in base64.</summary>
    /// <param name="text">The text of <see cref="LengthBytes"/> bytes.</param>
    /// <returns>The key.</returns>
    /// <exception cref="ArgumentException">The text is no base64, or of another length. The message does not show it.</exception>
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

    /// <summary>Says that there is a key, and nothing of it.</summary>
    /// <returns>A fixed text.</returns>
    public override string ToString() => "customer key (not shown)";
}
