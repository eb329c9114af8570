using System.Text;
using System.Xml.Linq;
using Transfer.S3.Wire.Http;

namespace Transfer.S3.Tests.Wire;

public sealed class RequestXmlTests
{
    private static readonly XNamespace Namespace = "http://s3.amazonaws.com/doc/2006-03-01/";

    [Fact]
    public void Create_HasTheNamespaceOfS3_AndLeavesOutWhatIsNull()
    {
        ReadOnlyMemory<byte> document = RequestXml.Create("Root", static xml =>
        {
            xml.Start("Item");
            xml.Element("Number", 12);
            xml.Element("None", null);
            xml.Element("Empty", string.Empty);
            xml.End("Item");
        });

        Assert.Equal(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><Root xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Item><Number>12</Number><Empty></Empty></Item></Root>",
            Encoding.UTF8.GetString(document.Span));
    }

    [Theory]
    [InlineData("plain")]
    [InlineData("a&b<c>d\"e'f")]
    [InlineData("]]>")]
    [InlineData("&amp;&#x8;")]
    [InlineData(" spaces  at both ends ")]
    [InlineData("line\nfeed\r\nand\ttab\r")]
    [InlineData("\u00e4\u20ac\U0001F600")]
    public void Element_ReadersFindTheSameText(string text)
    {
        ReadOnlyMemory<byte> document = RequestXml.Create("Root", xml => xml.Element("Key", text));

        XElement root = XDocument.Parse(Encoding.UTF8.GetString(document.Span), LoadOptions.PreserveWhitespace).Root!;
        Assert.Equal(text, root.Element(Namespace + "Key")!.Value);
    }

    [Fact]
    public void Element_LongText_IsWhole()
    {
        string text = string.Concat(Enumerable.Repeat("0123456789<\u20ac", 2_000));

        ReadOnlyMemory<byte> document = RequestXml.Create("Root", xml => xml.Element("Key", text));

        Assert.Equal(text, XDocument.Parse(Encoding.UTF8.GetString(document.Span)).Root!.Value);
    }

    [Fact]
    public void Element_ControlCharacter_IsAReference() // which no parser turns into another character
        => Assert.Contains("<Key>a&#x1;</Key>", Encoding.UTF8.GetString(RequestXml.Create("Root", static xml => xml.Element("Key", "a\u0001")).Span), StringComparison.Ordinal);

    [Fact]
    public void Element_HalfOfACharacter_IsRejected()
        => Assert.Throws<EncoderFallbackException>(() => RequestXml.Create("Root", static xml => xml.Element("Key", "a\uD800")));
}
