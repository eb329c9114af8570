using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Upload;

/// <summary>Writes many objects with memory for a few parts. All must complete or fail with a clear error, and none may wait forever.</summary>
public sealed class ManyWritersTests : TransferTest
{
    private const int Part = 5 * 1024 * 1024;
    private const int Writers = 20;
    private const long Budget = 8 * Part;

    [Fact]
    public async Task Write_OneCallerForEach_AllCompleteWithinTheBudget()
    {
        byte[] content = Sample.Bytes(Part + 70_001);
        TransferClient client = NewClient(o => o.MemoryBytes = Budget);

        await Task.WhenAll(Enumerable.Range(0, Writers).Select(i => Task.Run(async () =>
        {
            await using ObjectWriteStream stream = await client.OpenWriteAsync(FakeS3.Bucket, $"key-{i}");
            for (int at = 0; at < content.Length; at += 65_537)
            {
                await stream.WriteAsync(content.AsMemory(at, Math.Min(65_537, content.Length - at)));
            }

            await stream.CompleteAsync();
        }))).Within();

        Assert.All(Enumerable.Range(0, Writers), i => Assert.True(content.AsSpan().SequenceEqual(S3.Published($"key-{i}"))));
        Assert.InRange(client.PeakRentedBytes, Part, Budget);
    }

    [Fact]
    public async Task Write_OneCallerForAll_ThrowsAfterTheStallTimeoutAndCanContinueLater()
    {
        byte[] content = Sample.Bytes(Part - 1);
        TransferClient client = NewClient(o => o.MemoryBytes = Budget);
        List<ObjectWriteStream> open = [];
        for (int i = 0; i < Writers; i++)
        {
            open.Add(await client.OpenWriteAsync(FakeS3.Bucket, $"key-{i}").Within());
        }

        int next = 0;
        Task writing = Task.CompletedTask;
        for (; writing.IsCompletedSuccessfully; next++)
        {
            writing = open[next].WriteAsync(content).AsTask();
        }

        // Half of the budget is for parts that only their writers can complete.
        Assert.Equal(5, next);
        await Time.SleepToTimerAsync(TimeSpan.FromHours(1)); // while the machine sleeps, no writer can make progress
        await Time.AdvanceToTimerAsync(TimeSpan.FromSeconds(15));
        MemoryLimitException error = await Assert.ThrowsAsync<MemoryLimitException>(() => writing.Within());
        Assert.Contains(nameof(TransferClientOptions.MemoryBytes), error.Message, StringComparison.Ordinal);

        // Position says how much the stream accepted. It continues when others are complete.
        foreach (ObjectWriteStream stream in open[..(next - 1)])
        {
            await stream.CompleteAsync().Within();
        }

        foreach (ObjectWriteStream stream in open[(next - 1)..])
        {
            await stream.WriteAsync(content.AsMemory((int)stream.Position)).Within();
            await stream.CompleteAsync().Within();
        }

        Assert.All(Enumerable.Range(0, Writers), i => Assert.Equal(content, S3.Published($"key-{i}")));
        Assert.InRange(client.PeakRentedBytes, 1, Budget);
        foreach (ObjectWriteStream stream in open)
        {
            await stream.DisposeAsync();
        }
    }

    /// <summary>The error must not blame the source.</summary>
    [Theory]
    [InlineData(UploadForm.Unseekable)]
    [InlineData(UploadForm.Pipe)]
    public async Task Upload_WriterHoldsAllMemory_ErrorNamesTheOption(UploadForm form)
    {
        TransferClient client = NewClient(o => o.MemoryBytes = Part);
        await using ObjectWriteStream writer = await client.OpenWriteAsync(FakeS3.Bucket, "out").Within();
        await writer.WriteAsync(new byte[20_000]).Within();
        Task<UploadResult> upload = form.RunAsync(client, Sample.Bytes(Part + 1), Folder);

        await Time.AdvanceToTimerAsync(TimeSpan.FromSeconds(15));
        await Time.AdvanceToTimerAsync(TimeSpan.FromSeconds(15));

        MemoryLimitException error = await Assert.ThrowsAsync<MemoryLimitException>(() => upload.Within());
        Assert.Contains(nameof(TransferClientOptions.MemoryBytes), error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Write_PartsInFlightHoldTheMemory_WaitsBeyondTheStallTimeout()
    {
        Gate gate = new();
        S3.Before = (call, token) => call.Operation == S3Call.UploadPart ? gate.PassAsync(token) : Task.CompletedTask;
        TransferClient client = NewClient(o => o.MemoryBytes = 2 * Part);
        await using ObjectWriteStream stream = await client.OpenWriteAsync(FakeS3.Bucket, FakeS3.Key).Within();
        byte[] content = Sample.Bytes((2 * Part) + 1);
        Task writing = stream.WriteAsync(content).AsTask();
        await Deadline.Until(() => S3.GetCount(S3Call.UploadPart) == 2);

        Time.Advance(TimeSpan.FromSeconds(29));
        Assert.False(writing.IsCompleted);

        gate.Open();
        await writing.Within();
        await stream.CompleteAsync().Within();
        Assert.Equal(content, S3.Published());
    }

    [Fact]
    public async Task Write_SlowWriterHoldsTheMemory_WaitsForIt()
    {
        TransferClient client = NewClient(o => o.MemoryBytes = Part + (64 * 1024));
        await using ObjectWriteStream slow = await client.OpenWriteAsync(FakeS3.Bucket, "slow").Within();
        await using ObjectWriteStream waits = await client.OpenWriteAsync(FakeS3.Bucket, "waits").Within();
        byte[] content = Sample.Bytes(100_000);
        await slow.WriteAsync(content).Within();
        Task writing = waits.WriteAsync(content).AsTask();

        for (int chunks = 0; chunks < 10; chunks++)
        {
            await Deadline.Until(() => Time.ArmedTimers == 1);
            await slow.WriteAsync(content.AsMemory(0, client.Context.Pool.ChunkSize)).Within();
            Time.Advance(TimeSpan.FromSeconds(15));
        }

        await slow.CompleteAsync().Within();
        await writing.Within();
        await waits.CompleteAsync().Within();
        Assert.Equal(content, S3.Published("waits"));
    }

    [Fact]
    public async Task OpenWriteAsync_ManyTinyObjects_NeedNoMemoryOfWholeParts()
    {
        TransferClient client = NewClient(o => o.MemoryBytes = 2 * Part);
        List<ObjectWriteStream> open = [];
        for (int i = 0; i < 200; i++)
        {
            open.Add(await client.OpenWriteAsync(FakeS3.Bucket, $"key-{i}").Within());
            await open[i].WriteAsync(new byte[8192]).Within();
        }

        foreach (ObjectWriteStream stream in open)
        {
            await stream.CompleteAsync().Within();
            await stream.DisposeAsync();
        }

        Assert.Equal(200, S3.GetCount(S3Call.Put));
    }
}
