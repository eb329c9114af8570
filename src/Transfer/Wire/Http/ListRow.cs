using System.Buffers;
using System.Globalization;
using System.Xml;

namespace Transfer.Wire.Http;

/// <summary>An object in a listing (Amazon S3 API Reference, "Object"). A page has a thousand of them, so they aren't kept as elements.</summary>
/// <param name="Key">The key, which can be encoded.</param>
/// <param name="Size">The size, in bytes; null if it isn't a number.</param>
/// <param name="ETag">The ETag; null if it is empty.</param>
/// <param name="LastModified">The last-modified time; null if it isn't a time.</param>
/// <param name="StorageClass">The storage class; null if it is empty.</param>
internal readonly record struct ListRow(string? Key, long? Size, string? ETag, DateTimeOffset? LastModified, string? StorageClass)
{
    /// <summary>Gets the state of the restoration of an archived object; null if there is none.</summary>
    public RestoreState? Restore { get; private init; }

    /// <summary>The name of the element.</summary>
    public const string Name = "Contents";

    /// <summary>The storage class of most objects.</summary>
    private const string Standard = "STANDARD";

    /// <summary>The format of times in Amazon S3.</summary>
    private const string TimeFormat = "yyyy-MM-dd'T'HH:mm:ss.fff'Z'";

    private static readonly SearchValues<char> Controls = SearchValues.Create([.. Enumerable.Range(0, 0x20).Concat(Enumerable.Range(0x7F, 0x21)).Select(static code => (char)code)]);

    /// <summary>Reads a row, and moves the reader past it.</summary>
    /// <exception cref="XmlException">Thrown when a text that is used isn't valid.</exception>
    public static ListRow Read(XmlReader reader)
    {
        ListRow row = default;
        bool isEmpty = reader.IsEmptyElement;
        reader.Read();
        while (!isEmpty && reader.NodeType != XmlNodeType.EndElement)
        {
            if (reader.NodeType != XmlNodeType.Element)
            {
                throw new XmlException("The response contains unexpected content.");
            }

            switch (reader.LocalName)
            {
                case "Key" when row.Key is null:
                    row = row with { Key = ResponseElement.Whole(reader.ReadElementContentAsString()) };
                    break;
                case "Size" when row.Size is null:
                    row = row with { Size = long.TryParse(reader.ReadElementContentAsString().AsSpan().Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out long size) ? size : null };
                    break;
                case "ETag" when row.ETag is null:
                    row = row with { ETag = ToETag(reader.ReadElementContentAsString()) };
                    break;
                case "LastModified" when row.LastModified is null:
                    row = row with { LastModified = ToTime(reader.ReadElementContentAsString()) };
                    break;
                case "StorageClass" when row.StorageClass is null:
                    row = row with { StorageClass = ToStorageClass(reader.ReadElementContentAsString()) };
                    break;
                case "RestoreStatus" when row.Restore is null:
                    row = row with { Restore = ToRestore(ResponseElement.ReadWhole(reader)) };
                    break;
                default:
                    ResponseElement.Skip(reader);
                    break;
            }
        }

        if (!isEmpty)
        {
            reader.Read();
        }

        return row;
    }

    private static string? ToETag(string text)
    {
        string etag = ResponseElement.Whole(text).Trim();
        return etag.AsSpan().ContainsAny(Controls) ? throw new XmlException("An ETag contains a control character.") : NullIfEmpty(etag);
    }

    private static DateTimeOffset? ToTime(string text)
        => DateTimeOffset.TryParseExact(text, TimeFormat, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time)
        || DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out time) ? time : null;

    private static RestoreState? ToRestore(ResponseElement state) => RestoreState.From(state.IsTrue("IsRestoreInProgress"), state.Time("RestoreExpiryDate"));

    private static string? ToStorageClass(string text) => text == Standard ? Standard : NullIfEmpty(ResponseElement.Whole(text).Trim());

    private static string? NullIfEmpty(string text) => text.Length == 0 ? null : text;
}
