using System.Globalization;

namespace Transfer.Integrity;

/// <summary>
/// Checksums of the parts' checksums, as S3 writes them: with <c>-N</c> behind the value, a dash being none of base64's digits (Amazon S3 User Guide, "Checking
/// object integrity").
/// </summary>
internal static class CompositeChecksum
{
    public static string Text(string value, int parts) => string.Create(CultureInfo.InvariantCulture, $"{value}-{parts}");

    /// <summary>How many parts a value says that it is made of; null where it does not say so.</summary>
    public static int? PartsOf(string value)
    {
        int dash = value.IndexOf('-', StringComparison.Ordinal);
        return dash >= 0 && int.TryParse(value.AsSpan(dash + 1), NumberStyles.None, CultureInfo.InvariantCulture, out int parts) && parts > 0 ? parts : null;
    }

    /// <summary>A stored checksum with what the object's entity tag tells of it: not every answer says that a checksum is one of parts, or of how many.</summary>
    public static StoredChecksum Complete(StoredChecksum stored, string? etag)
    {
        int? parts = PartsOf(stored.Value) ?? Md5Tag.PartsOf(etag);

        // Of an object in parts, a SHA is always one of the parts'.
        bool isOfParts = stored.IsComposite || (parts is not null && stored.Algorithm is ChecksumAlgorithm.Sha256 or ChecksumAlgorithm.Sha1);
        return stored with
        {
            IsComposite = isOfParts,
            Value = isOfParts && parts is { } count && PartsOf(stored.Value) is null ? Text(stored.Value, count) : stored.Value,
        };
    }
}
