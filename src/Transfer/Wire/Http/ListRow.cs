using System.Buffers;
using System.Globalization;
using System.Xml;

namespace Transfer.S3.Wire.Http;

/// <summary>Reads objects of a listing (Amazon S3 API Reference, "Object"). A page has a thousand of them, so they aren't kept as elements.</summary>
internal static class ListRow
{
    /// <summary>The name of the element.</summary>
    public const string Name = "Contents";

    /// <summary>The storage class of most objects.</summary>
    private const string Standard = "STANDARD";

    /// <summary>The format of times in Amazon S3, whose zeros are digits.</summary>
    private const string TimeFormat = "0000-00-00T00:00:00.000Z";

    private static readonly SearchValues<char> Controls = SearchValues.Create([.. Enumerable.Range(0, 0x20).Concat(Enumerable.Range(0x7F, 0x21)).Select(static code => (char)code)]);

    /// <summary>Reads an object that has just begun to its end. Its key can be encoded, which only the whole response tells.</summary>
    /// <exception cref="XmlException">Thrown when the object has no key or no size, or when a text that is used isn't valid.</exception>
    public static ListedObject Read(ResponseReader reader)
    {
        (string? key, long? size, string? etag, DateTimeOffset? modified, string? storageClass, RestoreState? restore) = (null, null, null, null, null, null);
        while (reader.Next() is not ResponseNode.End and var node)
        {
            switch (node == ResponseNode.Start ? reader.Name : throw new XmlException("The response contains unexpected content."))
            {
                case "Key" when key is null:
                    key = ResponseElement.Whole(reader.ReadText()).ToString();
                    break;
                case "Size" when size is null:
                    size = long.TryParse(reader.ReadText().Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out long number) ? number : null;
                    break;
                case "ETag" when etag is null:
                    etag = ToETag(reader.ReadText());
                    break;
                case "LastModified" when modified is null:
                    modified = ToTime(reader.ReadText());
                    break;
                case "StorageClass" when storageClass is null:
                    storageClass = ToStorageClass(reader.ReadText());
                    break;
                case "RestoreStatus" when restore is null:
                    restore = ToRestore(ResponseElement.ReadWhole(reader));
                    break;
                default:
                    reader.Skip();
                    break;
            }
        }

        return new ListedObject
        {
            Key = string.IsNullOrEmpty(key) ? throw new XmlException("The list contains an item without a Key.") : key,
            Length = size ?? throw new XmlException("An object has no size."),
            ETag = etag,
            LastModified = modified,
            StorageClass = storageClass,
            Restore = restore,
        };
    }

    private static string? ToETag(ReadOnlySpan<char> text)
    {
        ReadOnlySpan<char> etag = ResponseElement.Whole(text).Trim();
        return etag.ContainsAny(Controls) ? throw new XmlException("An ETag contains a control character.") : NullIfEmpty(etag);
    }

    private static DateTimeOffset? ToTime(ReadOnlySpan<char> text)
        => TryReadTime(text, out DateTimeOffset time) || DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out time) ? time : null;

    /// <summary>Reads a time in the format of Amazon S3. The parsers of .NET take about as long for it as all else in an object takes.</summary>
    private static bool TryReadTime(ReadOnlySpan<char> text, out DateTimeOffset time)
    {
        time = default;
        if (text.Length != TimeFormat.Length)
        {
            return false;
        }

        for (int i = 0; i < text.Length; i++)
        {
            if (TimeFormat[i] == '0' ? !char.IsAsciiDigit(text[i]) : text[i] != TimeFormat[i])
            {
                return false;
            }
        }

        (int year, int month, int day) = (Number(text[..4]), Number(text[5..7]), Number(text[8..10]));
        (int hour, int minute, int second) = (Number(text[11..13]), Number(text[14..16]), Number(text[17..19]));
        if (year < 1 || month is < 1 or > 12 || day < 1 || day > DateTime.DaysInMonth(year, month) || hour > 23 || minute > 59 || second > 59)
        {
            return false;
        }

        time = new DateTimeOffset(year, month, day, hour, minute, second, Number(text[20..23]), TimeSpan.Zero);
        return true;
    }

    private static int Number(ReadOnlySpan<char> digits)
    {
        int number = 0;
        foreach (char digit in digits)
        {
            number = (number * 10) + (digit - '0');
        }

        return number;
    }

    private static RestoreState? ToRestore(ResponseElement state) => RestoreState.From(state.IsTrue("IsRestoreInProgress"), state.Time("RestoreExpiryDate"));

    private static string? ToStorageClass(ReadOnlySpan<char> text) => text.SequenceEqual(Standard) ? Standard : NullIfEmpty(ResponseElement.Whole(text).Trim());

    private static string? NullIfEmpty(ReadOnlySpan<char> text) => text.IsEmpty ? null : text.ToString();
}
