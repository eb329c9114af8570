using System.Globalization;
using System.Xml;

namespace Transfer.Wire.Http;

/// <summary>Reads the XML of responses with limits on length and depth. Without document types, it has no entities and no external references.</summary>
/// <remarks>
/// Responses repeat the key of the object, whose characters S3 doesn't restrict to those of XML. Amazon S3 and others send the rest as character references, such
/// as <c>&amp;#x8;</c>, so that these are accepted. Keys are escaped wherever they are sent, and ETags, which aren't, can't have control characters.
/// </remarks>
internal static class S3ResponseXml
{
    /// <summary>Twice the depth of any S3 response.</summary>
    private const int MaxDepth = 16;

    private static readonly XmlReaderSettings OfLists = Settings(ListResponse.MaxBytes);

    /// <param name="maxCharacters">The maximum length of a document.</param>
    public static XmlReaderSettings Settings(int maxCharacters) => new()
    {
        CheckCharacters = false,
        DtdProcessing = DtdProcessing.Prohibit,
        IgnoreComments = true,
        IgnoreProcessingInstructions = true,
        IgnoreWhitespace = true,
        MaxCharactersInDocument = maxCharacters,
        XmlResolver = null,
    };

    /// <summary>Reads the child elements of the root element of a response. The response can be an error although its status is 200.</summary>
    /// <exception cref="XmlException">Thrown when the XML is invalid, or has another root element.</exception>
    /// <exception cref="WireException">Thrown when the response is an error.</exception>
    public static void Read<T>(HttpResponseMessage response, byte[] body, string root, T into, Func<T, XmlReader, bool> readChild)
    {
        using XmlReader reader = XmlReader.Create(new MemoryStream(body), OfLists);
        if (reader.MoveToContent() == XmlNodeType.Element && reader.LocalName == "Error")
        {
            throw HttpErrors.InBody(response, body) ?? (Exception)new XmlException("It is an error without a code.");
        }

        CheckRoot(reader, root);
        ReadChildren(reader, into, readChild);
    }

    /// <summary>Checks that a reader, which is at the first content, is at the expected root element.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="root">The beginning of the name, without regard to case: MinIO returns a <c>getObjectAttributesResponse</c>.</param>
    /// <exception cref="XmlException">Thrown when it isn't.</exception>
    public static void CheckRoot(XmlReader reader, string root)
    {
        if (reader.NodeType != XmlNodeType.Element || !reader.LocalName.StartsWith(root, StringComparison.OrdinalIgnoreCase))
        {
            throw new XmlException($"It has no {root} element.");
        }
    }

    /// <summary>Reads the child elements of an element, and moves the reader past the element.</summary>
    /// <param name="reader">The reader, at the element.</param>
    /// <param name="into">What the content is read into.</param>
    /// <param name="readChild">Reads one child element, and returns <c>true</c>; or doesn't read it, and returns <c>false</c>. It is skipped then.</param>
    /// <exception cref="XmlException">Thrown when the XML is invalid, or contains text where elements are expected.</exception>
    public static void ReadChildren<T>(XmlReader reader, T into, Func<T, XmlReader, bool> readChild)
    {
        bool isEmpty = reader.IsEmptyElement;
        reader.Read();
        while (!isEmpty && reader.NodeType == XmlNodeType.Element)
        {
            if (!readChild(into, reader))
            {
                Skip(reader);
            }
        }

        if (!isEmpty)
        {
            if (reader.NodeType != XmlNodeType.EndElement)
            {
                throw new XmlException("The response contains unexpected content.");
            }

            reader.Read();
        }
    }

    /// <summary>Reads the text of an element, and moves the reader past the element.</summary>
    /// <returns>The text; null if it is empty.</returns>
    public static string? Text(XmlReader reader) => Exact(reader).Trim() is { Length: > 0 } text ? text : null;

    /// <summary>Reads a number, and moves the reader past the element.</summary>
    /// <returns>The number; null if the text isn't one.</returns>
    public static long? Number(XmlReader reader) => long.TryParse(Text(reader), NumberStyles.None, CultureInfo.InvariantCulture, out long number) ? number : null;

    /// <summary>Reads a truth value, and moves the reader past the element.</summary>
    public static bool IsTrue(XmlReader reader) => bool.TryParse(Text(reader), out bool value) && value;

    /// <summary>Gets the algorithm of a checksum by the name of its element; <see cref="ChecksumAlgorithm.Auto"/> if it is another element.</summary>
    public static ChecksumAlgorithm AlgorithmOf(string element)
    {
        ReadOnlySpan<char> name = element.StartsWith("Checksum", StringComparison.Ordinal) ? element.AsSpan("Checksum".Length) : default;
        foreach (ChecksumAlgorithm algorithm in ChecksumNames.Stored)
        {
            if (name.SequenceEqual(algorithm.MultipartName()))
            {
                return algorithm;
            }
        }

        return default;
    }

    /// <summary>Reads the unchanged text of an element, such as a key, and moves the reader past the element.</summary>
    /// <exception cref="XmlException">Thrown when the text is half of a character, which can't be sent back to the store.</exception>
    public static string Exact(XmlReader reader)
    {
        string text = reader.ReadElementContentAsString();
        for (int i = text.AsSpan().IndexOfAnyInRange('\uD800', '\uDFFF'); i >= 0 && i < text.Length; i++)
        {
            if (char.IsSurrogate(text[i]) && !(i + 1 < text.Length && char.IsSurrogatePair(text[i], text[++i])))
            {
                throw new XmlException("A text of the response contains half of a character.");
            }
        }

        return text;
    }

    /// <summary>Reads an ETag, which becomes the value of headers; null if the element is empty.</summary>
    /// <exception cref="XmlException">Thrown when it contains a control character.</exception>
    public static string? ETag(XmlReader reader)
    {
        string? text = Text(reader);
        return text?.Any(char.IsControl) == true ? throw new XmlException("An ETag contains a control character.") : text;
    }

    /// <summary>Skips an element and its content.</summary>
    /// <exception cref="XmlException">Thrown when the XML is invalid or nested too deeply. A reader keeps all open elements in memory.</exception>
    public static void Skip(XmlReader reader)
    {
        int depth = reader.Depth;
        if (!reader.IsEmptyElement)
        {
            while (reader.Read() && reader.Depth > depth)
            {
                if (reader.Depth > MaxDepth)
                {
                    throw new XmlException("The elements of the response are nested too deeply.");
                }
            }
        }

        reader.Read();
    }
}
