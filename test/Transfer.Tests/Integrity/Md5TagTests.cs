using Transfer.S3.Integrity;

namespace Transfer.S3.Tests.Integrity;

public sealed class Md5TagTests
{
    [Theory]
    [InlineData("\"0123456789abcdef0123456789abcdef-1\"", 1)]
    [InlineData("0123456789ABCDEF0123456789abcdef-10000", 10000)]
    [InlineData("\"0123456789abcdef0123456789abcdef\"", null)] // a single-part object
    [InlineData("\"0123456789abcdef0123456789abcdef-0\"", null)]
    [InlineData("\"0123456789abcdef0123456789abcdef-\"", null)]
    [InlineData("\"0123456789abcdef0123456789abcdef-+2\"", null)]
    [InlineData("\"0123456789abcdef0123456789abcdef-99999999999\"", null)]
    [InlineData("\"0123456789abcdef-2\"", null)]
    [InlineData("-2", null)]
    [InlineData("", null)]
    [InlineData(null, null)]
    public void GetPartCount_Md5WithSuffix_IsTheNumberOfParts(string? etag, int? expected) => Assert.Equal(expected, Md5Tag.GetPartCount(etag));

    /// <summary>The expected value of the parts "a" and "b" was computed with other software.</summary>
    [Fact]
    public void OfParts_IsTheMd5OfTheirMd5s()
    {
        string? md5 = Md5Tag.OfParts(["\"0cc175b9c0f1b6a831c399e269772661\"", "92EB5FFEE6AE2FEC3AD71C777531578F"]);

        Assert.True(Md5Tag.Matches("\"96e024ba2074fe77e8e965ba43a704be-2\"", md5!));
        Assert.False(Md5Tag.Matches("\"96e024ba2074fe77e8e965ba43a704be-3\"", md5!));
    }

    [Theory]
    [InlineData("")]
    [InlineData(null)]
    [InlineData("\"opaque\"")]
    [InlineData("\"0cc175b9c0f1b6a831c399e269772661-2\"")]
    public void OfParts_OneIsNotAnMd5_IsNull(string? other) => Assert.Null(Md5Tag.OfParts(["\"0cc175b9c0f1b6a831c399e269772661\"", other]));
}
