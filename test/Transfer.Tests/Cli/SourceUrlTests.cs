using Transfer.S3.Cli.Options;

namespace Transfer.S3.Tests.Cli;

public sealed class SourceUrlTests
{
    [Theory]
    [InlineData("https://bucket.s3.eu-west-1.amazonaws.com/a/b%20c?X-Amz-Signature=1", "s3://bucket/a/b c")]
    [InlineData("https://bucket.s3-fips.us-west-2.amazonaws.com/k", "s3://bucket/k")]
    [InlineData("https://s3.eu-west-1.amazonaws.com/bucket/a/b", "s3://bucket/a/b")]
    [InlineData("http://127.0.0.1:9000/bucket/k?X-Amz-Signature=1", "s3://bucket/k")]
    [InlineData("https://cdn.example.com/big.iso", "s3://cdn/big.iso")]
    [InlineData("http://127.0.0.1/k", "s3://url/k")]
    [InlineData("https://example.com/Not_A_Bucket/k", "s3://url/Not_A_Bucket/k")]
    public void TryParse_Url_HasAnAddressForMessages(string text, string address) => Assert.Equal(address, SourceUrl.TryParse(text)?.Address);

    [Fact]
    public void TryParse_Query_StaysAsItWasWritten()
        => Assert.Equal("/b/a%2Fb/../c?X-Amz-Credential=a%2Fb&X=%41", SourceUrl.TryParse("https://h/b/a%2Fb/../c?X-Amz-Credential=a%2Fb&X=%41#part")!.Url.PathAndQuery);

    [Theory]
    [InlineData("s3://bucket/k")]
    [InlineData("httpsfile")]
    [InlineData("./https://h/k")]
    public void TryParse_OtherText_IsNull(string text) => Assert.Null(SourceUrl.TryParse(text));

    [Theory]
    [InlineData("https://")]
    [InlineData("https://host")]
    [InlineData("https://host/?secret")]
    [InlineData("https://user:secret@host/k")]
    [InlineData("https:///k?secret")]
    public void TryParse_NotAnObject_NamesWhatIsAccepted(string text)
    {
        UsageException error = Assert.Throws<UsageException>(() => SourceUrl.TryParse(text));

        Assert.Contains("specify a URL", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", error.Message, StringComparison.Ordinal);
    }
}
