using Transfer.S3.Server.Http;

namespace Transfer.S3.Tests.Server;

public sealed class RequestTargetTests
{
    [Theory]
    [InlineData("/", null, null)]
    [InlineData("/bucket", "bucket", null)]
    [InlineData("/bucket/", "bucket", null)]
    [InlineData("/bucket/a/../b", "bucket", "a/../b")]
    [InlineData("/bucket/a//b/./%2E%2e/", "bucket", "a//b/./../")]
    [InlineData("/bucket/a+b%2Bc%20d", "bucket", "a+b+c d")]
    [InlineData("/bucket/k?partNumber=1", "bucket", "k")]
    [InlineData("http://host:1/bucket/k", "bucket", "k")]
    public void Parse_PathStyle_KeepsKeysAsSent(string rawTarget, string? bucket, string? key)
    {
        RequestTarget target = RequestTarget.Parse(rawTarget, "127.0.0.1:9000");

        Assert.Equal(bucket, target.Bucket);
        Assert.Equal(key, target.Key);
    }

    [Theory]
    [InlineData("my.bucket.localhost:9000", "/a/b", "my.bucket", "a/b")]
    [InlineData("bucket.localhost", "/", "bucket", null)]
    [InlineData("BUCKET.LOCALHOST", "/k", "BUCKET", "k")]
    [InlineData("localhost:9000", "/bucket/k", "bucket", "k")]
    [InlineData("[::1]:9000", "/bucket/k", "bucket", "k")]
    public void Parse_Host_DecidesTheStyle(string host, string rawTarget, string bucket, string? key)
    {
        RequestTarget target = RequestTarget.Parse(rawTarget, host);

        Assert.Equal(bucket, target.Bucket);
        Assert.Equal(key, target.Key);
    }

    [Fact]
    public void Parse_Query_KeepsOrderAndEmptyValues()
    {
        RequestTarget target = RequestTarget.Parse("/b?uploads&prefix=a%2Fb&x=1&x=2&empty=", "h");

        Assert.Equal(string.Empty, target.Query["uploads"]);
        Assert.Equal("a/b", target.Query["prefix"]);
        Assert.Equal("1", target.Query["x"]);
        Assert.Equal(["uploads", "prefix", "x", "x", "empty"], target.Query.All.Select(static p => p.Key));
    }

    [Theory]
    [InlineData("/bucket/%zz")]
    [InlineData("/bucket/%ff")]
    [InlineData("/bucket?prefix=%f")]
    [InlineData("nonsense")]
    public void Parse_BrokenTarget_IsInvalidUri(string rawTarget) =>
        Assert.Equal("InvalidURI", Assert.Throws<S3Exception>(() => RequestTarget.Parse(rawTarget, "h")).Code);
}
