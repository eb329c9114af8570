using System.Net;

namespace Transfer.S3.Server.Storage;

/// <summary>The rules for bucket names.</summary>
internal static class BucketName
{
    public static bool IsValid(string? name) =>
        name is { Length: >= 3 and <= 63 }
        && name.All(static c => char.IsAsciiLetterLower(c) || char.IsAsciiDigit(c) || c is '-' or '.')
        && char.IsAsciiLetterOrDigit(name[0])
        && char.IsAsciiLetterOrDigit(name[^1])
        && !name.Contains("..", StringComparison.Ordinal)
        && !name.Contains(".-", StringComparison.Ordinal)
        && !name.Contains("-.", StringComparison.Ordinal)
        && !IPAddress.TryParse(name, out _);
}
