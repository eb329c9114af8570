using System.Buffers;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests;

/// <summary>A bucket that can't be one is refused by every call, before anything is sent.</summary>
public sealed class BucketNameTests : IAsyncDisposable
{
    private const string Key = "key";
    private readonly FakeS3 _s3 = new();
    private readonly TransferClient _client;

    public BucketNameTests() => _client = new TransferClient(_s3.Client);

    public static TheoryData<string> Calls => [.. s_calls.Keys];

    private static readonly Dictionary<string, Func<TransferClient, string, Task>> s_calls = new()
    {
        ["OpenRead"] = (c, b) => c.OpenReadAsync(b, Key),
        ["OpenSeekable"] = (c, b) => c.OpenSeekableAsync(b, Key),
        ["ReadRanges"] = (c, b) => c.ReadRangesAsync(b, Key, [ObjectRange.From(0, 1)]),
        ["Download"] = (c, b) => c.DownloadAsync(b, Key, "file"),
        ["ReadObjects"] = (c, b) => c.ReadObjectsAsync(b, "prefix", (_, _, _) => Task.CompletedTask),
        ["DownloadDirectory"] = (c, b) => c.DownloadDirectoryAsync(b, "prefix", "folder"),
        ["Upload"] = (c, b) => c.UploadAsync(new ReadOnlySequence<byte>(new byte[1]), b, Key),
        ["UploadDirectory"] = (c, b) => c.UploadDirectoryAsync(".", b, "prefix"),
        ["OpenWrite"] = (c, b) => c.OpenWriteAsync(b, Key),
        ["CopySource"] = (c, b) => c.CopyAsync(new(b, Key), new("other", Key)),
        ["CopyTarget"] = (c, b) => c.CopyAsync(new("other", Key), new(b, Key)),
        ["CopyDirectory"] = (c, b) => c.CopyTreeAsync(Place.InBucket("other", "prefix"), Place.InBucket(b, "prefix")),
        ["SyncUpload"] = (c, b) => c.SyncAsync(Place.InDirectory("."), Place.InBucket(b, "prefix")),
        ["SyncDownload"] = (c, b) => c.SyncAsync(Place.InBucket(b, "prefix"), Place.InDirectory("folder")),
        ["SyncCopy"] = (c, b) => c.SyncAsync(Place.InBucket("other", "prefix"), Place.InBucket(b, "prefix")),
        ["Verify"] = (c, b) => c.VerifyAsync("file", b, Key),
        ["VerifyDirectory"] = (c, b) => c.VerifyTreeAsync(Place.InDirectory("."), Place.InBucket(b, "prefix")),
        ["Delete"] = (c, b) => c.DeleteAsync(b, Key),
        ["DeleteDirectory"] = (c, b) => c.DeleteTreeAsync(b, "prefix"),
        ["GetInfo"] = (c, b) => c.GetInfoAsync(b, Key),
        ["GetTags"] = (c, b) => c.GetTagsAsync(b, Key),
        ["VerifySource"] = (c, b) => c.VerifyAsync(new(b, Key), c, new("other", Key)),
        ["VerifyTarget"] = (c, b) => c.VerifyAsync(new("other", Key), c, new(b, Key)),
        ["CopyToStore"] = (c, b) => c.CopyAsync(new("other", Key), c, new(b, Key)),
        ["Move"] = (c, b) => c.MoveAsync(new(b, Key), new("other", Key)),
        ["Restore"] = (c, b) => c.RestoreAsync(b, Key),
        ["List"] = (c, b) => FirstAsync(c.ListObjectsAsync(b)),
        ["ListUploads"] = (c, b) => FirstAsync(c.ListUploadsAsync(b)),
        ["AbortUploads"] = (c, b) => c.AbortUploadsAsync(b, string.Empty),
        ["CreateBucket"] = (c, b) => c.CreateBucketAsync(b),
        ["DeleteBucket"] = (c, b) => c.DeleteBucketAsync(b),
        ["PlanJob"] = (c, b) => new TransferJob((TransferClient)c, JobFolder.InDirectory("job")).PlanAsync(new Place { Bucket = b }, new Place { Path = "folder" }),
        ["JobFolder"] = (c, b) => Task.FromResult(JobFolder.InBucket((TransferClient)c, b, "job")),
    };

    [Theory]
    [MemberData(nameof(Calls))]
    public async Task PathAsBucket_IsRefusedByEveryCall(string call)
    {
        ArgumentException e = await Assert.ThrowsAnyAsync<ArgumentException>(async () => await s_calls[call](_client, "data/2026").Within());

        Assert.Contains("'data/2026'; it must be the name of a bucket, which has no slashes. Specify 'data' as the bucket, and '2026' as the key or the prefix.", e.Message, StringComparison.Ordinal);
        Assert.Contains("ucket", e.ParamName, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("s3://data", "bucket is 's3://data'; it must be the name of a bucket. Specify 'data'. ")]
    [InlineData("S3://data/a/b", "bucket is 'S3://data/a/b'; it must be the name of a bucket. Specify 'data' as the bucket, and 'a/b' as the key or the prefix. ")]
    [InlineData("s3://", "bucket is a URL; it must be the name of a bucket. ")]
    [InlineData("https://data.s3.amazonaws.com/key?X-Amz-Signature=secret", "bucket is a URL; it must be the name of a bucket. Specify the endpoint in the configuration of the IAmazonS3. ")]
    [InlineData("data/", "bucket is 'data/'; it must be the name of a bucket, which has no slashes. Specify 'data'. ")]
    [InlineData("/data", "bucket is '/data'; it must be the name of a bucket, which has no slashes. ")]
    [InlineData("data:", "bucket is 'data:'; it must be the name of a bucket. Only ARNs ")]
    [InlineData("a:b:c", "bucket is 'a:b:c'; it must be the name of a bucket. Only ARNs ")]
    public void NoBucket_SaysWhatIsWrong(string bucket, string message)
    {
        ArgumentException e = Assert.Throws<ArgumentException>(() => OptionGuard.Bucket(bucket));

        Assert.StartsWith(message, e.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", e.Message, StringComparison.Ordinal);
        Assert.Equal("bucket", e.ParamName);
    }

    [Theory]
    [InlineData("data")]
    [InlineData("my.data_2026-A")]
    [InlineData("tenant:data")]
    [InlineData(":data")]
    [InlineData("arn:aws:s3:us-west-2:123456789012:accesspoint/my-point")]
    public void Bucket_IsAccepted(string bucket) => OptionGuard.Bucket(bucket);

    public async ValueTask DisposeAsync() => await _client.DisposeAsync();

    private static async Task FirstAsync<T>(IAsyncEnumerable<T> items)
    {
        await foreach (T _ in items)
        {
            break;
        }
    }
}
