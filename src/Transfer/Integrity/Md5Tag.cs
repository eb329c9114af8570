using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Security.Cryptography;

namespace Transfer.Integrity;

/// <summary>
/// The entity tags that S3 makes of MD5s: the content's in hexadecimal, or for a multipart object the MD5 of its parts' with <c>-N</c> behind it (Amazon S3 User
/// Guide, "Checking object integrity").
/// </summary>
internal static class Md5Tag
{
    /// <summary>The MD5, in base64, that a tag of an object in one piece may be.</summary>
    public static bool TryRead(string? etag, [NotNullWhen(true)] out string? md5)
    {
        string digits = etag?.Trim('"') ?? string.Empty;
        md5 = digits.Length == 2 * MD5.HashSizeInBytes && digits.All(char.IsAsciiHexDigit) ? Convert.ToBase64String(Convert.FromHexString(digits)) : null;
        return md5 is not null;
    }

    /// <summary>How many parts the object had whose tag this may be; null where it is no tag of parts.</summary>
    public static int? PartsOf(string? etag)
    {
        string tag = etag?.Trim('"') ?? string.Empty;
        int dash = tag.LastIndexOf('-');
        return dash > 0 && int.TryParse(tag.AsSpan(dash + 1), NumberStyles.None, CultureInfo.InvariantCulture, out int parts) && parts > 0 && TryRead(tag[..dash], out _) ? parts : null;
    }

    /// <summary>The MD5, in base64 with its <c>-N</c>, of which the tag of an object of these parts is made; null where one of their tags is none.</summary>
    public static string? OfParts(IReadOnlyCollection<string?> etags)
    {
        using MemoryStream digests = new(etags.Count * MD5.HashSizeInBytes);
        foreach (string? etag in etags)
        {
            if (!TryRead(etag, out string? md5))
            {
                return null;
            }

            digests.Write(Convert.FromBase64String(md5));
        }

#pragma warning disable CA5351 // what the store makes its tags of
        return string.Create(CultureInfo.InvariantCulture, $"{Convert.ToBase64String(MD5.HashData(digests.ToArray()))}-{etags.Count}");
#pragma warning restore CA5351
    }

    /// <summary>Whether a tag is made of this MD5, in base64 with its <c>-N</c>.</summary>
    public static bool Matches(string? etag, string md5)
    {
        int dash = md5.IndexOf('-', StringComparison.Ordinal);
        string digest = dash < 0 ? md5 : md5[..dash];
        string tag = Convert.ToHexStringLower(Convert.FromBase64String(digest)) + (dash < 0 ? string.Empty : md5[dash..]);
        return string.Equals(etag?.Trim('"'), tag, StringComparison.OrdinalIgnoreCase);
    }
}
