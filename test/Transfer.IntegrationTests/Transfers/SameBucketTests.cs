using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>Copies between two buckets of the same name: of two stores, or of one store with two names.</summary>
public sealed class SameBucketTests : TransferSuite
{
    [Theory]
    [InlineData("", "z")]
    [InlineData("", "")]
    [InlineData("a", "a/b")]
    public async Task OneStoreUnderTwoNames_IsRefusedBeforeAnythingIsCopied(string source, string target)
    {
        await using RecordedStore store = await RecordedStore.StartAsync();
        using AmazonS3Client other = OtherName(store);
        await using TransferClient from = new(store.S3);
        await using TransferClient to = new(other);
        await from.UploadAsync(new PatternSource(10), store.Bucket, "a/x");

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => from.CopyTreeAsync(Place.InBucket(store.Bucket, source), to, Place.InBucket(store.Bucket, target)));

        Assert.Contains("the same store under two names", e.Message, StringComparison.Ordinal);
        Assert.Equal(["a/x"], await KeysAsync(store.S3, store.Bucket));
    }

    [Theory]
    [InlineData("a", "a")]
    [InlineData("a", "a/b")]
    [InlineData("a/b", "a")]
    [InlineData("", "a")]
    [InlineData("nothing", "")]
    public async Task OneStoreUnderTwoNames_IsRefusedBeforeAnythingIsSynchronized(string source, string target)
    {
        await using RecordedStore store = await RecordedStore.StartAsync();
        using AmazonS3Client other = OtherName(store);
        await using TransferClient from = new(store.S3);
        await using TransferClient to = new(other);
        await from.UploadAsync(new PatternSource(10), store.Bucket, "a/x");
        await from.UploadAsync(new PatternSource(10), store.Bucket, "a/b/y");

        TransferException e = await Assert.ThrowsAsync<TransferException>(
            () => from.SyncAsync(Place.InBucket(store.Bucket, source), to, Place.InBucket(store.Bucket, target), new SyncOptions { Delete = true, AllowEmptySource = true }));

        Assert.Equal(TransferError.Overlap, e.Error);
        Assert.Equal(["a/b/y", "a/x"], await KeysAsync(store.S3, store.Bucket));
    }

    [Fact]
    public async Task TwoStores_WithTheSameNamesAreSynchronized()
    {
        await using RecordedStore one = await RecordedStore.StartAsync();
        await using RecordedStore two = await RecordedStore.StartAsync();
        await using TransferClient from = new(one.S3);
        await using TransferClient to = new(two.S3);
        foreach (string key in (string[])["a", "z/b"])
        {
            await from.UploadAsync(new PatternSource(10), one.Bucket, key);
            await to.UploadAsync(new PatternSource(11), two.Bucket, key);
        }

        await to.UploadAsync(new PatternSource(1), two.Bucket, "gone");
        SyncOptions options = new() { Delete = true };
        Assert.Equal((2, 1), await from.SyncAsync(Place.InBucket(one.Bucket, string.Empty), to, Place.InBucket(two.Bucket, string.Empty), options) is { } first ? (first.Counts.Replaced, first.Counts.Deleted) : default);
        await to.UploadAsync(new PatternSource(1), two.Bucket, "gone again"); // copies that were made within a second alone don't tell the stores apart
        Assert.Equal((2, 1), await from.SyncAsync(Place.InBucket(one.Bucket, string.Empty), to, Place.InBucket(two.Bucket, string.Empty), options) is { } second ? (second.Counts.Same, second.Counts.Deleted) : default);
    }

    [Fact]
    public async Task OneStoreUnderTwoNames_SourceBelowTheTarget_RefusesOnlyKeysThatWouldReplaceTheSource()
    {
        await using RecordedStore store = await RecordedStore.StartAsync();
        using AmazonS3Client other = OtherName(store);
        await using TransferClient from = new(store.S3);
        await using TransferClient to = new(other);
        await from.UploadAsync(new PatternSource(10), store.Bucket, "a/x");
        await from.UploadAsync(new PatternSource(20), store.Bucket, "a/a/x");

        DirectoryResult result = await from.CopyTreeAsync(Place.InBucket(store.Bucket, "a"), to, Place.InBucket(store.Bucket, string.Empty), new DirectoryOptions { OnFailure = FailurePolicy.Continue });

        Assert.EachEqual((1, "a/x"), (result.Counts.Copied, Assert.Single(result.Failures).Name));
        Assert.Equal(["a/a/x", "a/x", "x"], await KeysAsync(store.S3, store.Bucket));
    }

    [Theory]
    [InlineData("z")]
    [InlineData("")]
    public async Task TwoStores_AreCopied(string target)
    {
        await using RecordedStore one = await RecordedStore.StartAsync();
        await using RecordedStore two = await RecordedStore.StartAsync();
        await using TransferClient from = new(one.S3);
        await using TransferClient to = new(two.S3);
        foreach (string key in (string[])["a", "z/b"])
        {
            await from.UploadAsync(new PatternSource(10), one.Bucket, key);
            await to.UploadAsync(new PatternSource(11), two.Bucket, key);
        }

        DirectoryResult result = await from.CopyTreeAsync(Place.InBucket(one.Bucket, string.Empty), to, Place.InBucket(two.Bucket, target));

        Assert.EachEqual((2, 20), (result.Counts.Copied, result.Counts.Bytes));
    }

    [Fact]
    public async Task TargetDoesNotTell_ACopyBelowTheSourceIsRefused()
    {
        await using RecordedStore one = await RecordedStore.StartAsync();
        await using RecordedStore two = await RecordedStore.StartAsync();
        await using TransferClient from = new(one.S3);
        await using TransferClient to = new(two.S3);
        await from.UploadAsync(new PatternSource(10), one.Bucket, "a");
        two.Answer = request => request.Method == HttpMethod.Head ? new HttpResponseMessage(System.Net.HttpStatusCode.Forbidden) : null;

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => from.CopyTreeAsync(Place.InBucket(one.Bucket, string.Empty), to, Place.InBucket(two.Bucket, "z")));
        DirectoryResult same = await from.CopyTreeAsync(Place.InBucket(one.Bucket, string.Empty), to, Place.InBucket(two.Bucket, string.Empty));

        Assert.Contains("doesn't tell whether it is another store", e.Message, StringComparison.Ordinal);
        Assert.Equal(1, same.Counts.Copied);
    }

    private static AmazonS3Client OtherName(RecordedStore store) => new(
        new BasicAWSCredentials(store.Server.AccessKeyId, store.Server.SecretAccessKey),
        new AmazonS3Config
        {
            ServiceURL = $"http://localhost:{store.Server.Endpoint.Port}",
            ForcePathStyle = true,
            AuthenticationRegion = store.Server.Region,
        });

    private static async Task<string[]> KeysAsync(AmazonS3Client s3, string bucket)
        => [.. ((await s3.ListObjectsV2Async(new ListObjectsV2Request { BucketName = bucket })).S3Objects ?? []).Select(item => item.Key)];
}
