using System.Globalization;
using System.Text;
using System.Xml;
using Transfer.Integrity;

namespace Transfer.Wire.Http;

/// <summary>An element of the XML of a response, with limits on length and depth. Without document types, it has no entities and no external references.</summary>
/// <remarks>
/// Responses repeat the key of the object, whose characters S3 doesn't restrict to those of XML. Amazon S3 and others send the rest as character references, such
/// as <c>&amp;#x8;</c>, so that these are accepted. Keys are escaped wherever they are sent, and ETags, which aren't, can't have control characters.
/// </remarks>
internal sealed class ResponseElement
{
    /// <summary>The maximum size of a response: far more than 1,000 keys of 1,024 bytes need, however they are escaped.</summary>
    public const int MaxBytes = 8 * 1024 * 1024;

    /// <summary>Twice the depth of any S3 response.</summary>
    private const int MaxDepth = 16;

    private static readonly XmlReaderSettings Settings = new()
    {
        CheckCharacters = false,
        DtdProcessing = DtdProcessing.Prohibit,
        IgnoreComments = true,
        IgnoreProcessingInstructions = true,
        IgnoreWhitespace = true,
        XmlResolver = null,
    };

    private const string UnexpectedContent = "The response contains unexpected content.";
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
        using XmlReader reader = XmlReader.Create(body, Settings);
        return Read(reader, root);
    }

    /// <summary>Reads a response that can begin with whitespace, which a store sends for minutes while it works, and whose text is only shown.</summary>
    /// <inheritdoc cref="Read(Stream, string)"/>
    public static ResponseElement? ReadLeniently(ReadOnlySpan<byte> body, string root)
    {
        using XmlReader reader = XmlReader.Create(new StringReader(Encoding.UTF8.GetString(body).Trim()), Settings);
        return Read(reader, root);
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
        return child?._firstChild is null ? child is null ? null : Whole(child._text) : throw new XmlException($"The element {name} contains another one.");
    }

    /// <summary>Moves a reader past an element.</summary>
    /// <exception cref="XmlException">Thrown when it is nested too deeply.</exception>
    public static void Skip(XmlReader reader)
    {
        int depth = reader.Depth;
        bool isEmpty = reader.IsEmptyElement;
        while (reader.Read() && !isEmpty && reader.Depth > depth)
        {
            CheckDepth(reader);
        }

        if (!isEmpty)
        {
            reader.Read();
        }
    }

    /// <summary>Checks that a text contains no half of a character.</summary>
    /// <returns>The text.</returns>
    /// <exception cref="XmlException">Thrown when it does.</exception>
    public static string Whole(string text)
    {
        for (int i = text.AsSpan().IndexOfAnyInRange('\uD800', '\uDFFF'); i >= 0 && i < text.Length; i++)
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

    public StoredChecksum? Checksum => ChecksumTable.FindValue(entry => Text(entry.ElementName!), () => Text("ChecksumType"));

    private static ResponseElement? Read(XmlReader reader, string root)
        => reader.MoveToContent() == XmlNodeType.Element && reader.LocalName.StartsWith(root, StringComparison.OrdinalIgnoreCase) ? ReadWhole(reader) : null;

    /// <summary>Reads an element, and moves the reader past it.</summary>
    public static ResponseElement ReadWhole(XmlReader reader)
    {
        ResponseElement element = new(reader.LocalName);
        ResponseElement? last = null;
        CheckDepth(reader);
        bool isEmpty = reader.IsEmptyElement;
        reader.Read();
        while (!isEmpty && reader.NodeType != XmlNodeType.EndElement)
        {
            if (reader.NodeType != XmlNodeType.Element)
            {
                element._text = reader.ReadContentAsString();
                continue;
            }

            if (reader.LocalName == ListRow.Name)
            {
                (element._objects ??= []).Add(ListRow.Read(reader));
                continue;
            }

            ResponseElement child = ReadWhole(reader);
            _ = last is null ? element._firstChild = child : last._next = child;
            last = child;
        }

        if (!isEmpty)
        {
            reader.Read();
        }

        return element;
    }

    private static void CheckDepth(XmlReader reader)
    {
        if (reader.Depth > MaxDepth)
        {
            throw new XmlException("The elements of the response are nested too deeply.");
        }
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
