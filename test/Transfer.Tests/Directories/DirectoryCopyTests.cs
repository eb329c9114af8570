using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Directories;

/// <summary>Copies of all objects under a prefix, inside the store.</summary>
public sealed class DirectoryCopyTests : TransferTest
{
    [Theory]
    [InlineData("", "")]
    [InlineData("", "below")]
    [InlineData("a", "a")]
    [InlineData("a/", "a")]
    [InlineData("a", "a/b/")]
    public async Task TargetInsideTheSource_IsRejected(string source, string target)
    {
        await Assert.ThrowsAsync<ArgumentException>(() => NewClient().CopyTreeAsync(Place.InBucket(FakeS3.Bucket, source), Place.InBucket(FakeS3.Bucket, target)));
        Assert.Empty(S3.Calls);
    }

    [Fact]
    public async Task SourceBelowTheTarget_RejectsOnlyKeysThatWouldReplaceTheSource()
    {
        byte[] content = S3.Put("a/x", 10);
        S3.Put("a/a/x", 20);

        DirectoryResult result = await NewClient().CopyTreeAsync(
            Place.InBucket(FakeS3.Bucket, "a"), Place.InBucket(FakeS3.Bucket, string.Empty), new DirectoryOptions { OnFailure = FailurePolicy.Continue }).Within();

        Assert.Equal(content, S3.Published("x"));
        Assert.Equal(content, S3.Published("a/x"));
        Assert.Equal("a/x", Assert.Single(result.Failures).Name);
        Assert.Equal(1, result.Counts.Copied);
    }

    [Fact]
    public async Task Version_IsRejected()
        => await Assert.ThrowsAsync<ArgumentException>(() => NewClient().CopyTreeAsync(
            Place.InBucket(FakeS3.Bucket, "a"), Place.InBucket("other", "b"), new DirectoryOptions { Copy = new CopyOptions { SourceVersionId = "v" } }));
}
