using FsCheck;
using FsCheck.Fluent;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Tests.Cli;

public sealed class LocationTests
{
    [Theory]
    [InlineData("s3://bucket", "bucket", "")]
    [InlineData("s3://bucket/", "bucket", "")]
    [InlineData("s3://bucket/a/b c", "bucket", "a/b c")]
    [InlineData("s3://bucket//a", "bucket", "/a")]
    [InlineData("s3://bucket/../a?b#c%20", "bucket", "../a?b#c%20")]
    [InlineData("S3://my.bucket-1/ä", "my.bucket-1", "ä")]
    [InlineData("s3://arn:aws:s3:us-west-2:123456789012:accesspoint/point/a/b", "arn:aws:s3:us-west-2:123456789012:accesspoint/point", "a/b")]
    public void Parse_S3Uri_KeepsTheKeyUnchanged(string text, string bucket, string key)
        => Assert.Equal(new Location(LocationKind.S3, string.Empty, bucket, key), Location.Parse(text));

    [Theory]
    [InlineData("-", LocationKind.Standard)]
    [InlineData("./-", LocationKind.Local)]
    [InlineData("a/b", LocationKind.Local)]
    [InlineData("C:\\x", LocationKind.Local)]
    internal void Parse_AnythingElse_IsAPathOrStandardStream(string text, LocationKind kind) => Assert.Equal(kind, Location.Parse(text).Kind);

    [Theory]
    [InlineData("")]
    [InlineData("s3:/bucket/key")]
    [InlineData("s3:bucket")]
    [InlineData("s3:///key")]
    [InlineData("s3://buc ket/key")]
    [InlineData("s3://buc\u001bket/key")]
    [InlineData("http://host/key")]
    [InlineData("file:///tmp/x")]
    public void Parse_Invalid_ErrorSaysWhatIsAccepted(string text)
    {
        UsageException error = Assert.Throws<UsageException>(() => Location.Parse(text));
        Assert.DoesNotContain('\u001b', error.Message);
    }

    [Fact]
    public void Parse_AnyText_ThrowsOnlyUsageExceptions()
        => Prop.ForAll(
            Gen.Elements("", "s3://", "s3:", "s3://b/", "-").ToArbitrary(),
            ArbMap.Default.ArbFor<string>(),
            (start, text) =>
            {
                try
                {
                    Location location = Location.Parse(start + text);
                    return location.Kind != LocationKind.S3 || location == Location.Parse(location.ToString());
                }
                catch (UsageException)
                {
                    return true;
                }
            }).QuickCheckThrowOnFailure();
}
