using System.Buffers;
using System.Globalization;
using System.Xml;

namespace Transfer.Wire.Http;

/// <summary>Reads objects of a listing (Amazon S3 API Reference, "Object"). A page has a thousand of them, so they aren't kept as elements.</summary>
internal static class ListRow
{
    /// <summary>The name of the element.</summary>
    public const string Name = "Contents";

    /// <summary>The storage class of most objects.</summary>
    private const string Standard = "STANDARD";

    /// <summary>The length of times in Amazon S3, such as <c>2026-11-26T01:02:03.004Z</c>.</summary>
    private const int TimeLength = 24;

    /// <summary>What makes such a time one of the format <c>O</c> instead of its last character.</summary>
    private const string TimeEnd = "0000Z";

    private static readonly SearchValues<char> Controls = SearchValues.Create([.. Enumerable.Range(0, 0x20).Concat(Enumerable.Range(0x7F, 0x21)).Select(static code => (char)code)]);

    /// <summary>Reads an object, and moves the reader past it. Its key can be encoded, which only the whole response tells.</summary>
    /// <exception cref="XmlException">Thrown when the object has no key or no size, or when a text that is used isn't valid.</exception>
    public static ListedObject Read(XmlReader reader)
    {
        (string? key, long? size, string? etag, DateTimeOffset? modified, string? storageClass, RestoreState? restore) = (null, null, null, null, null, null);
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
                case "Key" when key is null:
                    key = ResponseElement.Whole(reader.ReadElementContentAsString());
                    break;
                case "Size" when size is null:
                    size = long.TryParse(reader.ReadElementContentAsString().AsSpan().Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out long number) ? number : null;
                    break;
                case "ETag" when etag is null:
                    etag = ToETag(reader.ReadElementContentAsString());
                    break;
                case "LastModified" when modified is null:
                    modified = ToTime(reader.ReadElementContentAsString());
                    break;
                case "StorageClass" when storageClass is null:
                    storageClass = ToStorageClass(reader.ReadElementContentAsString());
                    break;
                case "RestoreStatus" when restore is null:
                    restore = ToRestore(ResponseElement.ReadWhole(reader));
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

        return new ListedObject(
            string.IsNullOrEmpty(key) ? throw new XmlException("The list contains an item without a Key.") : key, size ?? throw new XmlException("An object has no size."), etag, modified)
        {
            StorageClass = storageClass,
            Restore = restore,
        };
    }

    private static string? ToETag(string text)
    {
        string etag = ResponseElement.Whole(text).Trim();
        return etag.AsSpan().ContainsAny(Controls) ? throw new XmlException("An ETag contains a control character.") : NullIfEmpty(etag);
    }

    private static DateTimeOffset? ToTime(string text)
        => TryReadTime(text, out DateTimeOffset time) || DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out time) ? time : null;

    /// <summary>Reads a time in the format of Amazon S3 as one of the only format with a fraction for which .NET has a fast parser.</summary>
    private static bool TryReadTime(string text, out DateTimeOffset time)
    {
        if (text.Length != TimeLength || text[^1] != 'Z')
        {
            time = default;
            return false;
        }

        Span<char> full = stackalloc char[TimeLength - 1 + TimeEnd.Length];
        text.AsSpan(0, TimeLength - 1).CopyTo(full);
        TimeEnd.CopyTo(full[(TimeLength - 1)..]);
        return DateTimeOffset.TryParseExact(full, "O", CultureInfo.InvariantCulture, DateTimeStyles.None, out time);
    }

    private static RestoreState? ToRestore(ResponseElement state) => RestoreState.From(state.IsTrue("IsRestoreInProgress"), state.Time("RestoreExpiryDate"));

    private static string? ToStorageClass(string text) => text == Standard ? Standard : NullIfEmpty(ResponseElement.Whole(text).Trim());

    private static string? NullIfEmpty(string text) => text.Length == 0 ? null : text;
}
