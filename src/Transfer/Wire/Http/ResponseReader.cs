using System.Text;
using System.Xml;

namespace Transfer.S3.Wire.Http;

/// <summary>
/// Reads the XML of responses piece by piece (Extensible Markup Language 1.0). A page of a listing has fifteen thousand tags, for which the reader of .NET takes about
/// twice as long.
/// </summary>
/// <remarks>
/// <para>
/// It rejects what isn't well-formed, and document types, so there are no entities and no external references. Elements are nested up to a limit. Attributes, comments,
/// and processing instructions are checked and left out, as is whitespace between tags. Prefixes of names are ignored, whether they are declared or not.
/// </para>
/// <para>
/// Characters that XML doesn't allow are accepted: responses repeat the key of the object, whose characters S3 doesn't restrict. Amazon S3 and others send the rest as
/// character references, such as <c>&amp;#x8;</c>.
/// </para>
/// </remarks>
internal sealed class ResponseReader : IDisposable
{
    /// <summary>Twice the depth of any S3 response.</summary>
    private const int MaxDepth = 16;

    private readonly DocumentWindow _window;
    private readonly TextBuffer _text = new();
    private readonly KnownNames _known = new();
    private readonly ElementName[] _open = new ElementName[MaxDepth + 1];
    private int _depth;
    private bool _isEmpty;

    /// <param name="body">The whole response.</param>
    public ResponseReader(Stream body) => _window = new DocumentWindow(body);

    /// <summary>Gets the name of the element that has just begun, without its prefix.</summary>
    public string Name => _open[_depth - 1].Local;

    /// <summary>Gets the text that was read. It is valid until the next call.</summary>
    public ReadOnlySpan<char> Text => _text.Text;

    /// <summary>Reads the start of the root element.</summary>
    /// <param name="checksEncoding">Whether an encoding other than UTF-8 is rejected. Otherwise, it is ignored.</param>
    /// <exception cref="XmlException">Thrown when there is none.</exception>
    public void ReadRoot(bool checksEncoding)
    {
        if (_window.Has(3) && _window.Rest.StartsWith("\uFEFF"u8))
        {
            _window.Skip(3);
        }

        if (_window.Has(6) && _window.Rest.StartsWith("<?xml"u8) && IsSpace(_window.Rest[5]))
        {
            ReadDeclaration(checksEncoding);
        }

        if (!TryFindMarkup())
        {
            throw new XmlException("The response has no root element.");
        }

        ReadStart();
    }

    /// <summary>Checks that nothing follows the root element.</summary>
    /// <exception cref="XmlException">Thrown when something does.</exception>
    public void ReadEnd()
    {
        if (TryFindMarkup())
        {
            throw new XmlException("The response continues after its root element.");
        }
    }

    /// <summary>Reads the next piece of an open element.</summary>
    /// <exception cref="XmlException">Thrown when it isn't well-formed.</exception>
    public ResponseNode Next()
    {
        _text.Clear();
        if (_isEmpty)
        {
            _isEmpty = false;
            _depth--;
            return ResponseNode.End;
        }

        while (true)
        {
            byte kind = _window.At(1); // at least the end of an element follows
            if (_window.Rest[0] != '<')
            {
                int length = _window.IndexOf("<"u8);
                _text.AddText(_window.Rest[..length]);
                _window.Skip(length);
            }
            else if (kind == '!' && IsNext("<![CDATA["u8))
            {
                _window.Skip(9);
                int length = _window.IndexOf("]]>"u8);
                _text.AddVerbatim(_window.Rest[..length]);
                _window.Skip(length + 3);
            }
            else if (kind is (byte)'!' or (byte)'?')
            {
                SkipUnused();
            }
            else if (!_text.IsEmpty)
            {
                return ResponseNode.Text;
            }
            else if (kind == '/')
            {
                ReadEndTag();
                return ResponseNode.End;
            }
            else
            {
                ReadStart();
                return ResponseNode.Start;
            }
        }
    }

    /// <summary>Reads an element that has just begun to its end.</summary>
    /// <returns>Its text, which is valid until the next call.</returns>
    /// <exception cref="XmlException">Thrown when it contains another element.</exception>
    public ReadOnlySpan<char> ReadText()
    {
        ResponseNode node = Next();
        if (node == ResponseNode.Text && _window.At(1) == '/')
        {
            ReadEndTag();
            return Text;
        }

        return node == ResponseNode.End ? default : throw Malformed("an element in a text");
    }

    /// <summary>Reads an element that has just begun to its end.</summary>
    public void Skip()
    {
        int around = _depth - 1;
        while (_depth > around)
        {
            _ = Next();
        }
    }

    public void Dispose() => _window.Dispose();

    private static bool IsSpace(byte value) => value is (byte)' ' or (byte)'\t' or (byte)'\r' or (byte)'\n';

    private static XmlException Malformed(string what) => new($"The response contains {what}.");

    private bool IsNext(ReadOnlySpan<byte> wanted) => _window.Has(wanted.Length) && _window.Rest.StartsWith(wanted);

    /// <summary>Moves to the next tag outside the root element.</summary>
    /// <returns>False if there is none.</returns>
    private bool TryFindMarkup()
    {
        while (_window.Has(1))
        {
            int spaces = _window.Rest.IndexOfAnyExcept(" \t\r\n"u8);
            if (spaces != 0)
            {
                _window.Skip(spaces > 0 ? spaces : _window.Rest.Length);
            }
            else if (_window.At(0) != '<')
            {
                throw Malformed("text outside its root element");
            }
            else if (_window.At(1) is (byte)'!' or (byte)'?')
            {
                SkipUnused();
            }
            else
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Skips a comment or a processing instruction.</summary>
    private void SkipUnused()
    {
        if (IsNext("<!--"u8))
        {
            int dashes = _window.IndexOf("--"u8, 4);
            _window.Skip(_window.At(dashes + 2) == '>' ? dashes + 3 : throw Malformed("a malformed comment"));
            return;
        }

        if (_window.At(1) == '!')
        {
            throw Malformed("a document type");
        }

        int target = NameEnd(2);
        int end = _window.IndexOf("?>"u8, target);
        if ((end > target && !IsSpace(_window.At(target))) || Ascii.EqualsIgnoreCase(_window.Rest[2..target], "xml"u8))
        {
            throw Malformed("a malformed processing instruction");
        }

        _window.Skip(end + 2);
    }

    private void ReadStart()
    {
        int at = _window.IndexOf(">"u8, 1);
        if (_known.Find(_window.Rest[1..at]) is { } known)
        {
            Open(known);
            _window.Skip(at + 1);
            return;
        }

        at = NameEnd(1);
        ReadOnlySpan<byte> name = _window.Rest[1..at];
        Open(_known.Find(name) ?? _known.Add(name));
        while (_window.At(at) != '>')
        {
            int next = SkipSpaces(at);
            switch (_window.At(next))
            {
                case (byte)'>':
                    at = next;
                    break;
                case (byte)'/' when _window.At(next + 1) == '>':
                    at = next + 1;
                    _isEmpty = true;
                    break;
                default:
                    at = next > at ? ReadAttribute(next).End : throw Malformed("a malformed tag");
                    break;
            }
        }

        _window.Skip(at + 1);
    }

    private void ReadEndTag()
    {
        byte[] name = _open[_depth - 1].Bytes;
        int end = name.Length + 2;
        if (!_window.Has(end + 1) || !_window.Rest[2..].StartsWith(name))
        {
            throw Malformed("an end of another element than the one that began last");
        }

        end = _window.Rest[end] == '>' ? end : SkipSpaces(end);
        _window.Skip(_window.At(end) == '>' ? end + 1 : throw Malformed("an end of another element than the one that began last"));
        _depth--;
    }

    private void Open(ElementName name)
    {
        if (_depth > MaxDepth)
        {
            throw new XmlException("The elements of the response are nested too deeply.");
        }

        _open[_depth++] = name;
    }

    /// <summary>Finds the end of a name, which has at most one prefix.</summary>
    private int NameEnd(int start)
    {
        int part = start;
        int at = start;
        while (true)
        {
            ReadOnlySpan<byte> rest = _window.Rest;
            for (; at < rest.Length; at++)
            {
                byte next = rest[at];
                if (next is (>= (byte)'a' and <= (byte)'z') or (>= (byte)'A' and <= (byte)'Z') or (byte)'_')
                {
                    continue;
                }

                bool isEnd = next is not ((>= (byte)'0' and <= (byte)'9') or (byte)'-' or (byte)'.' or (byte)':');
                if (at == part || (next == ':' && part > start))
                {
                    throw Malformed("a malformed name"); // a part is empty or begins with a digit, or there are two prefixes
                }

                if (isEnd)
                {
                    return at;
                }

                part = next == ':' ? at + 1 : part;
            }

            if (!_window.TryRead())
            {
                throw new XmlException("The response ends too early.");
            }
        }
    }

    private int SkipSpaces(int at)
    {
        while (IsSpace(_window.At(at)))
        {
            at++;
        }

        return at;
    }

    /// <summary>Reads an attribute.</summary>
    /// <returns>Where its name begins and ends, and where its value begins behind its quote and the attribute ends.</returns>
    private (int Start, int NameEnd, int Value, int End) ReadAttribute(int start)
    {
        int nameEnd = NameEnd(start);
        int equals = SkipSpaces(nameEnd);
        int quote = _window.At(equals) == '=' ? SkipSpaces(equals + 1) : throw Malformed("a malformed attribute");
        byte mark = _window.At(quote);
        int end = mark is (byte)'"' or (byte)'\'' ? _window.IndexOf([mark], quote + 1) : throw Malformed("a malformed attribute");
        ReadOnlySpan<byte> value = _window.Rest[(quote + 1)..end];
        if (value.Contains((byte)'<'))
        {
            throw Malformed("a malformed attribute");
        }

        for (int next; (next = value.IndexOf((byte)'&')) >= 0;)
        {
            value = value[(next + 1)..];
            value = value[TextBuffer.ReadReference(value, out _)..];
        }

        return (start, nameEnd, quote + 1, end + 1);
    }

    /// <summary>Reads the XML declaration: a version, then possibly an encoding, and whether the document is standalone.</summary>
    private void ReadDeclaration(bool checksEncoding)
    {
        int read = 0;
        int at = 5;
        while (true)
        {
            int next = SkipSpaces(at);
            if (_window.At(next) == '?')
            {
                _window.Skip(read > 0 && _window.At(next + 1) == '>' ? next + 2 : throw Malformed("a malformed declaration"));
                return;
            }

            if (next == at)
            {
                throw Malformed("a malformed declaration");
            }

            (int start, int nameEnd, int value, int end) = ReadAttribute(next);
            string name = Encoding.UTF8.GetString(_window.Rest[start..nameEnd]);
            string text = Encoding.UTF8.GetString(_window.Rest[value..(end - 1)]);
            read = (read, name, text) switch
            {
                (0, "version", "1.0") => 1,
                (1, "encoding", _) when !checksEncoding || text.ToUpperInvariant() is "UTF-8" or "UTF8" or "US-ASCII" => 2,
                (1 or 2, "standalone", "yes" or "no") => 3,
                _ => throw Malformed($"the declaration {name}=\"{text}\""),
            };
            at = end;
        }
    }
}
