using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Security.Cryptography;

namespace Transfer.S3.Integrity;

/// <summary>
/// ETags that S3 makes of MD5s: that of the content in hexadecimal digits or, for a multipart object, the MD5 of the MD5s of its parts followed by <c>-N</c> (Amazon
/// S3 User Guide, "Checking object integrity").
/// </summary>
internal static class Md5Tag
{
    /// <summary>Gets the MD5, in base64, if an ETag has the form of an MD5.</summary>
    public static bool TryRead(string? etag, [NotNullWhen(true)] out string? md5)
    {
        string digits = etag?.Trim('"') ?? string.Empty;
        md5 = digits.Length == 2 * MD5.HashSizeInBytes && digits.All(char.IsAsciiHexDigit) ? Convert.ToBase64String(Convert.FromHexString(digits)) : null;
        return md5 is not null;
    }

    /// <summary>Gets the MD5, in base64 and with <c>-N</c> for a multipart object, if an ETag has one of the two forms.</summary>
    public static string? Read(string? etag)
    {
        string tag = etag?.Trim('"') ?? string.Empty;
        return TryRead(tag, out string? md5) ? md5
            : GetPartCount(tag) is { } parts && TryRead(tag[..tag.LastIndexOf('-')], out string? combined) ? string.Create(CultureInfo.InvariantCulture, $"{combined}-{parts}")
            : null;
    }

    /// <summary>Gets the number of parts in the ETag of a multipart object; null if it doesn't have that form.</summary>
    public static int? GetPartCount(string? etag)
    {
        string tag = etag?.Trim('"') ?? string.Empty;
        int dash = tag.LastIndexOf('-');
        return dash > 0 && int.TryParse(tag.AsSpan(dash + 1), NumberStyles.None, CultureInfo.InvariantCulture, out int parts) && parts > 0 && TryRead(tag[..dash], out _) ? parts : null;
    }

    /// <summary>Gets the MD5, in base64 with <c>-N</c>, in the ETag of an object with these parts; null if one of their ETags isn't an MD5.</summary>
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

#pragma warning disable CA5351 // S3 computes ETags with MD5
        return string.Create(CultureInfo.InvariantCulture, $"{Convert.ToBase64String(MD5.HashData(digests.ToArray()))}-{etags.Count}");
#pragma warning restore CA5351
    }

    /// <summary>Returns whether an ETag is made of an MD5, in base64 with <c>-N</c>.</summary>
    public static bool Matches(string? etag, string md5)
    {
        int dash = md5.IndexOf('-', StringComparison.Ordinal);
        string digest = dash < 0 ? md5 : md5[..dash];
        string tag = Convert.ToHexStringLower(Convert.FromBase64String(digest)) + (dash < 0 ? string.Empty : md5[dash..]);
        return string.Equals(etag?.Trim('"'), tag, StringComparison.OrdinalIgnoreCase);
    }
}
