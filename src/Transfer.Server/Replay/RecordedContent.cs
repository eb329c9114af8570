using System.Text;
using Transfer.S3.Server.Checksums;

namespace Transfer.S3.Server.Replay;

/// <summary>Removes what would not match the zeros that replace the data of recorded objects: MD5s in ETags, and checksums in documents.</summary>
internal static class RecordedContent
{
    private const int Md5Digits = 32;
    private const string ETagBegin = "<ETag>";
    private const string ETagEnd = "</ETag>";

    /// <summary>Gets an ETag that isn't an MD5: one that looks like it gets the suffix of a multipart upload.</summary>
    public static string ETag(string etag)
    {
        string value = etag.Replace("&quot;", "\"", StringComparison.Ordinal).Replace("&#34;", "\"", StringComparison.Ordinal).Trim().Trim('"');
        return value.Length == Md5Digits && value.All(char.IsAsciiHexDigit) ? $"\"{value}-1\"" : etag;
    }

    /// <summary>Gets a document without the checksums of content, and with such ETags.</summary>
    public static string Document(string document)
    {
        foreach (ChecksumInfo info in ChecksumInfo.Known)
        {
            document = Replace(document, $"<{info.ElementName}>", $"</{info.ElementName}>", static _ => null);
        }

        return Replace(document, ETagBegin, ETagEnd, static etag => $"{ETagBegin}{ETag(etag).Replace("\"", "&quot;", StringComparison.Ordinal)}{ETagEnd}");
    }

    private static string Replace(string document, string begin, string end, Func<string, string?> replace)
    {
        StringBuilder result = new();
        int at = 0;
        while (document.IndexOf(begin, at, StringComparison.Ordinal) is >= 0 and int first && document.IndexOf(end, first, StringComparison.Ordinal) is >= 0 and int last)
        {
            result.Append(document, at, first - at).Append(replace(document[(first + begin.Length)..last]));
            at = last + end.Length;
        }

        return at == 0 ? document : result.Append(document, at, document.Length - at).ToString();
    }
}
