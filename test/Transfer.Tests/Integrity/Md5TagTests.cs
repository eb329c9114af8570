using Transfer.Integrity;

namespace Transfer.Tests.Integrity;

public sealed class Md5TagTests
{
    [Theory]
    [InlineData("\"0123456789abcdef0123456789abcdef-1\"", 1)]
    [InlineData("0123456789ABCDEF0123456789abcdef-10000", 10000)]
    [InlineData("\"0123456789abcdef0123456789abcdef\"", null)] // in one piece
    [InlineData("\"0123456789abcdef0123456789abcdef-0\"", null)]
    [InlineData("\"0123456789abcdef0123456789abcdef-\"", null)]
    [InlineData("\"0123456789abcdef0123456789abcdef-+2\"", null)]
    [InlineData("\"0123456789abcdef0123456789abcdef-99999999999\"", null)]
    [InlineData("\"0123456789abcdef-2\"", null)]
    [InlineData("-2", null)]
    [InlineData("", null)]
    [InlineData(null, null)]
    public void PartsOf_IsTheNumberBehindAnMd5(string? etag, int? expected) => Assert.Equal(expected, Md5Tag.PartsOf(etag));
}
