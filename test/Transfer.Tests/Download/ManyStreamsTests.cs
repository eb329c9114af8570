using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Download;

/// <summary>Many open streams with little memory. None may starve, and the memory budget must hold.</summary>
public sealed class ManyStreamsTests : TransferTest
{
    private const int Part = 64 * 1024;
    private const int Streams = 40;
    private const int Size = (5 * Part) + 321;
    private const long Budget = 1024 * 1024;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Read_ByOneCaller_EveryStreamCompletesWithinTheBudget(bool inTurns)
    {
        TransferClient client = NewClient(o => o.MemoryBytes = Budget);
        List<(ObjectReadStream Stream, byte[] Content, MemoryStream Read)> open = [];
        for (int i = 0; i < Streams; i++)
        {
            byte[] content = S3.Put($"key-{i}", Size, seed: i);
            open.Add((await client.OpenReadAsync(FakeS3.Bucket, $"key-{i}").Within(), content, new MemoryStream()));
        }

        // Read in turns, as a merge does. Or read the last one to its end first, while all others keep their memory.
        byte[] buffer = new byte[3000];
        open.Reverse();
        while (open.Count > 0)
        {
            foreach ((ObjectReadStream stream, byte[] content, MemoryStream read) in inTurns ? [.. open] : open[..1])
            {
                int count = await stream.ReadAsync(buffer).Within();
                read.Write(buffer, 0, count);
                if (count == 0)
                {
                    Assert.Equal(content, read.ToArray());
                    await stream.DisposeAsync().Within();
                    open.RemoveAll(one => one.Stream == stream);
                }
            }
        }

        Assert.InRange(client.PeakRentedBytes, 1, Budget);
    }

    [Fact]
    public async Task Client_DisposedWithAnOpenStream_ClosesIt()
    {
        S3.Put(4 * 64 * 1024);
        TransferClient client = NewClient();
        ObjectReadStream stream = await client.OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within();

        await client.DisposeAsync().Within();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => stream.ReadAsync(new byte[1]).AsTask().Within());
        Assert.Equal(0, client.RentedBytes);
    }

    [Fact]
    public async Task Upload_ReaderHasStopped_Completes()
    {
        S3.Put(4 * 1024 * 1024);
        TransferClient client = NewClient(o => o.MemoryBytes = 1024 * 1024);
        await using ObjectReadStream stopped = await client.OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within();
        await Deadline.Until(() => client.RentedBytes >= 5 * 64 * 1024); // it has read ahead up to its limit, and waits for more
        byte[] content = Sample.Bytes(100_000);

        await client.UploadAsync(new MemoryStream(content), FakeS3.Bucket, "other").Within();

        Assert.Equal(content, S3.Published("other"));
    }

    [Fact]
    public async Task Read_OneReaderNeverContinues_OthersAreNotDelayed()
    {
        TransferClient client = NewClient(o => (o.MemoryBytes, o.MaxConcurrency) = (Budget, 2));
        S3.Put("paused", 40 * Part);
        await using ObjectReadStream paused = await client.OpenReadAsync(FakeS3.Bucket, "paused").Within();
        await paused.ReadExactlyAsync(new byte[1]).Within();
        byte[] content = S3.Put("other", 40 * Part, seed: 2);

        await using ObjectReadStream other = await client.OpenReadAsync(FakeS3.Bucket, "other").Within();

        Assert.Equal(content, await OrderedDownloadTests.ReadAllAsync(other));
    }

    [Fact]
    public async Task OpenReadAsync_FloorsAreUsedUp_ErrorNamesTheOption()
    {
        S3.Put(Part);
        TransferClient client = NewClient(o => o.MemoryBytes = Budget);
        List<ObjectReadStream> open = [];
        for (long i = 0; i < Budget / 2 / (2 * 4096); i++)
        {
            open.Add(await client.OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within());
        }

        Exception error = await Assert.ThrowsAnyAsync<Exception>(() => client.OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within());

        Assert.Contains(nameof(TransferClientOptions.MemoryBytes), error.Message, StringComparison.Ordinal);
        await Task.WhenAll(open.Select(stream => stream.DisposeAsync().AsTask())).Within();
    }

    [Fact]
    public async Task Download_ManyConcurrentFilesAndStreams_StaysWithinTheBudget()
    {
        byte[] content = S3.Put(Size);
        using TemporaryFolder folder = new();
        TransferClient client = NewClient(o => o.MemoryBytes = Budget);

        await Task.WhenAll(Enumerable.Range(0, 20).Select(async i =>
        {
            MemoryStream target = new();
            await Task.WhenAll(
                client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, folder.File($"file-{i}")),
                client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, target));
            Assert.Equal(content, target.ToArray());
            Assert.Equal(content, await File.ReadAllBytesAsync(folder.File($"file-{i}")));
        })).Within();

        Assert.InRange(client.PeakRentedBytes, 1, Budget);
    }
}
