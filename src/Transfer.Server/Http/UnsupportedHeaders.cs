using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Acls;

namespace Transfer.S3.Server.Http;

/// <summary>Rejects headers that request unsupported features. If they were ignored, the request would appear to have succeeded.</summary>
internal static class UnsupportedHeaders
{
    private const string Encryption = "x-amz-server-side-encryption";

    private static readonly string[] Prefixes =
    [
        Encryption + "-", "x-amz-copy-source-server-side-encryption-", "x-amz-write-offset-bytes",
        "x-amz-website-redirect-location", "x-amz-if-match-", "x-amz-mfa",
    ];

    public static void ThrowIfAny(IHeaderDictionary headers, bool takesCustomerKey = false, bool takesAcl = false)
    {
        foreach (string name in headers.Keys)
        {
            if (!name.StartsWith("x-amz-", StringComparison.OrdinalIgnoreCase))
            {
                continue;
            }

            if (takesCustomerKey && name.StartsWith(CustomerKeys.Prefix, StringComparison.OrdinalIgnoreCase))
            {
                continue;
            }

            if (Array.Exists(Prefixes, prefix => name.StartsWith(prefix, StringComparison.OrdinalIgnoreCase)))
            {
                throw S3Errors.NotImplemented(name);
            }

            if (name.StartsWith("x-amz-grant-", StringComparison.OrdinalIgnoreCase))
            {
                throw S3Errors.AccessControlListNotSupported();
            }
        }

        // S3 encrypts everything with AES256 by default, so many clients request it. The responses to them are the same here.
        if (headers[Encryption].ToString() is not ("" or "AES256"))
        {
            throw S3Errors.NotImplemented(Encryption);
        }

        if (!takesAcl && headers[CannedAcl.HeaderName].ToString() is not ("" or "private" or "bucket-owner-full-control"))
        {
            throw S3Errors.AccessControlListNotSupported();
        }
    }
}
