using System.Buffers;

namespace Transfer.S3.Wire.Http;

/// <summary>
/// Finds the end of an XML document, after which nothing more is waited for. A body can be announced as longer than it is, or not have an end, and a request that
/// publishes an object is allowed to be silent for minutes.
/// </summary>
internal static class XmlEnd
{
    private static readonly SearchValues<byte> AfterName = SearchValues.Create(" \t\r\n/>"u8);

    /// <summary>The longest end of a document that is looked at: an end tag with a prefix, and line breaks.</summary>
    public const int MaxBytes = 128;

    /// <summary>Returns whether a document in UTF-8 is complete.</summary>
    /// <param name="begin">The beginning of the document, with its root element.</param>
    /// <param name="end">What was received last.</param>
    public static bool IsAt(ReadOnlySpan<byte> begin, ReadOnlySpan<byte> end)
    {
        end = end[Math.Max(0, end.Length - MaxBytes)..].TrimEnd(" \t\r\n"u8);
        int tag = end.LastIndexOf("</"u8);
        return end is [.., (byte)'>'] && tag >= 0 && GetRoot(begin) is { Length: > 0 } root && end[(tag + 2)..^1].TrimEnd(" \t\r\n"u8).SequenceEqual(root);
    }

    /// <summary>Gets the name of the root element; empty if it isn't there yet, or if the text isn't XML.</summary>
    private static ReadOnlySpan<byte> GetRoot(ReadOnlySpan<byte> text)
    {
        text = text.StartsWith("\uFEFF"u8) ? text["\uFEFF"u8.Length..] : text;
        while (true)
        {
            text = text.TrimStart(" \t\r\n"u8);
            ReadOnlySpan<byte> last = text.StartsWith("<?"u8) ? "?>"u8 : text.StartsWith("<!--"u8) ? "-->"u8 : default;
            if (last.IsEmpty)
            {
                break;
            }

            int end = text.IndexOf(last);
            text = end < 0 ? default : text[(end + last.Length)..];
        }

        int length = text.IndexOfAny(AfterName);
        return length > 1 && text[0] == (byte)'<' ? text[1..length] : default;
    }
}
