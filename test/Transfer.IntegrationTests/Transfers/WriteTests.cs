using System.Buffers;
using System.IO.Pipelines;
using System.Net;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>Objects that are written to real stores through a stream or a pipe.</summary>
public class WriteTests : TransferSuite
{
    private const long Part = 5 * 1024 * 1024;

    [Theory]
    [Stores(0L, 1L, Part - 1, Part, Part + 1, (3 * Part) + 1)]
    public async Task Stream_WrittenInRandomBlocks_IsTheSame(string storeName, long length)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = SmallParts(store);
        await using ObjectWriteStream stream = await client.OpenWriteAsync(store.Bucket, "a key/with ünïcode+&.bin");
        ReadOnlyMemory<byte> content = Pattern.Bytes(length);
        Random random = new((int)length);
        while (!content.IsEmpty)
        {
            int step = Math.Min(content.Length, random.Next(1, 1 << 18));
            await stream.WriteAsync(content[..step]);
            content = content[step..];
        }

        UploadResult up = await stream.CompleteAsync();

        Assert.Equal(length, up.Statistics.BytesTransferred);
        Assert.Equal(length < Part ? 0 : (length + Part - 1) / Part, up.Parts);
        Assert.True(up.Verdict.IsVerified, up.Verdict.ToString());
        await AssertStoredAsync(store, client, "a key/with ünïcode+&.bin", length, up);
    }

    [Theory]
    [Stores(0L, Part - 1, (2 * Part) + 7)]
    public async Task Writer_CopyTo_IsTheSame(string storeName, long length)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = SmallParts(store);
        await using ObjectWriteStream stream = await client.OpenWriteAsync(store.Bucket, "key");

        await PipeReader.Create(new PatternSource(length)).CopyToAsync(stream.Writer);
        UploadResult up = await stream.CompleteAsync();

        await AssertStoredAsync(store, client, "key", length, up);
    }

    [Theory]
    [Stores]
    public async Task TwoWriters_OnePartInFlightEach_RunConcurrently(string storeName)
    {
        const long length = (3 * Part) + 1;
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = SmallParts(store, 20 * 1024 * 1024);
        UploadOptions options = new() { MaxConcurrency = 1 };
        await using ObjectWriteStream one = await client.OpenWriteAsync(store.Bucket, "one", options);
        await using ObjectWriteStream other = await client.OpenWriteAsync(store.Bucket, "other", options);
        byte[] content = Pattern.Bytes(length);

        // A single caller writes to both in turns, synchronously. Each write may block the thread that the parts of the other need.
        for (int at = 0; at < content.Length; at += 100_000)
        {
            int step = Math.Min(100_000, content.Length - at);
            one.Write(content, at, step);
            other.Writer.Write(content.AsSpan(at, step));
        }

        UploadResult first = await one.CompleteAsync();
        UploadResult second = await other.CompleteAsync();
        await AssertStoredAsync(store, client, "one", length, first);
        await AssertStoredAsync(store, client, "other", length, second);
        Assert.InRange(client.PeakRentedBytes, Part, 20 * 1024 * 1024);
    }

    [Theory]
    [Stores(100L, Part + 1, (3 * Part) + 1)]
    public async Task Dispose_BeforeComplete_LeavesNothing(string storeName, long length)
    {
        await using Store store = await Store.StartAsync(storeName);
        ObjectWriteStream stream = await SmallParts(store).OpenWriteAsync(store.Bucket, "key");
        await new PatternSource(length).CopyToAsync(stream);

        await stream.DisposeAsync();

        await AssertNothingAsync(store);
    }

    [Theory]
    [Stores]
    public async Task Client_DisposedBeforeComplete_LeavesNothing(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = SmallParts(store);
        await using ObjectWriteStream stream = await client.OpenWriteAsync(store.Bucket, "key");
        await new PatternSource((2 * Part) + 1).CopyToAsync(stream);

        await client.DisposeAsync();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => stream.CompleteAsync());
        await AssertNothingAsync(store);
    }

    [Theory]
    [Stores]
    public async Task CompleteAsync_Canceled_LeavesNothing(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        await using ObjectWriteStream stream = await SmallParts(store).OpenWriteAsync(store.Bucket, "key");
        await new PatternSource((2 * Part) + 1).CopyToAsync(stream);
        CancellationToken cancelled = new(canceled: true);

        OperationCanceledException e = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => stream.CompleteAsync(cancelled));

        Assert.Equal(cancelled, e.CancellationToken);
        await AssertNothingAsync(store);
    }

    [Theory]
    [Stores(10L, Part + 1)]
    public async Task OnlyIfAbsent_KeyExists_KeepsTheObject(string storeName, long length)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = SmallParts(store);
        UploadResult first = await client.UploadAsync(new PatternSource(5), store.Bucket, "key");
        await using ObjectWriteStream stream = await client.OpenWriteAsync(store.Bucket, "key", new UploadOptions { Overwrite = false });
        await new PatternSource(length).CopyToAsync(stream);

        TransferException e = await Assert.ThrowsAnyAsync<TransferException>(() => stream.CompleteAsync());

        Assert.Equal(HttpStatusCode.PreconditionFailed, e.StatusCode);
        Assert.Equal(first.ETag, (await store.S3.GetObjectMetadataAsync(store.Bucket, "key")).ETag);
        Assert.Empty(await store.OpenUploadsAsync());
    }

    [Theory]
    [Stores(10L, Part + 1)]
    public async Task MissingBucket_ErrorNamesIt(string storeName, long length)
    {
        await using Store store = await Store.StartAsync(storeName);
        await using ObjectWriteStream stream = await SmallParts(store).OpenWriteAsync("no-such-bucket", "key");

        TransferException e = await Assert.ThrowsAsync<TransferException>(async () =>
        {
            await new PatternSource(length).CopyToAsync(stream);
            await stream.CompleteAsync();
        });

        Assert.EachEqual(("NoSuchBucket", "no-such-bucket", "key"), (e.ErrorCode, e.Bucket, e.Key));
    }

    private TransferClient SmallParts(Store store, long memoryBytes = 64 * 1024 * 1024) => Client(store, o =>
    {
        o.UploadPartSizeBytes = Part;
        o.MemoryBytes = memoryBytes;
    });

    private static async Task AssertStoredAsync(Store store, TransferClient client, string key, long length, UploadResult up)
    {
        using PatternSink sink = new();
        DownloadResult down = await client.DownloadAsync(store.Bucket, key, sink);
        Assert.Equal(length, sink.Written);
        Assert.True(down.Verdict.IsVerified, down.Verdict.ToString());
        AssertSameSum(up, down);
        Assert.Equal(up.ETag, down.Info.ETag);
        Assert.Empty(await store.OpenUploadsAsync());
    }

    private static async Task AssertNothingAsync(Store store)
    {
        Assert.Empty(await store.OpenUploadsAsync());
        Assert.Empty((await store.S3.ListObjectsV2Async(new() { BucketName = store.Bucket })).S3Objects ?? []);
    }
}
