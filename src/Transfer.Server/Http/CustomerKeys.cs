using System.Security.Cryptography;
using Microsoft.AspNetCore.Http;
using Transfer.Server.Storage;

namespace Transfer.Server.Http;

/// <summary>
/// Keys that clients bring to encrypt an object with (SSE-C). This server keeps the content as it came, and of a key its MD5 alone: who reads the object must
/// bring the same key, as from S3.
/// </summary>
internal static class CustomerKeys
{
    public const string Prefix = "x-amz-server-side-encryption-customer-";

    private const string AlgorithmHeader = Prefix + "algorithm";
    private const string KeyHeader = Prefix + "key";
    private const string Md5Header = Prefix + "key-MD5";
    private const string Algorithm = "AES256";
    private const int KeyBytes = 32;

    /// <summary>The MD5 of the key that a request brings, in base64; null when it brings none.</summary>
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

#pragma warning disable CA5351 // S3 has it so; it finds a damaged key and protects nothing
        string computed = Convert.ToBase64String(MD5.HashData(bytes));
#pragma warning restore CA5351
        return computed == md5
            ? computed
            : throw S3Errors.InvalidArgument("The calculated MD5 hash of the key did not match the hash that was provided.", Md5Header, md5);
    }

    /// <summary>Refuses a read that does not bring the object's key, or brings one for an object that has none.</summary>
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

    /// <summary>Refuses a part whose key is not its upload's.</summary>
    public static void CheckPart(S3Exchange exchange, ObjectAttributes upload)
    {
        if (Read(exchange.Http.Request.Headers) != upload.CustomerKeyMd5)
        {
            throw S3Errors.InvalidRequest("The provided encryption parameters did not match the ones used originally.");
        }

        WriteTo(exchange.Http.Response.Headers, upload);
    }

    /// <summary>Refuses to copy what can't be read without a key: copies bring none here.</summary>
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
