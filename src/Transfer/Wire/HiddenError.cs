using System.Xml;
using Transfer.S3.Wire.Http;

namespace Transfer.S3.Wire;

/// <summary>Finds the error in the body of a response whose status is a success, however the body is framed.</summary>
/// <remarks>Such a response isn't that of S3, but gateways and proxies send it if they have begun to respond before they know the outcome.</remarks>
internal static class HiddenError
{
    /// <summary>The maximum length of an error.</summary>
    private const int MaxBytes = 64 * 1024;

    private const int FirstBytes = 4 * 1024;

    private static ReadOnlySpan<byte> Root => "<Error"u8;

    /// <summary>Returns whether a response may contain an error. An object has an ETag or a last-modified time, and an error has neither.</summary>
    /// <param name="etag">The ETag in the headers; null if there is none.</param>
    /// <param name="hasTime">Whether the headers have a last-modified time.</param>
    /// <param name="length">The Content-Length; negative if there is none.</param>
    public static bool IsPossible(string? etag, bool hasTime, long length) => string.IsNullOrEmpty(etag) && !hasTime && length is not 0 and <= MaxBytes;

    /// <summary>Reads the beginning of a body until it is clear whether it is an error.</summary>
    /// <returns>The error, which has no code if there is none, and a stream with the whole body.</returns>
    public static async ValueTask<(ErrorBody Error, Stream Body)> FindAsync(Stream body, CancellationToken cancellationToken)
    {
        byte[] begin = new byte[FirstBytes];
        int count = 0;
        IResponseWatch? watch = ResponseWatch.Current;
        while (count < MaxBytes && MayBegin(begin.AsSpan(0, count)))
        {
            if (count == begin.Length)
            {
                Array.Resize(ref begin, Math.Min(MaxBytes, 4 * count));
            }

            int read = await body.ReadAsync(begin.AsMemory(count), cancellationToken).ConfigureAwait(false);
            if (read == 0)
            {
                ErrorBody error = Parse(begin[..count]);
                return (error, error.Code is null ? new ReplayedBody(begin.AsMemory(0, count), body) : body);
            }

            watch?.BytesArrived(read);
            count += read;
        }

        return (default, new ReplayedBody(begin.AsMemory(0, count), body));
    }

    private static ErrorBody Parse(byte[] body)
    {
        try
        {
            return HttpErrors.Parse(body);
        }
        catch (XmlException)
        {
            return default;
        }
    }

    /// <summary>Returns whether a text can be the beginning of an error: the root element after white space, a declaration, or a comment.</summary>
    private static bool MayBegin(ReadOnlySpan<byte> text)
    {
        text = text.TrimStart(" \t\r\n"u8);
        if (text.StartsWith("<?xml"u8))
        {
            int end = text.IndexOf("?>"u8);
            text = end < 0 ? [] : text[(end + 2)..].TrimStart(" \t\r\n"u8);
        }

        return Agree(text, "<?xml"u8) || Agree(text, "<!--"u8)
            || (Agree(text, Root) && (text.Length <= Root.Length || " \t\r\n/>"u8.Contains(text[Root.Length])));
    }

    private static bool Agree(ReadOnlySpan<byte> text, ReadOnlySpan<byte> begin) => text.Length < begin.Length ? begin.StartsWith(text) : text.StartsWith(begin);
}
