using System.Buffers;
using System.IO.Pipelines;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Transfers;

public class RoundTripTests : TransferSuite
{
    private const long Chunk = 64 * 1024;
    private const long Part = 8 * 1024 * 1024;

    [Theory]
    [Stores(0L, 1L, Chunk - 1, Chunk, Chunk + 1, Part - 1, Part, Part + 1, (3 * Part) + 1)]
    public async Task File_UploadedAndDownloaded_IsTheSame(string storeName, long length)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        string source = NewFile("source", length);
        string target = Path.Combine(Folder, "new", "folder", "target");

        UploadResult up = await client.UploadAsync(source, store.Bucket, "a key/with ünïcode+&.bin");
        DownloadResult down = await client.DownloadAsync(store.Bucket, "a key/with ünïcode+&.bin", target);

        AssertPattern(target, length);
        Assert.Equal(length, up.Statistics.BytesTransferred);
        Assert.Equal(length, down.Statistics.BytesTransferred);
        Assert.True(up.Verdict.IsVerified, up.Verdict.ToString());
        Assert.True(down.Verdict.IsVerified, down.Verdict.ToString());
        AssertSameSum(up, down);
        Assert.Equal(up.ETag, down.Info.ETag);
        Assert.Equal([target], Directory.GetFileSystemEntries(Path.GetDirectoryName(target)!));
        Assert.Empty(await store.OpenUploadsAsync());
    }

    [Theory]
    [Stores(0L, 1L, Part - 1, Part, Part + 1, (3 * Part) + 1)]
    public async Task UnseekableStream_UploadedAndDownloaded_IsTheSame(string storeName, long length)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        using PatternSource source = new(length);
        using PatternSink sink = new();

        await client.UploadAsync(source, store.Bucket, "key");
        DownloadResult down = await client.DownloadAsync(store.Bucket, "key", sink);

        Assert.Equal(length, sink.Written);
        Assert.True(down.Verdict.IsVerified, down.Verdict.ToString());
        Assert.False(source.IsDisposed);
    }

    [Theory]
    [Stores]
    public async Task Read_SynchronouslyAfterAnAsynchronousRead_DoesNotBlockFetching(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        byte[] content = Pattern.Bytes(3 * Part);
        await client.UploadAsync(new ReadOnlySequence<byte>(content), store.Bucket, "key");

        await using ObjectReadStream stream = await client.OpenReadAsync(store.Bucket, "key");
        byte[] read = new byte[content.Length];
        int at = 0;
        while (at < read.Length)
        {
            // The first read continues on a thread that received bytes. The second blocks that thread while the same part receives more.
            at += await stream.ReadAsync(read.AsMemory(at, Math.Min(10_000, read.Length - at)));
            at += stream.Read(read.AsSpan(at, Math.Min(100_000, read.Length - at)));
        }

        Assert.Equal(0, await stream.ReadAsync(new byte[1]));
        Assert.Equal(content, read);
    }

    [Theory]
    [Stores]
    public async Task SeekableStream_IsUploadedFromItsPosition(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        using MemoryStream source = new(Pattern.Bytes(Part * 2));
        source.Position = 1000;

        await client.UploadAsync(source, store.Bucket, "key");

        await using ObjectReadStream read = await client.OpenReadAsync(store.Bucket, "key");
        byte[] bytes = new byte[(Part * 2) - 1000];
        await read.ReadExactlyAsync(bytes);
        Assert.Equal(0, await read.ReadAsync(new byte[1]));
        Assert.Equal(Pattern.Bytes(Part * 2)[1000..], bytes);
        Assert.True(read.Verdict!.IsVerified);
    }

    [Theory]
    [Stores(0L, (2 * Part) + 7)]
    public async Task Pipes_UploadedAndDownloaded_AreTheSame(string storeName, long length)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        Pipe up = new();
        Task write = WriteAsync();
        Pipe down = new();
        using PatternSink sink = new();

        await client.UploadAsync(up.Reader, store.Bucket, "key");
        await write;
        Task read = down.Reader.CopyToAsync(sink);
        DownloadResult result = await client.DownloadAsync(store.Bucket, "key", down.Writer);
        await down.Writer.CompleteAsync();
        await read;

        Assert.Equal(length, sink.Written);
        Assert.True(result.Verdict.IsVerified, result.Verdict.ToString());

        async Task WriteAsync()
        {
            await new PatternSource(length).CopyToAsync(up.Writer);
            await up.Writer.CompleteAsync();
        }
    }

    [Theory]
    [Stores]
    public async Task Memory_InPieces_IsUploaded(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        byte[] bytes = Pattern.Bytes(Part + 100);
        using PatternSink sink = new();

        await client.UploadAsync(new ReadOnlySequence<byte>(bytes), store.Bucket, "key");
        await client.DownloadAsync(store.Bucket, "key", sink);

        Assert.Equal(bytes.Length, sink.Written);
    }

    [Theory]
    [Stores(ChecksumAlgorithm.Crc64Nvme, ChecksumAlgorithm.Crc32C, ChecksumAlgorithm.Crc32)]
    public async Task FullObjectChecksum_OfParts_IsVerifiedInBothDirections(string storeName, ChecksumAlgorithm algorithm)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);
        using PatternSink sink = new();

        UploadResult up = await client.UploadAsync(new PatternSource(Part * 2), store.Bucket, "key", new UploadOptions { Checksum = algorithm });
        DownloadResult down = await client.DownloadAsync(store.Bucket, "key", sink);

        Assert.True(up.Verdict.IsVerified, up.Verdict.ToString());
        Assert.True(down.Verdict.IsVerified, down.Verdict.ToString());
        Assert.Equal(algorithm, down.Verdict.Algorithm);
    }

    [Theory]
    [Stores(1000L, Part + 1)]
    public async Task Sha256_IsConfirmedByTheStore(string storeName, long length)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);

        UploadResult up = await client.UploadAsync(new PatternSource(length), store.Bucket, "key", new UploadOptions { Checksum = ChecksumAlgorithm.Sha256 });

        Assert.True(up.Verdict.IsVerified, up.Verdict.ToString());
        Assert.Equal(ChecksumAlgorithm.Sha256, up.Verdict.Algorithm);
    }

    [Theory]
    [Stores(1000L, Part + 1)]
    public async Task NoChecksum_VerdictIsUnverified(string storeName, long length)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);

        UploadResult up = await client.UploadAsync(new PatternSource(length), store.Bucket, "key", new UploadOptions { Checksum = ChecksumAlgorithm.None });

        Assert.False(up.Verdict.IsVerified);
        Assert.NotNull(up.Verdict.Reason);
    }
}
