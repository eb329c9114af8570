using System.Globalization;
using System.Text;
using System.Text.Unicode;
using System.Xml;
using Transfer.S3.Integrity;

namespace Transfer.S3.Wire.Http;

/// <summary>An element of the XML of a response, with limits on length and depth.</summary>
/// <remarks>Its text can contain any character. Keys are escaped wherever they are sent, and ETags, which aren't, can't have control characters.</remarks>
internal sealed class ResponseElement
{
    /// <summary>The maximum size of a response: far more than 1,000 keys of 1,024 bytes need, however they are escaped.</summary>
    public const int MaxBytes = 8 * 1024 * 1024;

    private const string UnexpectedContent = "The response contains unexpected content.";
    private static readonly byte[] Whitespace = " \t\r\n\v\f"u8.ToArray();
    private readonly string _name;
    private string _text = string.Empty;
    private List<ListedObject>? _objects;
    private ResponseElement? _firstChild;
    private ResponseElement? _next;

    private ResponseElement(string name) => _name = name;

    /// <summary>Reads a response to a read, whose text must be exact.</summary>
    /// <param name="body">The body.</param>
    /// <param name="root">The beginning of the name of the root element, without regard to case: MinIO returns a <c>getObjectAttributesResponse</c>.</param>
    /// <returns>The root element; null if it has another name.</returns>
    /// <exception cref="XmlException">Thrown when the XML is invalid or nested too deeply.</exception>
    public static ResponseElement? Read(Stream body, string root)
    {
        using ResponseReader reader = new(body);
        return Read(reader, root, checksEncoding: true);
    }

    /// <summary>Reads a response that can begin with whitespace, which a store sends for minutes while it works, and whose text is only shown.</summary>
    /// <inheritdoc cref="Read(Stream, string)"/>
    public static ResponseElement? ReadLeniently(byte[] body, string root)
    {
        byte[] valid = Utf8.IsValid(body) ? body : Encoding.UTF8.GetBytes(Encoding.UTF8.GetString(body));
        int begin = valid.Length - valid.AsSpan().TrimStart(Whitespace).Length;
        using ResponseReader reader = new(new MemoryStream(valid, begin, valid.AsSpan(begin).TrimEnd(Whitespace).Length, writable: false));
        return Read(reader, root, checksEncoding: false);
    }

    public string Name => _name;

    /// <summary>Gets the child elements of a name.</summary>
    /// <exception cref="XmlException">Thrown when the element contains text.</exception>
    public IEnumerable<ResponseElement> Children(string name)
    {
        for (ResponseElement? child = Child(name); child is not null; child = Find(child._next, name))
        {
            yield return child;
        }
    }

    /// <summary>Gets the child elements of two names, in the order of the response.</summary>
    /// <exception cref="XmlException">Thrown when the element contains text.</exception>
    public IEnumerable<ResponseElement> Children(string name, string other)
    {
        for (ResponseElement? child = _text.Length == 0 ? _firstChild : throw new XmlException(UnexpectedContent); child is not null; child = child._next)
        {
            if (child._name == name || child._name == other)
            {
                yield return child;
            }
        }
    }

    /// <summary>Gets the first child element of a name, if any.</summary>
    /// <exception cref="XmlException">Thrown when the element contains text.</exception>
    public ResponseElement? Child(string name) => _text.Length == 0 ? Find(_firstChild, name) : throw new XmlException(UnexpectedContent);

    /// <summary>Gets the unchanged text of a child element, such as a key; null if there is no such element.</summary>
    /// <exception cref="XmlException">Thrown when the text contains half of a character, which can't be sent back to the store, or an element.</exception>
    public string? Exact(string name)
    {
        ResponseElement? child = Child(name);
        if (child is null)
        {
            return null;
        }

        _ = Whole(child._text);
        return child._firstChild is null ? child._text : throw new XmlException($"The element {name} contains another one.");
    }

    /// <summary>Checks that a text contains no half of a character.</summary>
    /// <returns>The text.</returns>
    /// <exception cref="XmlException">Thrown when it does.</exception>
    public static ReadOnlySpan<char> Whole(ReadOnlySpan<char> text)
    {
        for (int i = text.IndexOfAnyInRange('\uD800', '\uDFFF'); i >= 0 && i < text.Length; i++)
        {
            if (char.IsSurrogate(text[i]) && !(i + 1 < text.Length && char.IsSurrogatePair(text[i], text[++i])))
            {
                throw new XmlException("A text of the response contains half of a character.");
            }
        }

        return text;
    }

    /// <summary>Gets the objects of a listing. Their keys can be encoded.</summary>
    /// <exception cref="XmlException">Thrown when the element contains text.</exception>
    public IReadOnlyList<ListedObject> Objects => _text.Length == 0 ? _objects ?? [] : throw new XmlException(UnexpectedContent);

    /// <summary>Gets the text of a child element; null if it is empty.</summary>
    public string? Text(string name) => Exact(name)?.Trim() is { Length: > 0 } text ? text : null;

    /// <summary>Gets a number; null if the text isn't one.</summary>
    public long? Number(string name) => long.TryParse(Text(name), NumberStyles.None, CultureInfo.InvariantCulture, out long number) ? number : null;

    /// <summary>Gets a number of a part; null if the text isn't one.</summary>
    public int? PartNumber(string name) => Number(name) is > 0 and <= int.MaxValue and var number ? (int)number : null;

    public bool IsTrue(string name) => bool.TryParse(Text(name), out bool value) && value;

    public DateTimeOffset? Time(string name)
        => DateTimeOffset.TryParse(Text(name), CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time) ? time : null;

    /// <summary>Gets the ETag, which becomes the value of headers.</summary>
    /// <exception cref="XmlException">Thrown when it contains a control character.</exception>
    public string? ETag => Text("ETag") is { } text && text.Any(char.IsControl) ? throw new XmlException("An ETag contains a control character.") : Text("ETag");

    public StoredChecksum? Checksum => ChecksumTable.FindValue(this, static (element, entry) => element.Text(entry.ElementName!), static element => element.Text("ChecksumType"));

    private static ResponseElement? Read(ResponseReader reader, string root, bool checksEncoding)
    {
        reader.ReadRoot(checksEncoding);
        if (!reader.Name.StartsWith(root, StringComparison.OrdinalIgnoreCase))
        {
            return null;
        }

        ResponseElement element = ReadWhole(reader);
        reader.ReadEnd();
        return element;
    }

    /// <summary>Reads an element that has just begun to its end.</summary>
    public static ResponseElement ReadWhole(ResponseReader reader)
    {
        ResponseElement element = new(reader.Name);
        ResponseElement? last = null;
        while (reader.Next() is not ResponseNode.End and var node)
        {
            if (node == ResponseNode.Text)
            {
                element._text = reader.Text.ToString();
            }
            else if (reader.Name == ListRow.Name)
            {
                (element._objects ??= []).Add(ListRow.Read(reader));
            }
            else
            {
                ResponseElement child = ReadWhole(reader);
                _ = last is null ? element._firstChild = child : last._next = child;
                last = child;
            }
        }

        return element;
    }

    private static ResponseElement? Find(ResponseElement? element, string name)
    {
        while (element is not null && element._name != name)
        {
            element = element._next;
        }

        return element;
    }
}
