using System.Text;
using System.Text.RegularExpressions;
using System.Xml;
using Transfer.S3.Wire.Http;

namespace Transfer.S3.Tests.Fuzz;

/// <summary>The reader of responses reads what the reader of .NET reads, and rejects what it rejects.</summary>
public sealed class ResponseReaderFuzzTests
{
    private const int Window = 64 * 1024;

    private const string Document =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- c --><R xmlns=\"n\" a='1'>\n <Key x=\"&gt;>\">p/&#xE9;é&#55357;&#56832;\r\n]<![CDATA[<&]\r]]> b</Key ><e/><e  />"
        + "<?pi x?><D><Size> 5 </Size><!-- <x> --> <ETag>&quot;e&apos;&amp;&lt;&gt;\U0001F600&#x1F600;&#x8;</ETag></D>t<!-- c -->u</R>\n<?pi?>\n";

    // Inputs that have broken XML parsers, and everything that the reader handles.
    private static readonly string[] Words =
    [
        "<!DOCTYPE a [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>", "<!DOCTYPE a>", "&e;", "&#x0;", "&#55296;", "&#xD83D;&#xDE00;", "&#x110000;", "&#99999999999;", "&#;", "&#x;", "&;", "&", "&amp;",
        "&lt", "<![CDATA[x]]>", "<![CDATA[", "]]>", "<!-- c -->", "<!-- -- -->", "<!-->", "--", "<?pi x?>", "<?xml version=\"1.0\"?>", "<?XML x?>", "?>", "<a>", "</a>", "<a/>", "<a b='1' b='2'/>", "<a b/>",
        "<a b=1/>", "</R>", "<R>", "<Key>", "</Key>", "<p:a xmlns:p='n'/>", "<p:a/>", "<a:/>", "<:a/>", "<1/>", "<a b='<'/>", "<a b='&x;'/>", "<é/>", "\r", "\r\n", "\t", "\0", "\uFEFF", "\uFFFF", "/", ">", "=",
        "encoding=\"utf-7\"", "encoding=\"utf-16\"", "encoding='US-ASCII'", "version=\"1.1\"", "standalone=\"yes\"", " ",
    ];

    private static readonly XmlReaderSettings Settings = new()
    {
        CheckCharacters = false,
        DtdProcessing = DtdProcessing.Prohibit,
        IgnoreComments = true,
        IgnoreProcessingInstructions = true,
        IgnoreWhitespace = true,
        XmlResolver = null,
    };

    [Fact]
    public Task AnyBytes_AreReadAsTheReaderOfTheFrameworkReadsThem() => Fuzzer.BytesAsync(
        random => Mutation.Bytes(random, [Document], Words),
        bytes =>
        {
            string? expected = Try(() => Expected(bytes), out XmlException? theirs);
            string? actual = Try(() => Actual(bytes), out XmlException? error);
            if (expected is not null && actual is null)
            {
                Assert.True(IsStricter(error!, bytes), $"Rejected: {error}");
            }
            else if (expected is null && actual is not null)
            {
                Assert.True(IsAllowed(theirs!), $"Accepted: {theirs}");
            }
            else
            {
                Assert.Equal(expected, actual);
            }
        });

    [Fact]
    public void Document_AtAnyPlaceOfTheWindow_IsTheSame()
    {
        byte[] document = Encoding.UTF8.GetBytes(Document);
        string expected = Expected(document);
        int start = Document.IndexOf("<!--", StringComparison.Ordinal);
        Assert.Equal(expected, Actual(document));
        for (int length = Window - document.Length; length <= Window; length++)
        {
            byte[] moved = [.. document.AsSpan(0, start), .. Encoding.ASCII.GetBytes(new string(' ', length)), .. document.AsSpan(start)];
            Assert.Equal(expected, Actual(moved));
        }
    }

    [Fact]
    public void Text_LongerThanTheWindow_IsWhole()
    {
        string text = string.Concat(Enumerable.Repeat("é&amp;x\U0001F600", Window));
        byte[] document = Encoding.UTF8.GetBytes($"<R><!-- {text} --><a b='{text}'>{text}</a></R>");

        Assert.Equal(Expected(document), Actual(document));
    }

    [Theory]
    [InlineData("C3")]
    [InlineData("A9")]
    [InlineData("C0AF")]
    [InlineData("EDA080")]
    [InlineData("F4908080")]
    [InlineData("F09F98")]
    public void InvalidUtf8_IsRejected(string bytes)
    {
        byte[] invalid = Convert.FromHexString(bytes);
        for (int i = 0; i < 3; i++)
        {
            byte[] document = [.. "<R>"u8, .. i == 0 ? invalid : [], .. "<a>"u8, .. i == 1 ? invalid : [], .. "</a></R>"u8, .. i == 2 ? invalid : []];

            Assert.Throws<XmlException>(() => Actual(document));
        }
    }

    private static string? Try(Func<string> read, out XmlException? error)
    {
        try
        {
            error = null;
            return read();
        }
        catch (XmlException e)
        {
            error = e;
            return null;
        }
    }

    private static string Actual(byte[] bytes)
    {
        StringBuilder text = new();
        using ResponseReader reader = new(new MemoryStream(bytes));
        reader.ReadRoot(checksEncoding: true);
        text.Append('<').Append(reader.Name);
        for (int depth = 1; depth > 0;)
        {
            switch (reader.Next())
            {
                case ResponseNode.Start:
                    depth++;
                    text.Append('<').Append(reader.Name);
                    break;
                case ResponseNode.End:
                    depth--;
                    text.Append('>');
                    break;
                default:
                    text.Append('=').Append(reader.Text);
                    break;
            }
        }

        reader.ReadEnd();
        return text.ToString();
    }

    private static string Expected(byte[] bytes)
    {
        StringBuilder text = new();
        using XmlReader reader = XmlReader.Create(new MemoryStream(bytes), Settings);
        if (reader.MoveToContent() != XmlNodeType.Element)
        {
            throw new XmlException("no root");
        }

        Add();
        return text.ToString();

        void Add()
        {
            text.Append('<').Append(reader.LocalName);
            bool isEmpty = reader.IsEmptyElement;
            reader.Read();
            while (!isEmpty && reader.NodeType != XmlNodeType.EndElement)
            {
                if (reader.NodeType == XmlNodeType.Element)
                {
                    Add();
                }
                else if (reader.ReadContentAsString() is { Length: > 0 } content)
                {
                    text.Append('=').Append(content);
                }
            }

            if (!isEmpty)
            {
                reader.Read();
            }

            text.Append('>');
        }
    }

    /// <summary>Returns whether an error is about a declaration or a name that no response of a store has, or about half of a character behind the document.</summary>
    private static bool IsStricter(XmlException error, byte[] bytes)
        => error.Message.Contains("the declaration", StringComparison.Ordinal)
            || (error.Message.Contains("malformed", StringComparison.Ordinal) && Regex.IsMatch(Encoding.Latin1.GetString(bytes), "<[^<>]*[\x80-\xFF]", RegexOptions.NonBacktracking))
            || (error.Message.Contains("not valid UTF-8", StringComparison.Ordinal) && bytes[^1] >= 0x80);

    /// <summary>
    /// Returns whether an error is about something that the reader of responses allows: any character, which the other reader rejects in some places only, and what it
    /// doesn't look at in attributes, processing instructions, and prefixes.
    /// </summary>
    private static bool IsAllowed(XmlException error)
        => Regex.IsMatch(error.Message, "undeclared prefix|duplicate attribute|value 0x.*is an invalid character|'UTF8' encoding|The ':' character", RegexOptions.NonBacktracking);
}
