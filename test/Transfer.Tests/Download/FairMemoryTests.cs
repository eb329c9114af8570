using System.Buffers;
using System.IO.Pipelines;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Download;

/// <summary>Transfers beside idle open streams and writers. They must not be delayed. If no memory is left at all, they must fail.</summary>
public sealed class FairMemoryTests : TransferTest
{
    private const int Part = 64 * 1024;
    private const int UploadPart = 5 * 1024 * 1024;
    private const long Small = 1024 * 1024;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Read_WriterHoldsAllMemory_ThrowsAfterTheStallTimeout(bool othersMove)
    {
        S3.Put(Part);
        TransferClient client = NewClient(o => (o.MemoryBytes, o.UploadPartSizeBytes) = (UploadPart, UploadPart));
        await using ObjectWriteStream writer = await client.OpenWriteAsync(FakeS3.Bucket, "out").Within();
        await writer.WriteAsync(new byte[20_000]).Within(); // exceeds its floor, so it takes the memory of its part, which is all memory
        Task<ObjectReadStream> opening = client.OpenReadAsync(FakeS3.Bucket, FakeS3.Key);
        Task download = client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, Folder.File("target"));

        await Time.AdvanceToTimerAsync(TimeSpan.FromSeconds(15));
        if (othersMove)
        {
            await client.GetInfoAsync(FakeS3.Bucket, FakeS3.Key).Within(); // progress of other requests doesn't help
        }

        Assert.False(opening.IsCompleted || download.IsCompleted);
        await Deadline.Until(() => Time.ArmedTimers >= 2);
        await Time.AdvanceToTimerAsync(TimeSpan.FromSeconds(15));

        MemoryLimitException error = await Assert.ThrowsAsync<MemoryLimitException>(() => opening.Within());
        Assert.Equal(TransferError.MemoryLimit, error.Error);
        Assert.Contains(nameof(TransferClientOptions.MemoryBytes), error.Message, StringComparison.Ordinal);
        Assert.Contains("unfinished parts of open writers and source streams (5 MiB)", error.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<MemoryLimitException>(() => download.Within());
        Assert.Empty(Directory.EnumerateFileSystemEntries(Folder.Path));
    }

    [Fact]
    public async Task Read_WriterHoldsAllMemory_ContinuesWhenTheWriterCompletes()
    {
        byte[] content = S3.Put(Part);
        TransferClient client = NewClient(o => (o.MemoryBytes, o.UploadPartSizeBytes) = (UploadPart, UploadPart));
        await using ObjectWriteStream writer = await client.OpenWriteAsync(FakeS3.Bucket, "out").Within();
        await writer.WriteAsync(new byte[20_000]).Within();
        Task<ObjectReadStream> opening = client.OpenReadAsync(FakeS3.Bucket, FakeS3.Key);
        Assert.False(opening.IsCompleted);

        await writer.CompleteAsync().Within();

        await using ObjectReadStream stream = await opening.Within();
        Assert.Equal(content, await OrderedDownloadTests.ReadAllAsync(stream));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Dispose_WhileATransferWaitsForMemory_EndsTheWait(bool isLent)
    {
        S3.Put(Part);
        TransferClient client = NewClient(o => (o.MemoryBytes, o.UploadPartSizeBytes) = (UploadPart, UploadPart));
        ObjectWriteStream writer = await client.OpenWriteAsync(FakeS3.Bucket, "out").Within();
        await writer.WriteAsync(new byte[20_000]).Within();
        Memory<byte> lent = isLent ? writer.Writer.GetMemory() : default;
        Task<ObjectReadStream> opening = client.OpenReadAsync(FakeS3.Bucket, FakeS3.Key);
        Task download = client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, Folder.File("target"));

        await client.DisposeAsync().Within();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => opening.Within());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => download.Within());
        lent.Span.Clear(); // owned by the destination until it is returned
        await writer.DisposeAsync().Within();
    }

    [Fact]
    public async Task Read_ManyWriters_TheyLeaveMemoryForOthers()
    {
        byte[] content = S3.Put(10 * Part);
        TransferClient client = NewClient(o => (o.MemoryBytes, o.MaxConcurrency) = (8 * UploadPart, 4));
        List<ObjectWriteStream> writers = [];
        Task writing = Task.CompletedTask;
        while (writing.IsCompletedSuccessfully)
        {
            writers.Add(await client.OpenWriteAsync(FakeS3.Bucket, $"out-{writers.Count}").Within());
            writing = writers[^1].WriteAsync(new byte[UploadPart - 1]).AsTask(); // the most that a part takes before it is sent
        }

        // The last write waits for memory that only this caller could free.
        Assert.InRange(writers.Count, 4, 8);
        await using ObjectReadStream stream = await client.OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within();
        Assert.Equal(content, await OrderedDownloadTests.ReadAllAsync(stream));
        await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, Folder.File("target")).Within();
        await client.UploadAsync(Folder.File("target"), FakeS3.Bucket, "again").Within();

        await writers[0].DisposeAsync().Within();
        await writing.Within();
        foreach (ObjectWriteStream writer in writers)
        {
            await writer.DisposeAsync().Within();
        }
    }

    [Fact]
    public async Task Write_LittleToManyWriters_EachReservesOnlyWhatItHolds()
    {
        TransferClient client = NewClient(o => o.MemoryBytes = 8 * UploadPart);
        List<ObjectWriteStream> writers = [];
        for (int i = 0; i < 100; i++)
        {
            writers.Add(await client.OpenWriteAsync(FakeS3.Bucket, $"out-{i}").Within());
            await writers[i].WriteAsync(new byte[70_000]).Within();
        }

        Assert.InRange(client.PeakRentedBytes, 100 * 70_000, 100 * 2 * 70_000);
        foreach (ObjectWriteStream writer in writers)
        {
            await writer.CompleteAsync().Within();
            await writer.DisposeAsync().Within();
        }
    }

    [Fact]
    public async Task Reader_NeedsMoreThanItsFloorBesideAnIdleStream_GetsMemory()
    {
        TransferClient client = NewClient(o => o.MemoryBytes = Small);
        await using ObjectReadStream idle = await OpenIdleAsync(client, "idle", 5);
        byte[] content = S3.Put("other", 40 * Part, seed: 2);
        await using ObjectReadStream other = await client.OpenReadAsync(FakeS3.Bucket, "other").Within();

        for (int at = 0; at < content.Length;)
        {
            int record = Math.Min(100_000, content.Length - at);
            ReadResult result = await other.Reader.ReadAtLeastAsync(record).Within();
            Assert.Equal(content[at..(at + record)], result.Buffer.Slice(0, record).ToArray());
            other.Reader.AdvanceTo(result.Buffer.GetPosition(record));
            at += record;
        }

        Assert.True((await other.Reader.ReadAsync().Within()).IsCompleted);
    }

    [Fact]
    public async Task Readers_NeedMoreThanAllMemory_AreServedInTurnOrThrow()
    {
        TransferClient client = NewClient(o => (o.MemoryBytes, o.MaxConcurrency) = (Small, 4));
        const int Record = 200_000;
        ObjectReadStream[] streams = new ObjectReadStream[8];
        for (int i = 0; i < streams.Length; i++)
        {
            S3.Put($"key-{i}", 40 * Part, seed: i);
            streams[i] = await client.OpenReadAsync(FakeS3.Bucket, $"key-{i}").Within();
        }

        // With a task each, every reader releases its data, and the next one continues.
        await Task.WhenAll(streams.Select(stream => Task.Run(async () =>
        {
            for (int i = 0; i < 5; i++)
            {
                ReadResult result = await stream.Reader.ReadAtLeastAsync(Record);
                stream.Reader.AdvanceTo(result.Buffer.End);
            }
        }))).Within();

        // A single caller for all streams releases nothing, so the last read fails.
        Exception? error = null;
        Task<ReadResult>? reading = null;
        foreach (ObjectReadStream stream in streams)
        {
            reading = stream.Reader.ReadAtLeastAsync(Record).AsTask();
            while (!reading.IsCompleted)
            {
                await Deadline.Until(() => reading.IsCompleted || (client.Context.Requests.IsIdle && Time.ArmedTimers > 0));
                if (!reading.IsCompleted)
                {
                    Time.Advance(TimeSpan.FromSeconds(15));
                }
            }

            error = await Xunit.Record.ExceptionAsync(() => reading.Within());
            if (error is not null)
            {
                break;
            }
        }

        Assert.Contains(nameof(TransferClientOptions.MemoryBytes), Assert.IsType<MemoryLimitException>(error).Message, StringComparison.Ordinal);
        foreach (ObjectReadStream stream in streams)
        {
            await stream.DisposeAsync().Within();
        }
    }

    [Fact]
    public async Task Read_IdleStreamHoldsTheReadAhead_UsesWholeConcurrentRanges()
    {
        TransferClient client = NewClient(o => (o.MemoryBytes, o.MaxConcurrency) = (Small, 32));
        await using ObjectReadStream idle = await OpenIdleAsync(client, "idle", 5);
        byte[] content = S3.Put("other", 40 * Part, seed: 2);
        S3.Calls.Clear();

        await using ObjectReadStream other = await client.OpenReadAsync(FakeS3.Bucket, "other").Within();
        Assert.Equal(content, await OrderedDownloadTests.ReadAllAsync(other));

        // With ranges of the size of the floor, there would be 320 requests.
        Assert.InRange(S3.Gets.Count(call => call.Key == "other"), 40, 100);
    }

    [Fact]
    public async Task Read_IdleStreamContinues_DataIsCorrectAndVerified()
    {
        TransferClient client = NewClient(o => (o.MemoryBytes, o.MaxConcurrency) = (Small, 32));
        byte[] content = S3.Put("idle", 40 * Part);
        ProgressLog progress = new();
        await using ObjectReadStream idle = await OpenIdleAsync(client, "idle", 5, content);
        for (int i = 0; i < 5; i++)
        {
            byte[] others = S3.Put($"other-{i}", 10 * Part, seed: i);
            await using ObjectReadStream other = await client.OpenReadAsync(FakeS3.Bucket, $"other-{i}").Within();
            Assert.Equal(others, await OrderedDownloadTests.ReadAllAsync(other));
        }

        int between = S3.Gets.Count(call => call.Key == "idle");
        Assert.Equal(content, await OrderedDownloadTests.ReadAllAsync(idle));
        Assert.True(idle.Verdict!.IsVerified);
        Assert.InRange(S3.BytesRead, 0, 3 * (content.Length + (50 * Part)));
        Assert.True(between < 40, $"{between} requests for a stream that was not read");
    }

    [Fact]
    public async Task Progress_DataIsFetchedAgain_NeverDecreasesAndEndsWithTheTotal()
    {
        ProgressLog progress = new();
        TransferEvents events = new();
        events.Progressed += (_, e) => progress.Report(e.Progress);
        events.Completed += (_, e) => progress.Report(e.Progress);
        TransferClient client = NewClient(o => (o.MemoryBytes, o.MaxConcurrency) = (Small, 32));
        byte[] content = S3.Put("idle", 40 * Part);
        S3.Put("other", 40 * Part, seed: 2);
        ObjectReadStream idle = await client.OpenReadAsync(FakeS3.Bucket, "idle", new DownloadOptions { Events = events }).Within();
        await Deadline.Until(() => client.RentedBytes >= 5 * Part);
        await using (ObjectReadStream other = await client.OpenReadAsync(FakeS3.Bucket, "other").Within())
        {
            await OrderedDownloadTests.ReadAllAsync(other);
        }

        Assert.Equal(content, await OrderedDownloadTests.ReadAllAsync(idle));
        await idle.DisposeAsync().Within();

        Assert.Equal(progress.Reports.Order(), progress.Reports);
        Assert.Equal(content.Length, progress.Reports[^1]);
        Assert.Equal(progress.Last.TotalParts, progress.Last.PartsCompleted);
        Assert.Contains(S3.Gets.Where(call => call.Key == "idle").GroupBy(call => call.First), group => group.Count() > 1); // otherwise, no data was given back
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Dispose_DestinationHasAChunk_KeepsItUntilTheWriteIsComplete(bool byReader)
    {
        byte[] content = S3.Put(4 * Part);
        TransferClient client = NewClient();
        Gate gate = new();
        MemoryStream seen = new();
        async Task TakeAsync(ReadOnlyMemory<byte> memory)
        {
            await gate.PassAsync(CancellationToken.None);
            seen.Write(memory.Span);
        }

        Task download;
        if (byReader)
        {
            download = Task.Run(async () =>
            {
                await using ObjectReadStream stream = await client.OpenReadAsync(FakeS3.Bucket, FakeS3.Key);
                ReadResult result = await stream.Reader.ReadAsync();
                await TakeAsync(result.Buffer.First);
                Assert.Equal(content[..(int)result.Buffer.Length], result.Buffer.ToArray());
                stream.Reader.AdvanceTo(result.Buffer.End);
                await stream.Reader.ReadAsync();
            });
        }
        else
        {
            download = client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new CallbackStream(TakeAsync));
        }

        await gate.Reached;
        Task disposing = client.DisposeAsync().AsTask();
        await Deadline.Until(() => client.RentedBytes <= Part); // chunks that are not being read are returned
        Assert.NotEqual(0, client.RentedBytes);

        gate.Open();
        await disposing.Within();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => download.Within());
        Assert.Equal(content[..(int)seen.Length], seen.ToArray());
        await Deadline.Until(() => client.RentedBytes == 0);
    }

    private async Task<ObjectReadStream> OpenIdleAsync(TransferClient client, string key, int parts, byte[]? content = null)
    {
        _ = content ?? S3.Put(key, 40 * Part);
        ObjectReadStream idle = await client.OpenReadAsync(FakeS3.Bucket, key).Within();
        await Deadline.Until(() => client.RentedBytes >= parts * Part); // it has read ahead up to its limit, and waits for more
        return idle;
    }

    private sealed class ProgressLog : IProgress<TransferProgress>
    {
        public List<long> Reports { get; } = [];

        public TransferProgress Last { get; private set; }

        public void Report(TransferProgress value)
        {
            Last = value;
            Reports.Add(value.BytesTransferred);
        }
    }

    private sealed class CallbackStream(Func<ReadOnlyMemory<byte>, Task> write) : MemoryStream
    {
        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) => new(write(buffer));
    }
}
