using System.Globalization;

namespace Transfer.S3.Server.Storage;

/// <summary>A version of a key: an object, or a delete marker.</summary>
/// <param name="Key">The key.</param>
/// <param name="Sequence">The place among all versions of the bucket, which orders those of one key by age.</param>
/// <param name="Id">The ID.</param>
/// <param name="LastModified">When the version was stored.</param>
/// <param name="Value">The object; null for a delete marker.</param>
internal sealed record KeyVersion(string Key, long Sequence, string Id, DateTimeOffset LastModified, StoredObject? Value)
{
    /// <summary>The ID of the version that a bucket stores while it keeps no versions.</summary>
    public const string NullId = "null";

    private const int IdLength = 32;

    /// <summary>Gets the ID of a new version.</summary>
    public static string GetId(long sequence) => sequence.ToString("x", CultureInfo.InvariantCulture).PadLeft(IdLength, '0');

    /// <summary>Returns whether a text can be the ID of a version.</summary>
    public static bool IsId(string text) => text == NullId || (text.Length == IdLength && text.All(char.IsAsciiHexDigitLower));
}
