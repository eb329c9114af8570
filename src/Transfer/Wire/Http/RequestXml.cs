using System.Buffers;
using System.Globalization;
using System.Text;

namespace Transfer.S3.Wire.Http;

/// <summary>The XML document of a request (Extensible Markup Language 1.0): elements without attributes, in the namespace of the root element.</summary>
/// <remarks>
/// Each multipart upload needs one, for which the writer of .NET allocates several KB. Characters that XML doesn't allow become references, which a store rejects.
/// </remarks>
internal sealed class RequestXml
{
    private const string Namespace = "http://s3.amazonaws.com/doc/2006-03-01/";
    private const int UsualBytes = 512;

    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true); // half a character would name another key
    private static readonly SearchValues<char> Special = SearchValues.Create([.. Enumerable.Range(0, ' ').Select(static code => (char)code), '&', '<', '>']);
    private readonly ArrayBufferWriter<byte> _document = new(UsualBytes);

    private RequestXml()
    {
    }

    /// <summary>Creates a document.</summary>
    /// <param name="root">The name of the root element.</param>
    /// <param name="write">Writes the content of the root element.</param>
    /// <exception cref="EncoderFallbackException">Thrown when a text contains half of a character.</exception>
    public static ReadOnlyMemory<byte> Create(string root, Action<RequestXml> write)
    {
        RequestXml xml = new();
        xml.Add("<?xml version=\"1.0\" encoding=\"utf-8\"?><").Add(root).Add(" xmlns=\"").Add(Namespace).Add("\">");
        write(xml);
        xml.End(root);
        return xml._document.WrittenMemory;
    }

    /// <summary>Begins an element.</summary>
    public void Start(string name) => Add("<").Add(name).Add(">");

    /// <summary>Ends an element.</summary>
    public void End(string name) => Add("</").Add(name).Add(">");

    /// <summary>Adds an element with a text; none if the text is null.</summary>
    public void Element(string name, string? text)
    {
        if (text is not null)
        {
            Start(name);
            AddText(text);
            End(name);
        }
    }

    public void Element(string name, int number) => Element(name, number.ToString(CultureInfo.InvariantCulture));

    private void AddText(ReadOnlySpan<char> text)
    {
        while (text.IndexOfAny(Special) is >= 0 and var at)
        {
            Add(text[..at]);
            Add(text[at] switch
            {
                '&' => "&amp;",
                '<' => "&lt;",
                '>' => "&gt;",
                var control => string.Create(CultureInfo.InvariantCulture, $"&#x{(int)control:X};"),
            });
            text = text[(at + 1)..];
        }

        Add(text);
    }

    private RequestXml Add(ReadOnlySpan<char> text)
    {
        Utf8.GetBytes(text, _document);
        return this;
    }
}
