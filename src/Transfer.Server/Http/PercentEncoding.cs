using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace Transfer.S3.Server.Http;

/// <summary>Percent encoding as in Signature Version 4: every byte except the unreserved characters is encoded once, with upper-case digits.</summary>
internal static class PercentEncoding
{
    private const string Unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    private static readonly SearchValues<char> NotReserved = SearchValues.Create(Unreserved);
    private static readonly SearchValues<char> NotReservedOrSlash = SearchValues.Create(Unreserved + "/");
    private static readonly UTF8Encoding StrictUtf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    public static string Encode(string text, bool keepSlash)
    {
        SearchValues<char> kept = keepSlash ? NotReservedOrSlash : NotReserved;
        if (!text.AsSpan().ContainsAnyExcept(kept))
        {
            return text;
        }

        var encoded = new StringBuilder(text.Length * 2);
        foreach (byte value in Encoding.UTF8.GetBytes(text))
        {
            if (kept.Contains((char)value))
            {
                encoded.Append((char)value);
            }
            else
            {
                encoded.Append('%').Append(HexDigit(value >> 4)).Append(HexDigit(value & 15));
            }
        }

        return encoded.ToString();
    }

    /// <summary>Decodes text; false if an escape sequence is invalid or the bytes aren't valid UTF-8.</summary>
    public static bool TryDecode(ReadOnlySpan<char> text, bool plusIsSpace, [NotNullWhen(true)] out string? decoded)
    {
        decoded = null;
        if (!text.Contains('%') && !(plusIsSpace && text.Contains('+')))
        {
            decoded = text.ToString();
            return true;
        }

        byte[] bytes = new byte[Encoding.UTF8.GetMaxByteCount(text.Length)];
        int count = 0;
        while (!text.IsEmpty)
        {
            if (text[0] == '%')
            {
                if (text.Length < 3 || !char.IsAsciiHexDigit(text[1]) || !char.IsAsciiHexDigit(text[2]))
                {
                    return false;
                }

                bytes[count++] = (byte)((HexValue(text[1]) << 4) | HexValue(text[2]));
                text = text[3..];
            }
            else if (text[0] == '+' && plusIsSpace)
            {
                bytes[count++] = (byte)' ';
                text = text[1..];
            }
            else
            {
                int run = text.IndexOfAny('%', '+');
                run = run switch { < 0 => text.Length, 0 => 1, _ => run };
                count += Encoding.UTF8.GetBytes(text[..run], bytes.AsSpan(count));
                text = text[run..];
            }
        }

        try
        {
            decoded = StrictUtf8.GetString(bytes, 0, count);
            return true;
        }
        catch (DecoderFallbackException)
        {
            return false;
        }
    }

    private static char HexDigit(int value) => (char)(value < 10 ? '0' + value : 'A' + value - 10);

    private static int HexValue(char digit) => char.IsAsciiDigit(digit) ? digit - '0' : (digit | 0x20) - 'a' + 10;
}
