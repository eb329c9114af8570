using Transfer.S3.Upload;

namespace Transfer.S3.Tests.Upload;

public sealed class ContentTypesTests
{
    [Theory]
    [InlineData("photo.jpg", "image/jpeg")]
    [InlineData("a/b.c/Report.PDF", "application/pdf")]
    [InlineData("logs/day.csv.gz", "application/gzip")]
    [InlineData("a.json/plain", null)]
    [InlineData("data.unheard", null)]
    [InlineData("json", null)]
    [InlineData("ends.", null)]
    public void Guess_UsesTheLastExtensionOfTheName(string name, string? expected)
        => Assert.Equal(expected, ContentTypes.Guess(name));
}
