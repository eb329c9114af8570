namespace Transfer.S3.Tests;

public sealed class S3UriTests
{
    private const string AccessPoint = "arn:aws:s3:us-west-2:123456789012:accesspoint";
    private const string Outpost = "arn:aws:s3-outposts:us-west-2:123456789012:outpost";

    [Theory]
    [InlineData("s3://bucket", "bucket", "")]
    [InlineData("s3://bucket/", "bucket", "")]
    [InlineData("S3://my.bucket_1-A/a/b c", "my.bucket_1-A", "a/b c")]
    [InlineData("s3://bucket//a/", "bucket", "/a/")]
    [InlineData("s3://bucket/../a?versionId=b#c%20", "bucket", "../a?versionId=b#c%20")]
    [InlineData("s3://tenant:bucket/k", "tenant:bucket", "k")]
    [InlineData("s3://" + AccessPoint + "/point/a/b", AccessPoint + "/point", "a/b")]
    [InlineData("s3://" + AccessPoint + "/point", AccessPoint + "/point", "")]
    [InlineData("s3://" + AccessPoint + ":accesspoint/a/b", AccessPoint + ":accesspoint", "a/b")]
    [InlineData("s3://" + Outpost + "/op-1/accesspoint/point/a/b", Outpost + "/op-1/accesspoint/point", "a/b")]
    [InlineData("s3://" + Outpost + ":op-1:accesspoint:point/a/b", Outpost + ":op-1:accesspoint:point", "a/b")]
    public void Parse_Address_KeepsTheKeyAsItIsWritten(string text, string bucket, string key)
    {
        S3Uri uri = S3Uri.Parse(text);

        Assert.Equal(new S3Uri(bucket, key), uri);
        Assert.Equal(uri, S3Uri.Parse(uri.ToString()));
        Assert.True(S3Uri.TryParse(text, out S3Uri tried) && tried == uri);
    }

    [Theory]
    [InlineData("", "'' is not an address in a store; specify s3://bucket/key, or s3://bucket for a whole bucket.")]
    [InlineData("bucket/key", "'bucket/key' is not an address in a store; specify s3://bucket/key, or s3://bucket for a whole bucket.")]
    [InlineData("s3:/bucket", "'s3:/bucket' is not an address in a store; specify s3://bucket/key, or s3://bucket for a whole bucket.")]
    [InlineData("https://user:secret@host/key?signature=secret", "A URL that begins with 'https://host' is not an address in a store; specify s3://bucket/key, or s3://bucket for a whole bucket.")]
    [InlineData("s3://", "'s3://' has no bucket; specify s3://bucket/key, or s3://bucket for a whole bucket.")]
    [InlineData("s3:///key", "'s3:///key' has no bucket; specify s3://bucket/key, or s3://bucket for a whole bucket.")]
    [InlineData("s3://bucket?versionId=1", "'bucket?versionId=1' is not a valid bucket name; it can contain letters, digits, '.', '-', '_', and ':'.")]
    public void Parse_AnythingElse_SaysWhatIsAccepted(string text, string message)
    {
        Assert.Equal(message, Assert.Throws<FormatException>(() => S3Uri.Parse(text)).Message);
        Assert.False(S3Uri.TryParse(text, out S3Uri uri));
        Assert.Equal(default, uri);
    }

    [Fact]
    public void Parse_Null_IsRefused()
    {
        Assert.Throws<ArgumentNullException>(() => S3Uri.Parse(null!));
        Assert.False(S3Uri.TryParse(null, out _));
    }
}
