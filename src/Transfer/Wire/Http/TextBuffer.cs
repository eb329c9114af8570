using System.Text;
using System.Xml;

namespace Transfer.S3.Wire.Http;

/// <summary>The text between two tags. References to characters are replaced, and all ends of lines become line feeds (Extensible Markup Language 1.0, "End-of-Line Handling").</summary>
/// <remarks>It is UTF-16, because some stores refer to a character by the two halves of its surrogate pair.</remarks>
internal sealed class TextBuffer
{
    private char[] _chars = new char[256];
    private int _count;

    /// <summary>Gets the text. It is valid until the next change.</summary>
    public ReadOnlySpan<char> Text => new(_chars, 0, _count);

    public bool IsEmpty => _count == 0;

    public void Clear() => _count = 0;

    /// <summary>Adds the text between two pieces of markup. Whitespace alone isn't text, but indentation.</summary>
    /// <param name="bytes">The text, in UTF-8.</param>
    /// <exception cref="XmlException">Thrown when it contains an unknown reference, or the end of a section.</exception>
    public void AddText(ReadOnlySpan<byte> bytes)
    {
        int before = _count;
        Add(bytes, isVerbatim: false);
        if (_count > before && _chars[before] <= ' ' && !_chars.AsSpan(before, _count - before).ContainsAnyExcept(" \t\r\n"))
        {
            _count = before;
        }
    }

    /// <summary>Adds text without references.</summary>
    public void AddVerbatim(ReadOnlySpan<byte> bytes) => Add(bytes, isVerbatim: true);

    /// <summary>Reads a reference to a character. There are no others than those that XML defines, because responses have no document types.</summary>
    /// <param name="bytes">The text behind the ampersand.</param>
    /// <param name="code">The character, or half of one.</param>
    /// <returns>The length of the reference, without the ampersand.</returns>
    /// <exception cref="XmlException">Thrown when the reference is unknown.</exception>
    public static int ReadReference(ReadOnlySpan<byte> bytes, out int code)
    {
        int end = bytes.IndexOf((byte)';');
        ReadOnlySpan<byte> name = end > 0 ? bytes[..end] : throw UnknownReference();
        code = name.SequenceEqual("quot"u8) ? '"'
            : name.SequenceEqual("amp"u8) ? '&'
            : name.SequenceEqual("lt"u8) ? '<'
            : name.SequenceEqual("gt"u8) ? '>'
            : name.SequenceEqual("apos"u8) ? '\''
            : name is [(byte)'#', (byte)'x', .. var hex] ? GetCode(hex, 16)
            : name is [(byte)'#', .. var digits] ? GetCode(digits, 10)
            : throw UnknownReference();
        return end + 1;
    }

    private void Add(ReadOnlySpan<byte> bytes, bool isVerbatim)
    {
        if (_chars.Length - _count < bytes.Length)
        {
            Array.Resize(ref _chars, Math.Max(2 * _chars.Length, _count + bytes.Length)); // no character and no reference has fewer bytes than it gets chars
        }

        while (true)
        {
            int plain = isVerbatim ? bytes.IndexOf((byte)'\r') : bytes.IndexOfAny((byte)'&', (byte)'\r', (byte)']');
            _count += Encoding.UTF8.GetChars(plain < 0 ? bytes : bytes[..plain], _chars.AsSpan(_count));
            if (plain < 0)
            {
                return;
            }

            byte special = bytes[plain];
            bytes = bytes[(plain + 1)..];
            switch (special)
            {
                case (byte)'&':
                    bytes = bytes[ReadReference(bytes, out int code)..];
                    AddCharacter(code);
                    break;
                case (byte)'\r':
                    bytes = bytes is [(byte)'\n', ..] ? bytes[1..] : bytes;
                    AddCharacter('\n');
                    break;
                default:
                    AddCharacter(bytes.StartsWith("]>"u8) ? throw new XmlException("A text contains the end of a section that has not begun.") : ']');
                    break;
            }
        }
    }

    private void AddCharacter(int code)
    {
        if (code > char.MaxValue)
        {
            _count += new Rune(code).EncodeToUtf16(_chars.AsSpan(_count));
        }
        else
        {
            _chars[_count++] = (char)code; // also half of a surrogate pair
        }
    }

    private static XmlException UnknownReference() => new("The response contains a reference to an unknown character.");

    private static int GetCode(ReadOnlySpan<byte> digits, int numberBase)
    {
        int code = 0;
        foreach (byte digit in digits)
        {
            int value = digit is >= (byte)'0' and <= (byte)'9' ? digit - '0' : (digit | 0x20) is >= 'a' and <= 'f' ? (digit | 0x20) - 'a' + 10 : numberBase;
            code = value < numberBase ? (code * numberBase) + value : throw UnknownReference();
            if (code > 0x10FFFF)
            {
                throw UnknownReference();
            }
        }

        return digits.Length > 0 ? code : throw UnknownReference();
    }
}
