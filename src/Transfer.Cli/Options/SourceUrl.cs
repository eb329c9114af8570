using System.Net;

namespace Transfer.S3.Cli.Options;

/// <summary>A URL of one object, such as a presigned URL. Whoever has it can read the object, so its query is never shown.</summary>
/// <param name="Url">The URL, exactly as it was written, because its query can be a signature of it.</param>
/// <param name="Address">The address of the object in messages and reports.</param>
internal sealed record SourceUrl(Uri Url, string Address)
{
    /// <summary>The bucket in addresses if the URL contains no valid one.</summary>
    private const string NoBucket = "url";

    private static readonly UriCreationOptions AsWritten = new() { DangerousDisablePathAndQueryCanonicalization = true };

    /// <summary>Parses a URL.</summary>
    /// <returns>Null if the text doesn't begin with http:// or https://.</returns>
    /// <exception cref="UsageException">Thrown when it isn't the URL of an object.</exception>
    public static SourceUrl? TryParse(string text)
    {
        if (!IsUrl(text))
        {
            return null;
        }

        int fragment = text.IndexOf('#', StringComparison.Ordinal); // it isn't sent
        return Uri.TryCreate(fragment < 0 ? text : text[..fragment], in AsWritten, out Uri? url) && url.Host.Length > 0 && url.UserInfo.Length == 0 && url.AbsolutePath.Length > 1
            ? new SourceUrl(url, GetAddress(url))
            : throw new UsageException($"'{AddressText.WithoutSecrets(text)}' is not the URL of an object; specify a URL with a host and a path, without a user name");
    }

    /// <summary>Returns whether a text begins like a URL.</summary>
    public static bool IsUrl(string text)
        => text.StartsWith("https://", StringComparison.OrdinalIgnoreCase) || text.StartsWith("http://", StringComparison.OrdinalIgnoreCase);

    // The bucket is in the host name of Amazon S3 (Amazon S3 User Guide, "Virtual hosting of buckets"). Elsewhere, it is the first folder of the path.
    private static string GetAddress(Uri url)
    {
        string path = Uri.UnescapeDataString(url.AbsolutePath)[1..];
        int slash = path.IndexOf('/', StringComparison.Ordinal);
        bool isInHost = url.Host.Contains(".s3.", StringComparison.OrdinalIgnoreCase) || url.Host.Contains(".s3-", StringComparison.OrdinalIgnoreCase);
        (string bucket, string key) = isInHost || slash <= 0 || slash == path.Length - 1 ? (url.Host.Split('.')[0], path) : (path[..slash], path[(slash + 1)..]);
        return IsBucket(bucket) ? $"s3://{bucket}/{key}" : $"s3://{NoBucket}/{path}";
    }

    // Amazon S3 User Guide, "Bucket naming rules".
    private static bool IsBucket(string text)
        => BucketNameText.IsValid(text) && !text.Contains(':', StringComparison.Ordinal) && !IPAddress.TryParse(text, out _);
}
