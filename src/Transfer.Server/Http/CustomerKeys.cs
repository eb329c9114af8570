using System.Security.Cryptography;
using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Http;

/// <summary>
/// Handles customer-provided encryption keys (SSE-C). The server doesn't encrypt the content and stores only the MD5 of the key. As in S3, a request
/// that reads the object must contain the same key.
/// </summary>
internal static class CustomerKeys
{
    public const string Prefix = "x-amz-server-side-encryption-customer-";

    private const string AlgorithmHeader = Prefix + "algorithm";
    private const string KeyHeader = Prefix + "key";
    private const string Md5Header = Prefix + "key-MD5";
    private const string Algorithm = "AES256";
    private const int KeyBytes = 32;

    /// <summary>Gets the MD5 of the key in a request, in base64; null if the request contains no key.</summary>
    public static string? Read(IHeaderDictionary headers)
    {
        string algorithm = headers[AlgorithmHeader].ToString();
        string key = headers[KeyHeader].ToString();
        string md5 = headers[Md5Header].ToString();
        if (algorithm.Length == 0 && key.Length == 0 && md5.Length == 0)
        {
            return null;
        }

        if (algorithm != Algorithm)
        {
            throw S3Errors.InvalidArgument("Requests specifying Server Side Encryption with Customer provided keys must provide a valid encryption algorithm.", AlgorithmHeader, algorithm);
        }

        byte[] bytes = new byte[KeyBytes];
        if (!Convert.TryFromBase64String(key, bytes, out int count) || count != KeyBytes)
        {
            throw S3Errors.InvalidArgument("The secret key was invalid for the specified algorithm.", KeyHeader, value: null);
        }

#pragma warning disable CA5351 // S3 requires an MD5; it detects a damaged key and isn't used for security
        string computed = Convert.ToBase64String(MD5.HashData(bytes));
#pragma warning restore CA5351
        return computed == md5
            ? computed
            : throw S3Errors.InvalidArgument("The calculated MD5 hash of the key did not match the hash that was provided.", Md5Header, md5);
    }

    /// <summary>Rejects a read that doesn't contain the key of the object, or that contains a key for an object without one.</summary>
    public static void CheckRead(S3Exchange exchange, ObjectAttributes stored)
    {
        string? given = Read(exchange.Http.Request.Headers);
        if (given == stored.CustomerKeyMd5)
        {
            WriteTo(exchange.Http.Response.Headers, stored);
            return;
        }

        throw stored.CustomerKeyMd5 is null ? S3Errors.InvalidRequest("The encryption parameters are not applicable to this object.")
            : given is null ? KeyMissing()
            : S3Errors.AccessDenied();
    }

    /// <summary>Rejects a part with a key other than that of the upload.</summary>
    public static void CheckPart(S3Exchange exchange, ObjectAttributes upload)
    {
        if (Read(exchange.Http.Request.Headers) != upload.CustomerKeyMd5)
        {
            throw S3Errors.InvalidRequest("The provided encryption parameters did not match the ones used originally.");
        }

        WriteTo(exchange.Http.Response.Headers, upload);
    }

    /// <summary>Rejects a copy of an object with a customer-provided key, because keys for copy sources aren't supported.</summary>
    public static void CheckCopySource(ObjectAttributes source)
    {
        if (source.CustomerKeyMd5 is not null)
        {
            throw KeyMissing();
        }
    }

    public static void WriteTo(IHeaderDictionary answer, ObjectAttributes stored)
    {
        if (stored.CustomerKeyMd5 is { } md5)
        {
            answer[AlgorithmHeader] = Algorithm;
            answer[Md5Header] = md5;
        }
    }

    private static S3Exception KeyMissing() => S3Errors.InvalidRequest(
        "The object was stored using a form of Server Side Encryption. The correct parameters must be provided to retrieve the object.");
}
