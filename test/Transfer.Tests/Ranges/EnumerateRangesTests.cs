using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Ranges;

public sealed class EnumerateRangesTests : RangeTest
{
    private const int Size = 2 * 1024 * 1024;

    [Fact]
    public async Task EnumerateRangesAsync_NoRanges_NoRequest()
    {
        await foreach (RangeBuffer buffer in EnumerateAsync(NewClient(), []))
        {
            Assert.Fail($"There is a buffer: {buffer.Index}.");
        }

        Assert.Empty(S3.Calls);
    }

    [Fact]
    public async Task EnumerateRangesAsync_SlowRequest_OthersComeFirst()
    {
        byte[] content = S3.Put(Size);
        Gate gate = new();
        S3.Before = (call, token) => call.First == Far ? gate.PassAsync(token) : Task.CompletedTask;
        ObjectRange[] ranges = [ObjectRange.From(Far, 10), ObjectRange.From(0, 10), ObjectRange.From(2 * Far, 10), ObjectRange.Last(10)];
        List<int> order = [];

        await foreach (RangeBuffer buffer in EnumerateAsync(NewClient(), ranges))
        {
            using (buffer)
            {
                AssertSame(content, ranges, buffer);
                order.Add(buffer.Index);
                if (order.Count == 3)
                {
                    gate.Open();
                }
            }
        }

        Assert.Equal(0, order[^1]);
        Assert.Equal([0, 1, 2, 3], order.Order());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(7)]
    public async Task EnumerateRangesAsync_EndsEarly_OnlyTheBuffersOfTheCallerRemain(int after)
    {
        byte[] content = S3.Put(Size);
        ObjectRange[] ranges = [.. Enumerable.Range(0, 20).Select(i => ObjectRange.From(i * 100_000, 5000))];
        TransferClient client = NewClient();
        List<RangeBuffer> kept = [];

        await foreach (RangeBuffer buffer in EnumerateAsync(client, ranges))
        {
            kept.Add(buffer);
            if (kept.Count > after)
            {
                break;
            }
        }

        Assert.Equal(after + 1, kept.Count);
        Assert.Equal(kept.Count * 2 * Chunk, client.RentedBytes);
        Assert.Equal(kept.Count * 2 * Chunk, client.Context.Pool.Budget.ReservedBytes);
        Assert.All(kept, buffer => AssertSame(content, ranges, buffer));
        kept.ForEach(buffer => buffer.Dispose());
    }

    [Fact]
    public async Task EnumerateRangesAsync_BuffersAreDisposed_NeedsLittleMemory()
    {
        byte[] content = S3.Put(8 * Size);
        ObjectRange[] ranges = [.. Enumerable.Range(0, 120).Select(i => ObjectRange.From(i * 130_000, 129_000)), ObjectRange.From(1000, 400_000)];
        TransferClient client = NewClient(o => o.MemoryBytes = 1024 * 1024);

        await ReadAndCompareAsync(client, content, ranges, enumerates: true);

        Assert.InRange(client.PeakRentedBytes, 1, 1024 * 1024);
    }

    [Fact]
    public async Task EnumerateRangesAsync_CallerKeepsAllBuffers_ErrorNamesTheMemory()
    {
        S3.Put(8 * Size);
        ObjectRange[] ranges = [.. Enumerable.Range(0, 20).Select(i => ObjectRange.From(i * 200_000, 100_000))];
        TransferClient client = NewClient(o => o.MemoryBytes = 1024 * 1024);
        List<RangeBuffer> kept = [];
        Task enumerating = Task.Run(async () =>
        {
            await foreach (RangeBuffer buffer in EnumerateAsync(client, ranges))
            {
                kept.Add(buffer);
            }
        });

        await Deadline.Until(() => client.Context.Pool.Budget.Waiters == 1 && kept.Count == 5);
        while (!enumerating.IsCompleted)
        {
            await Time.AdvanceToTimerAsync(TimeSpan.FromSeconds(15));
            await Deadline.Until(() => enumerating.IsCompleted || Time.ArmedTimers >= 1);
        }

        MemoryLimitException error = await Assert.ThrowsAsync<MemoryLimitException>(() => enumerating.Within());
        Assert.Contains(nameof(TransferClientOptions.MemoryBytes), error.Message, StringComparison.Ordinal);
        Assert.Contains("range buffers", error.Message, StringComparison.Ordinal);
        kept.ForEach(buffer => buffer.Dispose());
    }

    [Fact]
    public async Task EnumerateRangesAsync_CallerWorksForLong_NoError()
    {
        byte[] content = S3.Put(8 * Size);
        ObjectRange[] ranges = [.. Enumerable.Range(0, 20).Select(i => ObjectRange.From(i * 200_000, 100_000))];
        TransferClient client = NewClient(o => o.MemoryBytes = 1024 * 1024);
        int count = 0;

        await foreach (RangeBuffer buffer in EnumerateAsync(client, ranges))
        {
            AssertSame(content, ranges, buffer);
            if (count++ == 0)
            {
                await Deadline.Until(() => client.Context.Pool.Budget.Waiters == 1);
                for (int i = 0; i < 5; i++)
                {
                    await Time.AdvanceToTimerAsync(TimeSpan.FromSeconds(15));
                    await Deadline.Until(() => Time.ArmedTimers >= 1);
                }
            }

            buffer.Dispose();
        }

        Assert.Equal(20, count);
    }

    /// <summary>The enumeration can begin long after the call.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task ClientIsDisposed_BeforeTheEnumeration_ThrowsAndSendsNothing(int ranges)
    {
        S3.Put(1000);
        TransferClient client = NewClient();
        IAsyncEnumerable<RangeBuffer> all = client.EnumerateRangesAsync(FakeS3.Bucket, FakeS3.Key, [.. Enumerable.Repeat(ObjectRange.From(0, 10), ranges)]);
        await client.DisposeAsync().Within();

        await using IAsyncEnumerator<RangeBuffer> enumerator = all.GetAsyncEnumerator();
        ObjectDisposedException e = await Assert.ThrowsAsync<ObjectDisposedException>(() => enumerator.MoveNextAsync().AsTask().Within());

        Assert.Contains(nameof(TransferClient), e.ObjectName, StringComparison.Ordinal);
        Assert.Throws<ObjectDisposedException>(() => EnumerateAsync(client, [ObjectRange.From(0)]));
        Assert.Empty(S3.Calls);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task ClientIsDisposed_DuringTheEnumeration_Throws(bool whileTheCallerWorks)
    {
        byte[] content = S3.Put(Size);
        Gate gate = new();
        S3.Before = (call, token) => call.First == 5 * Far ? gate.PassAsync(token) : Task.CompletedTask;
        ObjectRange[] ranges = [.. Enumerable.Range(0, 10).Select(i => ObjectRange.From(i * Far, 5000))];
        TransferClient client = NewClient();
        await using IAsyncEnumerator<RangeBuffer> enumerator = EnumerateAsync(client, ranges).GetAsyncEnumerator();
        Assert.True(await enumerator.MoveNextAsync().Within());
        using RangeBuffer kept = enumerator.Current;
        if (!whileTheCallerWorks)
        {
            for (int i = 1; i < 9; i++)
            {
                Assert.True(await enumerator.MoveNextAsync().Within());
                enumerator.Current.Dispose();
            }

            Task<bool> moving = enumerator.MoveNextAsync().AsTask();
            await gate.Reached;
            await client.DisposeAsync().Within();
            await Assert.ThrowsAsync<ObjectDisposedException>(() => moving.Within());
        }
        else
        {
            await client.DisposeAsync().Within(); // doesn't wait for the caller
            await Assert.ThrowsAsync<ObjectDisposedException>(() => enumerator.MoveNextAsync().Within());
        }

        AssertSame(content, ranges, kept);
        Assert.Equal(2 * Chunk, client.RentedBytes);
    }

    [Fact]
    public async Task EnumerateRangesAsync_EnumeratedTwice_TwoTransfers()
    {
        byte[] content = S3.Put(100);
        ObjectRange[] wanted = [ObjectRange.From(10, 10)];
        IAsyncEnumerable<RangeBuffer> ranges = EnumerateAsync(NewClient(), wanted);

        for (int round = 1; round <= 2; round++)
        {
            await foreach (RangeBuffer buffer in ranges)
            {
                AssertSame(content, wanted, buffer);
                buffer.Dispose();
            }

            Assert.Equal(round, S3.Calls.Count);
        }
    }
}
