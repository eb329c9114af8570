using Transfer.S3.Server.Http;

namespace Transfer.S3.Tests.Server;

public sealed class PercentEncodingTests
{
    [Theory]
    [InlineData("a/b-._~Z9", true, "a/b-._~Z9")]
    [InlineData("a/b", false, "a%2Fb")]
    [InlineData("a b+c=d&é", true, "a%20b%2Bc%3Dd%26%C3%A9")]
    public void Encode_Text_EncodesAllButUnreserved(string text, bool keepSlash, string expected) =>
        Assert.Equal(expected, PercentEncoding.Encode(text, keepSlash));

    [Theory]
    [InlineData("%C3%A9%2f%2F", false, "é//")]
    [InlineData("a+b", false, "a+b")]
    [InlineData("a+b", true, "a b")]
    [InlineData("+%2B+", true, " + ")]
    public void TryDecode_Encoded_Decodes(string text, bool plusIsSpace, string expected)
    {
        Assert.True(PercentEncoding.TryDecode(text, plusIsSpace, out string? decoded));
        Assert.Equal(expected, decoded);
    }

    [Theory]
    [InlineData("%")]
    [InlineData("a%2")]
    [InlineData("%zz")]
    [InlineData("%ff")]
    public void TryDecode_BrokenEscapeOrText_IsFalse(string text) => Assert.False(PercentEncoding.TryDecode(text, plusIsSpace: false, out _));

    [Fact]
    public void TryDecode_EveryByteEncoded_IsTheOriginal()
    {
        string text = string.Concat(Enumerable.Range(1, 0x2FF).Select(static c => (char)c)) + "\U0001F600";

        Assert.True(PercentEncoding.TryDecode(PercentEncoding.Encode(text, keepSlash: false), plusIsSpace: true, out string? decoded));

        Assert.Equal(text, decoded);
    }
}
