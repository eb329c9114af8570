using System.Globalization;

namespace Transfer.S3.Integrity;

/// <summary>
/// Composite checksums, which S3 computes from the checksums of the parts. Their values end in <c>-N</c> for N parts; a dash isn't a base64 character (Amazon S3
/// User Guide, "Checking object integrity").
/// </summary>
internal static class CompositeChecksum
{
    public static string Text(string value, int parts) => string.Create(CultureInfo.InvariantCulture, $"{value}-{parts}");

    /// <summary>Gets the number of parts in a composite checksum; null if the value doesn't contain it.</summary>
    public static int? GetPartCount(string value)
    {
        int dash = value.IndexOf('-', StringComparison.Ordinal);
        return dash >= 0 && int.TryParse(value.AsSpan(dash + 1), NumberStyles.None, CultureInfo.InvariantCulture, out int parts) && parts > 0 ? parts : null;
    }

    /// <summary>
    /// Completes a stored checksum with the number of parts in the ETag, because not every response contains that a checksum is composite, or of how many parts.
    /// </summary>
    /// <param name="stored">The checksum.</param>
    /// <param name="type">The type that the store returned, if any.</param>
    /// <param name="etag">The ETag of the object, if any.</param>
    public static StoredChecksum Complete(StoredChecksum stored, string? type, string? etag)
    {
        int? parts = GetPartCount(stored.Value) ?? Md5Tag.GetPartCount(etag);

        // S3 makes the hash of a multipart object of those of its parts, but what the store says of the type counts more.
        bool isOfParts = stored.IsComposite || (parts is not null && string.IsNullOrEmpty(type) && stored.Algorithm.Crc() == CrcSet.Kinds.None);
        return stored with
        {
            IsComposite = isOfParts,
            Value = isOfParts && parts is { } count && GetPartCount(stored.Value) is null ? Text(stored.Value, count) : stored.Value,
        };
    }
}
