using System.Net;
using System.Text;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Transfers;

public class CopyTests : TransferSuite
{
    private const long Part = 5 * 1024 * 1024;
    private static readonly CopyOptions InParts = new() { PartSizeBytes = Part, MultipartThresholdBytes = Part };

    [Theory]
    [Stores(0L, 1L, Part - 1, Part, Part + 1, (3 * Part) + 1)]
    public async Task Copy_AnyLength_HasTheSameContent(string storeName, long length)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        await client.UploadAsync(new PatternSource(length), store.Bucket, "a ünï+?&%/source.bin", new UploadOptions { Length = length });

        CopyResult copy = await client.CopyAsync(new(store.Bucket, "a ünï+?&%/source.bin"), new(store.Bucket, "tärget +?&%"), InParts);

        using PatternSink sink = new();
        await client.DownloadAsync(store.Bucket, "tärget +?&%", sink);
        Assert.Equal(length, sink.Written);
        Assert.Equal(length, copy.Statistics.BytesTransferred);
        Assert.Equal(length <= Part ? 0 : (int)((length + Part - 1) / Part), copy.Parts);

        // MinIO stores no checksum for objects that it assembles from copied parts.
        Assert.Equal(copy.Parts == 0 || storeName.StartsWith(Store.Embedded, StringComparison.Ordinal), copy.Verdict.IsVerified);
        Assert.Empty(await store.OpenUploadsAsync());
    }

    [Theory]
    [Stores(1L, Part + 1)]
    public async Task Copy_KeepsTheHeaders(string storeName, long length)
    {
        await using Store store = await Store.StartAsync(storeName);
        PutObjectRequest put = new() { BucketName = store.Bucket, Key = "source", InputStream = new MemoryStream(Pattern.Bytes(length)), ContentType = "text/plain" };
        put.Headers.CacheControl = "max-age=7";
        put.Headers.ContentDisposition = "attachment";
        put.Headers["Content-Language"] = "de";
        put.Metadata["color"] = "blue";
        await store.S3.PutObjectAsync(put);

        await Client(store).CopyAsync(new(store.Bucket, "source"), new(store.Bucket, "target"), InParts);

        GetObjectMetadataResponse head = await store.S3.GetObjectMetadataAsync(store.Bucket, "target");
        Assert.Equal(
            ("text/plain", "max-age=7", "attachment", "de", "blue"),
            (head.Headers.ContentType, head.Headers.CacheControl, head.Headers.ContentDisposition, head.Headers["Content-Language"], head.Metadata["color"]));
    }

    [Theory]
    [Stores(1L, Part + 1)]
    public async Task Copy_OnlyIfAbsent_KeepsAnExistingObject(string storeName, long length)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        await client.UploadAsync(new PatternSource(length), store.Bucket, "source");
        await client.UploadAsync(new PatternSource(3), store.Bucket, "target");

        TransferException e = await Assert.ThrowsErrorAsync(
            TransferError.PreconditionFailed, () => client.CopyAsync(new(store.Bucket, "source"), new(store.Bucket, "target"), InParts with { Overwrite = false }));

        Assert.EachEqual((HttpStatusCode.PreconditionFailed, "target"), (e.StatusCode, e.Key));
        Assert.Equal(3, (await store.S3.GetObjectMetadataAsync(store.Bucket, "target")).ContentLength);
        Assert.Empty(await store.OpenUploadsAsync());
    }

    [Theory]
    [Stores]
    public async Task Copy_InPartsOntoItself_HasTheSameContent(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        await client.UploadAsync(new PatternSource(Part + 1), store.Bucket, "key");

        await client.CopyAsync(new(store.Bucket, "key"), new(store.Bucket, "key"), InParts);

        using PatternSink sink = new();
        await client.DownloadAsync(store.Bucket, "key", sink);
        Assert.Equal(Part + 1, sink.Written);
    }

    [Theory]
    [Stores]
    public async Task Copy_MissingKey_ErrorNamesTheSource(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => Client(store).CopyAsync(new(store.Bucket, "not/there"), new(store.Bucket, "target")));

        Assert.EachEqual(("not/there", HttpStatusCode.NotFound), (e.Key, e.StatusCode));
    }

    [Theory]
    [InlineData(1L)]
    [InlineData((2 * Part) + 1)]
    public async Task Copy_ObjectIsReplacedMeanwhile_Throws(long length)
    {
        await using RecordedStore store = await RecordedStore.StartAsync();
        using AmazonS3Client other = store.Server.CreateClient();
        await using TransferClient client = new(store.S3);
        await client.UploadAsync(new PatternSource(length), store.Bucket, "source");
        int copies = 0;
        store.Answer = request =>
        {
            if (IsCopy(request) && Interlocked.Increment(ref copies) == (length == 1 ? 1 : 2))
            {
#pragma warning disable VSTHRD002 // the callback is synchronous and runs on a pool thread
                other.PutObjectAsync(new PutObjectRequest { BucketName = store.Bucket, Key = "source", ContentBody = "another" }).GetAwaiter().GetResult();
#pragma warning restore VSTHRD002
            }

            return null;
        };

        await Assert.ThrowsErrorAsync(
            TransferError.ObjectChanged, () => client.CopyAsync(new(store.Bucket, "source"), new(store.Bucket, "target"), InParts with { MaxConcurrency = 1 }));

        await AssertNothingAsync(store);
    }

    [Theory]
    [InlineData(1L, "InternalError")]
    [InlineData(1L, "SlowDown")]
    [InlineData(Part + 1, "InternalError")]
    [InlineData(Part + 1, "SlowDown")]
    public async Task Copy_ErrorAfterStatus200_IsRetried(long length, string code)
    {
        await using RecordedStore store = await RecordedStore.StartAsync();
        await using TransferClient client = new(store.S3);
        await client.UploadAsync(new PatternSource(length), store.Bucket, "source");
        int copies = 0;
        store.Answer = request => IsCopy(request) && Interlocked.Increment(ref copies) == 1 ? Error(code) : null;

        await client.CopyAsync(new(store.Bucket, "source"), new(store.Bucket, "target"), InParts);

        using PatternSink sink = new();
        await client.DownloadAsync(store.Bucket, "target", sink);
        Assert.Equal(length, sink.Written);
        Assert.Equal(length == 1 ? 2 : 3, copies);
    }

    [Fact]
    public async Task Copy_PartFailsEveryAttempt_LeavesNothing()
    {
        await using RecordedStore store = await RecordedStore.StartAsync();
        await using TransferClient client = new(store.S3, new TransferClientOptions { MaxAttempts = 1 });
        await client.UploadAsync(new PatternSource((3 * Part) + 1), store.Bucket, "source");
        store.Answer = request => IsCopy(request) && request.RequestUri!.Query.Contains("partNumber=2", StringComparison.Ordinal)
            ? new HttpResponseMessage(HttpStatusCode.Forbidden) { Content = new StringContent("<Error><Code>AccessDenied</Code></Error>") }
            : null;

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.CopyAsync(new(store.Bucket, "source"), new(store.Bucket, "target"), InParts));

        Assert.EachEqual((HttpStatusCode.Forbidden, 2), (e.StatusCode!.Value, e.PartNumber!.Value));
        await AssertNothingAsync(store);
    }

    [Fact]
    public async Task Copy_Canceled_LeavesNothing()
    {
        await using RecordedStore store = await RecordedStore.StartAsync();
        await using TransferClient client = new(store.S3);
        await client.UploadAsync(new PatternSource((3 * Part) + 1), store.Bucket, "source");
        using CancellationTokenSource cancel = new();
        store.Answer = request =>
        {
            if (IsCopy(request))
            {
                cancel.Cancel();
            }

            return null;
        };

        OperationCanceledException e = await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => client.CopyAsync(new(store.Bucket, "source"), new(store.Bucket, "target"), InParts with { Resume = false }, cancellationToken: cancel.Token));

        Assert.Equal(cancel.Token, e.CancellationToken);
        await AssertNothingAsync(store);
    }

    [Theory]
    [InlineData(Part - 1, null, "PartSizeBytes")]
    [InlineData(null, -1L, "MultipartThresholdBytes")]
    public async Task Copy_OptionOutOfRange_ErrorNamesIt(long? partSize, long? threshold, string name)
    {
        await using RecordedStore store = await RecordedStore.StartAsync();
        await using TransferClient client = new(store.S3);

        ArgumentOutOfRangeException e = await Assert.ThrowsAsync<ArgumentOutOfRangeException>(
            () => client.CopyAsync(new("a", "b"), new("c", "d"), new CopyOptions { PartSizeBytes = partSize, MultipartThresholdBytes = threshold }));

        Assert.Contains(name, e.Message, StringComparison.Ordinal);
    }

    private static bool IsCopy(HttpRequestMessage request) => request.Headers.Contains("x-amz-copy-source");

    private static HttpResponseMessage Error(string code) => new(HttpStatusCode.OK)
    {
        Content = new StringContent($"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>{code}</Code><Message>for the test</Message></Error>", Encoding.UTF8, "application/xml"),
    };

    private static async Task AssertNothingAsync(RecordedStore store)
    {
        ListMultipartUploadsResponse open = await store.S3.ListMultipartUploadsAsync(new ListMultipartUploadsRequest { BucketName = store.Bucket });
        Assert.Empty(open.MultipartUploads ?? []);
        await Assert.ThrowsAnyAsync<AmazonS3Exception>(() => store.S3.GetObjectMetadataAsync(store.Bucket, "target"));
    }
}
