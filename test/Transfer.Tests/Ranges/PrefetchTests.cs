using System.Net;
using Transfer.S3.Buffers;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Ranges;

/// <summary>Ranges that are fetched before they are read. The fake store's clients have chunks of 4096 bytes.</summary>
public sealed class PrefetchTests : TransferTest
{
    private const int Page = 4096;
    private const int Large = 3 * 1024 * 1024;

    [Fact]
    public async Task PrefetchAsync_Ranges_AreReadWithoutFurtherRequests()
    {
        byte[] content = S3.Put(Large);
        await using SeekableObjectStream stream = await OpenAsync();
        (int Offset, int Length)[] ranges = [(5_000, 100_000), (1_000_000, 50_000), (2_000_000, 300_000), (Large - 10, 10)];

        await PrefetchAsync(stream, ranges);
        int calls = S3.Calls.Count;
        foreach ((int offset, int length) in ranges)
        {
            byte[] data = new byte[length];
            Assert.Equal(length, await stream.ReadAtAsync(data, offset).Within());
            Assert.Equal(content[offset..(offset + length)], data);
            stream.Position = offset;
            for (int read = 0; read < length; read += 1000)
            {
                await stream.ReadExactlyAsync(data.AsMemory(0, Math.Min(1000, length - read))).AsTask().Within();
            }
        }

        Assert.Equal(calls, S3.Calls.Count);
        Assert.InRange(stream.BytesReceived, 450_010, 450_010 + (8 * Page)); // at most the rest of the first and of the last page of each
    }

    [Fact]
    public async Task PrefetchAsync_SizeIsNotKnown_FirstRequestIsForTheFirstRange()
    {
        byte[] content = S3.Put(Large);
        await using SeekableObjectStream stream = await OpenAsync();

        await PrefetchAsync(stream, (2 * Page, Page), (1_000_000, Page));

        Assert.EachEqual((2L * Page, (3L * Page) - 1), (S3.Gets.First().First, S3.Gets.First().Last));
        Assert.Equal(Large, stream.Length);
        await CheckAsync(stream, content, 2 * Page, Page);
        Assert.Equal(2, S3.Gets.Count()); // no request for the length, and none for the read
    }

    [Fact]
    public async Task PrefetchAsync_LastBytes_AreRequestedByTheirNumber()
    {
        byte[] content = S3.Put((10 * Page) + 100);
        await using SeekableObjectStream stream = await OpenAsync();

        await stream.PrefetchAsync([ObjectRange.Last(100)]).Within();

        Assert.Null(Assert.Single(S3.Gets).First);
        await CheckAsync(stream, content, 10 * Page, 100);
        Assert.Single(S3.Gets);
    }

    [Theory]
    [InlineData(null, 1, 5)]
    [InlineData(0L, 2, 3)]
    [InlineData(2L * Page, 1, 5)]
    public async Task PrefetchAsync_NeighborsWithAGap_AreRequestedTogetherIfTheGapIsAllowed(long? maxAhead, int requests, int pages)
    {
        S3.Put(Large);
        await using SeekableObjectStream stream = await OpenAsync(maxAhead, hasHint: true);

        await PrefetchAsync(stream, (3 * Page, 2 * Page), (0, Page));

        Assert.EachEqual((requests, pages * Page), (S3.Gets.Count(), stream.BytesReceived));
    }

    [Fact]
    public async Task PrefetchAsync_LargeRange_IsRequestedInParallel()
    {
        byte[] content = S3.Put(Large);
        await using SeekableObjectStream stream = await OpenAsync(hasHint: true);
        Gate gate = new();
        int inFlight = 0;
        S3.Before = async (_, token) =>
        {
            if (Interlocked.Increment(ref inFlight) == 4)
            {
                gate.Open(); // no request is answered before there are four
            }

            await gate.PassAsync(token);
        };

        await PrefetchAsync(stream, (0, 2_000_000));

        await CheckAsync(stream, content, 0, 2_000_000);
    }

    [Fact]
    public async Task PrefetchAsync_EmptyAndBeyondTheEnd_AreIgnored()
    {
        byte[] content = S3.Put(10 * Page);
        await using SeekableObjectStream stream = await OpenAsync();

        await stream.PrefetchAsync([]).Within();
        Assert.Empty(S3.Calls);
        await stream.PrefetchAsync([ObjectRange.From(1_000_000, 10), ObjectRange.From(10 * Page, 1), ObjectRange.From(9 * Page)]).Within();
        await stream.PrefetchAsync([ObjectRange.From(1L << 62, long.MaxValue), ObjectRange.From(8 * Page, long.MaxValue)]).Within();
        int calls = S3.Calls.Count;

        await CheckAsync(stream, content, 8 * Page, 2 * Page);
        Assert.Equal(0, await stream.ReadAtAsync(new byte[10], 1_000_000).Within());
        Assert.Equal(calls, S3.Calls.Count);
    }

    [Fact]
    public async Task PrefetchAsync_EmptyObject_FetchesNothing()
    {
        S3.Put(0);
        await using SeekableObjectStream stream = await OpenAsync();

        await stream.PrefetchAsync([ObjectRange.From(0, 100), ObjectRange.Last(10)]).Within();

        Assert.EachEqual((0L, 0L), (stream.Length, stream.BytesReceived));
    }

    [Fact]
    public async Task PrefetchAsync_OverlappingAndRepeated_AreFetchedOnce()
    {
        byte[] content = S3.Put(Large);
        await using SeekableObjectStream stream = await OpenAsync(hasHint: true);

        await PrefetchAsync(stream, (0, 100 * Page), (50 * Page, 100 * Page), (10 * Page, Page), (149 * Page, Page));
        await PrefetchAsync(stream, (0, 150 * Page));

        Assert.Equal(150 * Page, stream.BytesReceived);
        await CheckAsync(stream, content, 0, 150 * Page);
        Assert.Equal(150 * Page, stream.BytesReceived);
    }

    [Fact]
    public async Task PrefetchAsync_InvalidArguments_Throw()
    {
        S3.Put(100);
        SeekableObjectStream stream = await OpenAsync();
        await Assert.ThrowsAsync<ArgumentNullException>(() => stream.PrefetchAsync(null!));
        await Assert.ThrowsAsync<ArgumentException>(() => stream.PrefetchAsync([ObjectRange.Last(1), null!]));
        await stream.DisposeAsync();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => stream.PrefetchAsync([ObjectRange.Last(1)]));
    }

    [Fact]
    public async Task Read_InAnAnnouncedRange_FetchesNothingBeyondIt()
    {
        byte[] content = S3.Put(Large);
        await using SeekableObjectStream stream = await OpenAsync(hasHint: true);
        await PrefetchAsync(stream, (100 * Page, 100 * Page));
        stream.Position = 100 * Page;

        byte[] data = new byte[100 * Page];
        for (int read = 0; read < data.Length; read += 1000)
        {
            await stream.ReadExactlyAsync(data.AsMemory(read, Math.Min(1000, data.Length - read))).AsTask().Within();
        }

        Assert.Equal(content[(100 * Page)..(100 * Page + 100 * Page)], data);
        Assert.Equal(100 * Page, stream.BytesReceived);
    }

    [Fact]
    public async Task Read_WhileItsRangeIsFetched_WaitsForIt()
    {
        byte[] content = S3.Put(Large);
        await using SeekableObjectStream stream = await OpenAsync(hasHint: true);
        Gate gate = new();
        S3.Before = (_, token) => gate.PassAsync(token);
        Task fetched = PrefetchAsync(stream, (0, 10 * Page));
        await gate.Reached;
        Task read = CheckAsync(stream, content, 2 * Page, 4 * Page);

        gate.Open();

        await read.Within();
        await fetched.Within();
        Assert.EachEqual((1, 10 * Page), (S3.Gets.Count(), stream.BytesReceived));
    }

    [Fact]
    public async Task PrefetchAsync_MoreThanMemory_ContinuesWhileTheRangesAreRead()
    {
        byte[] content = S3.Put(Large);
        TransferClient client = NewClient(options => options.MemoryBytes = 1024 * 1024); // the cache has 384 KiB
        await using SeekableObjectStream stream = await OpenAsync(client: client, hasHint: true);
        (int Offset, int Length)[] ranges = [.. Enumerable.Range(0, 40).Select(i => (i * 15 * Page, 10 * Page))];

        await PrefetchAsync(stream, ranges);
        Assert.InRange(stream.BytesReceived, 30 * Page, 72 * Page);
        foreach ((int offset, int length) in ranges)
        {
            await CheckAsync(stream, content, offset, length, step: 1000);
        }

        Assert.Equal(400 * Page, stream.BytesReceived); // each byte once
        Assert.InRange(client.PeakRentedBytes, 1, 1024 * 1024);
    }

    [Fact]
    public async Task PrefetchAsync_FormerRangesWereNeverRead_TheyMakeRoom()
    {
        byte[] content = S3.Put(Large);
        TransferClient client = NewClient(options => options.MemoryBytes = 1024 * 1024);
        await using SeekableObjectStream stream = await OpenAsync(client: client, hasHint: true);
        await PrefetchAsync(stream, (0, 60 * Page));

        await PrefetchAsync(stream, (400 * Page, 60 * Page));
        int calls = S3.Calls.Count;

        await CheckAsync(stream, content, 400 * Page, 60 * Page);
        Assert.Equal(calls, S3.Calls.Count);
        await CheckAsync(stream, content, 0, 60 * Page);
    }

    [Fact]
    public async Task PrefetchAsync_OthersHoldAllMemory_ReturnsAndReadsUseTheFloor()
    {
        byte[] content = S3.Put(40 * Page);
        TransferClient client = NewClient(options => options.MemoryBytes = 1024 * 1024);
        await using SeekableObjectStream stream = await OpenAsync(client: client, hasHint: true);
        MemoryBudget budget = client.Context.Pool.Budget;
        long rest = budget.CapacityBytes - budget.ReservedBytes;
        Assert.True(budget.TryReserve(MemoryUse.Transient, rest));

        await PrefetchAsync(stream, (0, 40 * Page));

        Assert.Empty(S3.Calls);
        await CheckAsync(stream, content, 0, 40 * Page, step: 1000);
        budget.Release(MemoryUse.Transient, rest);
    }

    [Fact]
    public async Task PrefetchAsync_Canceled_EndsItsRequestsAndLeavesTheStreamUsable()
    {
        byte[] content = S3.Put(Large);
        await using SeekableObjectStream stream = await OpenAsync(hasHint: true);
        using CancellationTokenSource cancel = new();
        Gate gate = new();
        int canceled = 0;
        S3.Before = async (_, token) =>
        {
            try
            {
                await gate.PassAsync(token);
            }
            catch (OperationCanceledException)
            {
                Interlocked.Increment(ref canceled);
                throw;
            }
        };
        Task fetched = stream.PrefetchAsync([ObjectRange.From(0, Large)], cancel.Token);
        await gate.Reached;
        Task read = CheckAsync(stream, content, 0, 100);

        await cancel.CancelAsync();

        OperationCanceledException e = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => fetched.Within());
        Assert.Equal(cancel.Token, e.CancellationToken);
        await Deadline.Until(() => Volatile.Read(ref canceled) > 0);
        Assert.False(read.IsCompleted); // its request isn't canceled
        gate.Open();
        await read.Within();
        S3.Before = null;
        await CheckAsync(stream, content, 0, Large);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => stream.PrefetchAsync([ObjectRange.From(0, 1)], cancel.Token));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Dispose_DuringAPrefetch_ThrowsAndReleasesEverything(bool isClient)
    {
        S3.Put(Large);
        TransferClient client = NewClient();
        SeekableObjectStream stream = await OpenAsync(client: client, hasHint: true);
        Gate gate = new();
        S3.Before = (_, token) => gate.PassAsync(token);
        Task fetched = PrefetchAsync(stream, (0, Large));
        await gate.Reached;

        IAsyncDisposable disposed = isClient ? client : stream;
        await disposed.DisposeAsync().AsTask().Within();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => fetched.Within());
        Assert.Equal(0, client.RentedBytes);
    }

    [Fact]
    public async Task PrefetchAsync_ObjectWasReplaced_Throws()
    {
        byte[] content = S3.Put(Large);
        await using SeekableObjectStream stream = await OpenAsync();
        await PrefetchAsync(stream, (0, Page));
        S3.Objects[FakeS3.Key] = FakeObject.Checked(Sample.Bytes(Large, seed: 2)) with { ETag = "\"another\"" };

        await Assert.ThrowsErrorAsync(TransferError.ObjectChanged, () => PrefetchAsync(stream, (0, 1_000_000)));

        await CheckAsync(stream, content, 0, Page);
    }

    [Fact]
    public async Task PrefetchAsync_RequestsFailOnce_AreRepeated()
    {
        byte[] content = S3.Put(Large);
        await using SeekableObjectStream stream = await OpenAsync();
        int failed = 0;
        S3.Before = (call, _) => Interlocked.Increment(ref failed) % 2 == 1 ? throw FakeS3.Busy() : Task.CompletedTask;
        S3.Body = (call, bytes) => new MemoryStream(bytes[..(call.Number % 3 == 0 ? bytes.Length / 2 : bytes.Length)].ToArray());

        await PrefetchAsync(stream, (0, 500_000), (2_000_000, 500_000));
        int calls = S3.Calls.Count;

        await CheckAsync(stream, content, 0, 500_000);
        await CheckAsync(stream, content, 2_000_000, 500_000);
        Assert.Equal(calls, S3.Calls.Count);
    }

    [Fact]
    public async Task PrefetchAsync_RequestsFail_ThrowsAndReadsTryAgain()
    {
        byte[] content = S3.Put(Large);
        await using SeekableObjectStream stream = await OpenAsync(hasHint: true);
        S3.Before = (_, _) => throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied");

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => PrefetchAsync(stream, (0, Large)));

        Assert.Equal(HttpStatusCode.Forbidden, e.StatusCode);
        int calls = S3.Calls.Count;
        Assert.InRange(calls, 1, 16); // nothing more is requested after the first error
        S3.Before = null;
        await CheckAsync(stream, content, 0, Large, step: 100_000);
    }

    [Fact]
    public async Task PrefetchAsync_WholeObject_IsVerifiedWhenItIsRead()
    {
        byte[] content = S3.Put(Large);
        await using SeekableObjectStream stream = await OpenAsync();

        await PrefetchAsync(stream, (0, Large));
        await CheckAsync(stream, content, 0, Large);

        Assert.True(stream.Verdict.IsVerified, stream.Verdict.Reason);
    }

    [Fact]
    public async Task PrefetchAsync_DamagedObject_IsNoticedByTheRead()
    {
        byte[] content = S3.Put(Large);
        byte[] damaged = [.. content];
        damaged[1_000_000] ^= 1;
        S3.Objects[FakeS3.Key] = S3.Objects[FakeS3.Key] with { Content = damaged };
        await using SeekableObjectStream stream = await OpenAsync();

        await PrefetchAsync(stream, (0, Large));

        await Assert.ThrowsAsync<ChecksumMismatchException>(() => stream.ReadAtAsync(new byte[100], 0).AsTask().Within());
    }

    [Fact]
    public async Task Seek_AwayFromAnnouncedRanges_DoesNotCancelThem()
    {
        byte[] content = S3.Put(Large);
        await using SeekableObjectStream stream = await OpenAsync(maxAhead: 0, hasHint: true);
        Gate gate = new();
        S3.Before = (call, token) => call.First >= 1_000_000 ? gate.PassAsync(token) : Task.CompletedTask;
        Task fetched = PrefetchAsync(stream, (250 * Page, 20 * Page));
        await gate.Reached;
        byte[] some = new byte[100];
        foreach (int offset in (int[])[0, 40 * Page, 20 * Page])
        {
            stream.Position = offset;
            await stream.ReadExactlyAsync(some).AsTask().Within();
            Assert.Equal(content[offset..(offset + 100)], some);
        }

        gate.Open();
        await fetched.Within();
        await CheckAsync(stream, content, 250 * Page, 20 * Page);
        Assert.Equal(23 * Page, stream.BytesReceived);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    [InlineData(64 * 1024)]
    public async Task MaxReadAheadBytes_AnyReads_FetchNoMore(long maxAhead)
    {
        byte[] content = S3.Put(Large);
        await using SeekableObjectStream stream = await OpenAsync(maxAhead, hasHint: true);
        Random random = new(5);
        long asked = 0;
        for (int jump = 0; jump < 60; jump++)
        {
            // Jumps, backward reads, equal distances, and runs.
            int at = jump % 3 == 0 ? jump * 40_000 : random.Next(Large - 200_000);
            for (int read = random.Next(5) == 0 ? 20 : 1; read > 0; read--)
            {
                int count = 1 + random.Next(10_000);
                stream.Position = at;
                byte[] data = new byte[count];
                await stream.ReadExactlyAsync(data).AsTask().Within();
                Assert.Equal(content[at..(at + count)], data);
                asked += count + (2 * Page); // the rest of the first and of the last page
                at += count;
            }

            asked += maxAhead + Page;
            Assert.InRange(stream.BytesReceived, 0, asked);
        }
    }

    [Fact]
    public async Task MaxReadAheadBytes_Zero_FetchesOnlyThePagesThatAreRead()
    {
        byte[] content = S3.Put(Large);
        await using SeekableObjectStream stream = await OpenAsync(maxAhead: 0);

        await CheckAsync(stream, content, (2 * Page) + 10, 100);
        Assert.EachEqual((1L, (long)Page), (stream.Requests, stream.BytesReceived));
        await CheckAsync(stream, content, (4 * Page) - 10, 20);
        Assert.EachEqual((2L, 3L * Page), (stream.Requests, stream.BytesReceived));
        stream.Position = 10 * Page;
        await stream.ReadExactlyAsync(new byte[5 * Page]).AsTask().Within();
        Assert.EachEqual((3L, 8L * Page), (stream.Requests, stream.BytesReceived));
    }

    [Fact]
    public async Task MaxReadAheadBytes_OpenAtTheEnd_FetchesOnePage()
    {
        S3.Put(100 * Page);
        TransferClient client = NewClient();
        SeekableReadOptions options = new() { Open = SeekableOpen.End, MaxReadAheadBytes = 0 };
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, options).Within();

        await stream.ReadAtAsync(new byte[10], (100 * Page) - 10).Within();

        Assert.EachEqual((1L, (long)Page), (stream.Requests, stream.BytesReceived));
    }

    [Fact]
    public async Task MaxReadAheadBytes_ReadInOrder_RequestsAreNotTiny()
    {
        byte[] content = S3.Put(Large);
        await using SeekableObjectStream stream = await OpenAsync(maxAhead: 16 * Page);
        byte[] data = new byte[Large];
        for (int read = 0; read < data.Length; read += 1024)
        {
            await stream.ReadExactlyAsync(data.AsMemory(read, 1024)).AsTask().Within();
            Assert.InRange(stream.BytesReceived, 0, Math.Max(1024 * 1024, read + 1024 + (18 * Page)));
        }

        Assert.Equal(content, data);
        Assert.InRange(stream.Requests, 1, (Large / (8 * Page)) + 8);
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(long.MaxValue)]
    public async Task MaxReadAheadBytes_OutOfRange_Throws(long value)
    {
        ArgumentOutOfRangeException e = await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => OpenAsync(value));
        Assert.Contains("MaxReadAheadBytes", e.Message, StringComparison.Ordinal);
    }

    private Task<SeekableObjectStream> OpenAsync(long? maxAhead = null, bool hasHint = false, TransferClient? client = null)
    {
        SeekableReadOptions options = new()
        {
            MaxReadAheadBytes = maxAhead,
            Hint = hasHint ? new ObjectHint { Length = S3.Objects[FakeS3.Key].Content.Length, ETag = S3.Objects[FakeS3.Key].ETag } : null,
        };
        return (client ?? NewClient()).OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, options).Within();
    }

    private static Task PrefetchAsync(SeekableObjectStream stream, params (int Offset, int Length)[] ranges)
        => stream.PrefetchAsync([.. ranges.Select(range => ObjectRange.From(range.Offset, range.Length))]).Within();

    private static async Task CheckAsync(SeekableObjectStream stream, byte[] content, int offset, int length, int step = int.MaxValue)
    {
        for (int end = offset + length; offset < end; offset += length)
        {
            length = Math.Min(step, end - offset);
            byte[] data = new byte[length];
            Assert.Equal(length, await stream.ReadAtAsync(data, offset).Within());
            Assert.Equal(content[offset..(offset + length)], data);
        }
    }
}
