using Transfer.S3.Bench.Report;

namespace Transfer.S3.Tests.Bench;

public sealed class HtmlTextTests
{
    [Theory]
    [InlineData("plain – ü 漢 😀", "plain – ü 漢 😀")]
    [InlineData("<script>alert('&\"')</script>", "&lt;script&gt;alert(&#39;&amp;&quot;&#39;)&lt;/script&gt;")]
    [InlineData("a\nb\u0001\u202e", "a\\nb\\u0001\\u202e")]
    [InlineData(null, "")]
    public void InterpolatedValues_AreEscaped(string? text, string expected) => Assert.Equal($"<p>{expected}</p>", HtmlText.From($"<p>{text}</p>").ToString());

    [Fact]
    public void CharactersInvalidInXml_AreReplaced()
    {
        string text = new(['\ud800', 'x', '\udc00', '\uffff']); // an attribute can't hold these
        Assert.Equal("\ufffdx\ufffd\ufffd", HtmlText.From($"{text}").ToString());
    }

    [Fact]
    public void LiteralParts_AreNotEscaped()
    {
        HtmlText[] items = [HtmlText.From($"<li>{"<1>"}</li>"), HtmlText.From($"<li>{2}</li>")];
        HtmlText? none = null;
        Assert.Equal("<ul><li>&lt;1&gt;</li><li>2</li></ul>", HtmlText.From($"<ul>{items}{none}</ul>").ToString());
    }

    [Fact]
    public void Add_AppendsInOrder()
    {
        HtmlText text = HtmlText.From($"<p>");
        Assert.Same(text, text.Add($"{"&"}{text.ToString().Length}"));
        Assert.Equal("<p>&amp;8", text.ToString());
    }

    [Theory]
    [InlineData(1.25, "1.2")]
    [InlineData(-0.04, "0")]
    [InlineData(1234567.89, "1234567.9")]
    [InlineData(1e-9, "0")]
    public void Coordinates_AreShort(double value, string expected) => Assert.Equal(expected, HtmlText.From($"{value}").ToString());
}
