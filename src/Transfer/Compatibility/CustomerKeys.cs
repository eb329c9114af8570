using Amazon.S3;

namespace Transfer.Compatibility;

/// <summary>The keys of customers' own in the AWS SDK's requests: a method, a key and its digest, all of them texts.</summary>
internal static class CustomerKeys
{
    /// <summary>Reads what a request says of a key.</summary>
    /// <param name="method">The method; the only one there is encrypts with AES-256.</param>
    /// <param name="key">The key in base64.</param>
    /// <param name="md5">Its digest, which the SDK computes where it is missing.</param>
    /// <param name="result">The key; null where the request has none.</param>
    /// <returns>Whether it is none, or one of ours. Of any other, the SDK and the store say what is wrong with it.</returns>
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
