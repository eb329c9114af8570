using System.Net;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Transfers;

public class ConditionTests : TransferSuite
{
    private const long Part = 64 * 1024;
    private const long Length = (3 * Part) + 1;

    private static readonly DateTimeOffset LongAgo = new(2001, 2, 3, 4, 5, 6, TimeSpan.Zero);

    private string Target => Path.Combine(Folder, "target");

    [Theory]
    [Stores]
    public async Task Conditions_AreMet_ObjectIsDownloaded(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store, o => o.DownloadPartSizeBytes = Part);
        UploadResult up = await client.UploadAsync(new PatternSource(Length), store.Bucket, "key");

        await DownloadAsync(new DownloadOptions { IfMatch = up.ETag });
        await DownloadAsync(new DownloadOptions { IfMatch = up.ETag!.Trim('"') });
        await DownloadAsync(new DownloadOptions { IfNoneMatch = "0123456789abcdef0123456789abcdef" });
        await DownloadAsync(new DownloadOptions { IfModifiedSince = LongAgo });
        await DownloadAsync(new DownloadOptions { IfUnmodifiedSince = DateTimeOffset.UtcNow.AddDays(1) });
        await DownloadAsync(new DownloadOptions { IfModifiedSince = LongAgo, Hint = new ObjectHint { Length = Length, ETag = up.ETag } });

        async Task DownloadAsync(DownloadOptions options)
        {
            DownloadResult down = await client.DownloadAsync(store.Bucket, "key", Target, options);
            AssertPattern(Target, Length);
            Assert.True(down.Verdict.IsVerified, down.Verdict.ToString());
        }
    }

    [Theory]
    [Stores(0L, 1L, Length)]
    public async Task Object_NotModified_KeepsTheFile(string storeName, long length)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store, o => o.DownloadPartSizeBytes = Part);
        UploadResult up = await client.UploadAsync(new PatternSource(length), store.Bucket, "key");
        DateTimeOffset modified = new((await store.S3.GetObjectMetadataAsync(store.Bucket, "key")).LastModified!.Value.ToUniversalTime());
        await File.WriteAllTextAsync(Target, "old");
        DownloadOptions[] all =
        [
            new() { IfNoneMatch = up.ETag },
            new() { IfModifiedSince = modified },
            new() { IfNoneMatch = up.ETag, Range = ObjectRange.Last(1) },
            new() { IfNoneMatch = up.ETag, Hint = new ObjectHint { Length = length, ETag = up.ETag } },
        ];

        foreach (DownloadOptions options in all.Take(length == 0 ? 1 : all.Length))
        {
            TransferException file = await Assert.ThrowsErrorAsync(TransferError.NotModified, () => client.DownloadAsync(store.Bucket, "key", Target, options));
            await Assert.ThrowsErrorAsync(TransferError.NotModified, () => client.OpenReadAsync(store.Bucket, "key", options));

            Assert.EachEqual((store.Bucket, "key", HttpStatusCode.NotModified, 1), (file.Bucket, file.Key, file.StatusCode!.Value, file.Attempts));
        }

        Assert.Equal("old", await File.ReadAllTextAsync(Target));
        Assert.Equal([Target], Directory.GetFileSystemEntries(Folder));
    }

    [Theory]
    [Stores]
    public async Task Object_IsDifferent_FailsThePrecondition(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store, o => o.DownloadPartSizeBytes = Part);
        UploadResult up = await client.UploadAsync(new PatternSource(Length), store.Bucket, "key");

        foreach (DownloadOptions options in (DownloadOptions[])[
            new() { IfMatch = "another" },
            new() { IfUnmodifiedSince = LongAgo },
            new() { IfMatch = "another", Hint = new ObjectHint { Length = Length, ETag = up.ETag } }])
        {
            TransferException e = await Assert.ThrowsErrorAsync(TransferError.PreconditionFailed, () => client.DownloadAsync(store.Bucket, "key", Target, options));
            Assert.EachEqual((store.Bucket, "key", HttpStatusCode.PreconditionFailed, 1), (e.Bucket, e.Key, e.StatusCode!.Value, e.Attempts));
        }

        Assert.Empty(Directory.GetFileSystemEntries(Folder));
    }

    [Theory]
    [InlineData(TransferWire.Http, false)]
    [InlineData(TransferWire.Http, true)]
    [InlineData(TransferWire.Sdk, false)]
    [InlineData(TransferWire.Sdk, true)]
    public async Task FirstRequest_HasTheConditionsAndOthersUseIfMatch(TransferWire wire, bool withHint)
    {
        await using RecordedStore store = await RecordedStore.StartAsync();
        await using TransferClient client = new(store.S3, new TransferClientOptions { Advanced = { Wire = wire }, DownloadPartSizeBytes = Part });
        UploadResult up = await client.UploadAsync(new PatternSource(Length), store.Bucket, "key");
        store.Requests.Clear();

        DownloadOptions options = new()
        {
            IfModifiedSince = LongAgo,
            IfNoneMatch = "another",
            RequesterPays = true,
            Hint = withHint ? new ObjectHint { Length = Length, ETag = up.ETag } : null,
        };
        await client.DownloadAsync(store.Bucket, "key", new PatternSink(), options);

        HttpRequestMessage[] gets = [.. store.Requests.Where(r => RecordedStore.Header(r, "Range") is not null)];
        Assert.Equal(3, gets.Length); // the small remainder is fetched with the last range
        Assert.Equal(
            (null, "\"another\"", LongAgo.ToString("R")), (RecordedStore.Header(gets[0], "If-Match"), RecordedStore.Header(gets[0], "If-None-Match"), RecordedStore.Header(gets[0], "If-Modified-Since")));
        Assert.All(gets[1..], get => Assert.Equal(
            (up.ETag, null, null), (RecordedStore.Header(get, "If-Match"), RecordedStore.Header(get, "If-None-Match"), RecordedStore.Header(get, "If-Modified-Since"))));
        Assert.True(store.Requests.Count > 3);
        Assert.All(store.Requests, request => Assert.Equal("requester", RecordedStore.Header(request, "x-amz-request-payer")));
    }

    [Theory]
    [InlineData("")]
    [InlineData("a\r\nb")]
    public async Task ETag_Invalid_IsRejected(string etag)
    {
        await using RecordedStore store = await RecordedStore.StartAsync();
        await using TransferClient client = new(store.S3);
        store.Requests.Clear();

        ArgumentException e = await Assert.ThrowsAsync<ArgumentException>(() => client.OpenReadAsync(store.Bucket, "key", new DownloadOptions { IfMatch = etag }));

        Assert.Contains("IfMatch", e.Message, StringComparison.Ordinal);
        Assert.Empty(store.Requests);
    }
}
