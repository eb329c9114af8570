using Amazon.S3;

namespace Transfer.Wire;

/// <summary>Recognizes stores by their endpoint.</summary>
internal static class StoreKind
{
    /// <summary>
    /// Returns whether all parts of an upload except the last must have the same size. Cloudflare R2 rejects other uploads when they are completed
    /// (Cloudflare R2 documentation, "Multipart objects"). Its endpoints are <c>ACCOUNT.r2.cloudflarestorage.com</c> and, for a jurisdiction,
    /// <c>ACCOUNT.JURISDICTION.r2.cloudflarestorage.com</c>.
    /// </summary>
    public static bool WantsEqualParts(IAmazonS3 s3)
        => Uri.TryCreate(s3.Config?.ServiceURL, UriKind.Absolute, out Uri? address)
            && address.Host.EndsWith(".r2.cloudflarestorage.com", StringComparison.OrdinalIgnoreCase);
}
