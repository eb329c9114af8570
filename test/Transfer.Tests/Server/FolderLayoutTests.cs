using Transfer.S3.Server.Storage.Folder;

namespace Transfer.S3.Tests.Server;

public sealed class FolderLayoutTests
{
    [Theory]
    [InlineData("a-b_c.9", "a-b_c.9")]
    [InlineData("../x", "%2e.%2fx")]
    [InlineData("A", "%41")]
    [InlineData("é:\\", "%c3%a9%3a%5c")]
    [InlineData("~", "%7e")]
    public void FileName_AnyKey_IsAValidFileName(string key, string expected) => Assert.Equal(expected, FolderLayout.FileName(key));

    [Fact]
    public void FileName_LongKeys_StayShortAndDistinct()
    {
        string first = FolderLayout.FileName(new string('a', 1000) + "1");
        string second = FolderLayout.FileName(new string('a', 1000) + "2");

        Assert.NotEqual(first, second);
        Assert.InRange(first.Length, 1, 200);
        Assert.StartsWith("~", first, StringComparison.Ordinal);
    }
}
