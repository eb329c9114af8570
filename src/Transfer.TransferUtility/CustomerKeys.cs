using Amazon.S3;

namespace Transfer.S3.TransferUtility;

/// <summary>Reads customer-provided keys from the AWS SDK's requests, which contain a method, a key, and its digest as text.</summary>
internal static class CustomerKeys
{
    /// <summary>Reads the key of a request.</summary>
    /// <param name="method">The method. The only one encrypts with AES-256.</param>
    /// <param name="key">The key in base64.</param>
    /// <param name="md5">The digest of the key, which the SDK computes if it is missing.</param>
    /// <param name="result">The key; null if the request has none.</param>
    /// <returns>Whether the request has no key or a valid one. Otherwise, the SDK and the store report the error.</returns>
    public static bool TryRead(ServerSideEncryptionCustomerMethod? method, string? key, string? md5, out CustomerKey? result)
    {
        result = null;
        if (string.IsNullOrEmpty(key))
        {
            return string.IsNullOrEmpty(method?.Value) && string.IsNullOrEmpty(md5);
        }

        try
        {
            result = CustomerKey.FromBase64(key);
        }
        catch (ArgumentException)
        {
            return false;
        }

        return method == ServerSideEncryptionCustomerMethod.AES256 && (string.IsNullOrEmpty(md5) || md5 == result.Base64Md5);
    }
}
