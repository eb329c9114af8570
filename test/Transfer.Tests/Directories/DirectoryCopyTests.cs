using System.Net;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Directories;

/// <summary>Copies of all objects under a prefix, inside the store.</summary>
public sealed class DirectoryCopyTests : TransferTest
{
    private const string Other = "other";
    private const long Part = 5 * 1024 * 1024;

    [Fact]
    public async Task EveryObject_IsCopiedToThePrefixAndTheRestOfItsKey()
    {
        string[] names = ["a", "d/b", "d/empty/", "no file: a\\b\u0001", "..", new string('n', 256)];
        Dictionary<string, byte[]> objects = names.ToDictionary(name => name, name => S3.Put("in/" + name, name.EndsWith('/') ? 0 : 10, name.Length));
        S3.Put("in/", 0);
        S3.Put("inside", 1);
        S3.PageSize = 2;

        DirectoryResult result = await NewClient().CopyTreeAsync(Place.InBucket(FakeS3.Bucket, "in"), Place.InBucket(Other, "out")).Within();

        Assert.EachEqual((6, 50, 6, 0), (result.Counts.Copied, result.Counts.Bytes, result.Counts.Verified, result.Counts.Skipped));
        Assert.All(objects, one => Assert.Equal(one.Value, S3.Published("out/" + one.Key)));
        Assert.Equal(8 + 6, S3.Objects.Count);
        Assert.EachEqual((6, 6, 4, 16), (S3.GetCount(S3Call.Head), S3.GetCount(S3Call.Copy), S3.GetCount(S3Call.List), result.Statistics.Requests));
        Assert.Empty(result.Failures);
    }

    [Fact]
    public async Task LargeObject_IsCopiedInParts()
    {
        byte[] content = S3.Put("a/large", (2 * Part) + 1);

        DirectoryResult result = await NewClient().CopyTreeAsync(
            Place.InBucket(FakeS3.Bucket, "a/"), Place.InBucket(FakeS3.Bucket, "b/"), new DirectoryOptions { Copy = new CopyOptions { PartSizeBytes = Part, MultipartThresholdBytes = Part } }).Within();

        Assert.Equal(content, S3.Published("b/large"));
        Assert.EachEqual((1, 3, 0), (result.Counts.Copied, S3.GetCount(S3Call.CopyPart), S3.GetCount(S3Call.Copy)));
    }

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
    public async Task SkipExisting_KeepsExistingObjects()
    {
        S3.Put("a/x", 10);
        S3.Put("a/y", 10);
        byte[] there = S3.Put("b/x", 3, 9);
        List<TransferProgress> reports = [];

        DirectoryResult result = await NewClient().CopyTreeAsync(
            Place.InBucket(FakeS3.Bucket, "a"), Place.InBucket(FakeS3.Bucket, "b"), new DirectoryOptions { SkipExisting = true }, new RecordedProgress(reports)).Within();

        Assert.EachEqual((1, 1, 10), (result.Counts.Copied, result.Counts.Skipped, result.Counts.Bytes));
        Assert.Equal(there, S3.Published("b/x"));
        Assert.EachEqual((2, 2, 10, 10), (reports[^1].ObjectsCompleted, reports[^1].TotalObjects, reports[^1].BytesTransferred, reports[^1].TotalBytes));
    }

    [Fact]
    public async Task SkipExisting_KeepsObjectsThatAppearMeanwhile()
    {
        S3.Put("a/x", 10);
        S3.Before = (call, _) =>
        {
            if (call.Operation == S3Call.Complete)
            {
                S3.Put("b/x", 3, 9);
            }

            return Task.CompletedTask;
        };

        DirectoryResult result = await NewClient().CopyTreeAsync(Place.InBucket(FakeS3.Bucket, "a"), Place.InBucket(FakeS3.Bucket, "b"), new DirectoryOptions { SkipExisting = true }).Within();

        Assert.EachEqual((0, 1), (result.Counts.Copied, result.Counts.Skipped));
        Assert.Equal(3, S3.Published("b/x")!.Length);
        Assert.False(S3.HasOpenUpload);
    }

    [Fact]
    public async Task DryRun_RequestsOnlyListings()
    {
        S3.Put("a/x", 10);
        S3.Put("a/y.log", 10);
        List<Outcome> told = [];

        DirectoryResult result = await NewClient().CopyTreeAsync(
            Place.InBucket(FakeS3.Bucket, "a"), Place.InBucket(FakeS3.Bucket, "b"), new DirectoryOptions { DryRun = true, Exclude = ["*.log"], ObjectEnded = told.Add }).Within();

        Assert.EachEqual((1, 10), (result.Counts.Copied, result.Counts.Bytes));
        Assert.EachEqual(("x", OutcomeStatus.Planned, $"s3://{FakeS3.Bucket}/b/x"), (Assert.Single(told).Name, told[0].Status, told[0].Target));
        Assert.Equal(["List"], S3.Calls.Select(call => call.Operation));
    }

    [Fact]
    public async Task Failure_WithContinue_IsInTheResultAndTheRestIsCopied()
    {
        for (int i = 0; i < 20; i++)
        {
            S3.Put($"a/o{i:00}", 10);
        }

        S3.Before = (call, _) => call is { Operation: S3Call.Copy, Key: "a/o07" } ? throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask;

        DirectoryResult result = await NewClient().CopyTreeAsync(
            Place.InBucket(FakeS3.Bucket, "a"), Place.InBucket(FakeS3.Bucket, "b"), new DirectoryOptions { OnFailure = FailurePolicy.Continue }).Within();

        Assert.EachEqual(("o07", "AccessDenied"), (Assert.Single(result.Failures).Name, ((TransferException)result.Failures[0].Error!).ErrorCode));
        Assert.EachEqual((19, 19), (result.Counts.Copied, S3.Objects.Keys.Count(key => key.StartsWith("b/", StringComparison.Ordinal))));
    }

    [Fact]
    public async Task Version_IsRejected()
        => await Assert.ThrowsAsync<ArgumentException>(() => NewClient().CopyTreeAsync(
            Place.InBucket(FakeS3.Bucket, "a"), Place.InBucket(Other, "b"), new DirectoryOptions { Copy = new CopyOptions { SourceVersionId = "v" } }));
}
