using System.Buffers;
using System.Net;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Ranges;

public sealed class ReadRangesTests : RangeTest
{
    private const int Size = 1024 * 1024;

    [Fact]
    public async Task ReadRangesAsync_NoRanges_NoRequest()
    {
        using RangeBuffers buffers = await ReadAsync(NewClient(), []).Within();

        Assert.Empty(buffers);
        Assert.Null(buffers.Info);
        Assert.Empty(S3.Calls);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(Chunk - 1)]
    [InlineData(Chunk)]
    [InlineData(Chunk + 1)]
    public async Task ReadRangesAsync_ChunkBoundaries_ReturnsTheBytes(int at)
    {
        byte[] content = S3.Put(Size);
        foreach (int length in new[] { 1, Chunk - 1, Chunk, Chunk + 1, 3 * Chunk })
        {
            ObjectRange[] ranges = [ObjectRange.From(at, length), ObjectRange.From(at + length, 1), ObjectRange.From(Size - 1 - at, length), ObjectRange.Last(at + 1)];

            await ReadAndCompareAsync(NewClient(), content, ranges, enumerates: false);
        }
    }

    [Fact]
    public async Task ReadRangesAsync_AnyOrder_BuffersAreInTheOrderOfTheList()
    {
        byte[] content = S3.Put(Size);
        ObjectRange[] ranges = [ObjectRange.From(3 * Far, 100), ObjectRange.Last(50), ObjectRange.From(0, 10), ObjectRange.From(Far, 20_000), ObjectRange.From(5, 1)];

        using RangeBuffers buffers = await ReadAsync(NewClient(), ranges).Within();

        AssertSame(content, ranges, buffers);
        Assert.Equal(Size, buffers.Info!.Length);
        Assert.Equal(4, S3.GetCount(S3Call.Get));
        Assert.Equal(4, S3.Calls.Count); // no HEAD request
        Assert.Equal(0, S3.Gets.First().First);
        Assert.All(S3.Gets.Skip(1), call => Assert.Equal(S3.Objects[FakeS3.Key].ETag, call.IfMatch));
    }

    [Fact]
    public async Task ReadRangesAsync_OverlapAndDuplicates_OneRequest()
    {
        byte[] content = S3.Put(Size);
        ObjectRange[] ranges =
        [
            ObjectRange.From(100, 30_000), ObjectRange.From(100, 30_000), ObjectRange.From(20_000, 30_000), ObjectRange.From(50_000, 1), ObjectRange.From(99, 2), ObjectRange.From(0, 60_000),
        ];
        TransferClient client = NewClient();

        using RangeBuffers buffers = await ReadAsync(client, ranges).Within();

        AssertSame(content, ranges, buffers);
        Assert.EachEqual((0, 59_999), (Assert.Single(S3.Calls).First, S3.Calls.First().Last));
        Assert.Equal(15 * Chunk, client.RentedBytes);
    }

    [Fact]
    public async Task ReadRangesAsync_GapOfWholeChunks_IsNotKept()
    {
        byte[] content = S3.Put(Size);
        ObjectRange[] ranges = [ObjectRange.From(10, 10), ObjectRange.From(60_000, 10)];
        TransferClient client = NewClient();

        using RangeBuffers buffers = await ReadAsync(client, ranges).Within();

        AssertSame(content, ranges, buffers);
        Assert.Single(S3.Calls);
        Assert.Equal(2 * Chunk, client.RentedBytes);
        Assert.Equal(2 * Chunk, client.Context.Pool.Budget.ReservedBytes);
    }

    [Theory]
    [InlineData(64 * 1024, 1)]
    [InlineData((64 * 1024) + 1, 2)]
    public async Task ReadRangesAsync_Gap_DecidesTheNumberOfRequests(int gap, int requests)
    {
        byte[] content = S3.Put(Size);
        ObjectRange[] ranges = [ObjectRange.From(0, 100), ObjectRange.From(100 + gap, 100)];

        await ReadAndCompareAsync(NewClient(), content, ranges, enumerates: false);

        Assert.Equal(requests, S3.Calls.Count);
    }

    [Theory]
    [InlineData(0.1, 100_000, 1)]
    [InlineData(0.1, 110_000, 2)]
    [InlineData(0.001, 16 * 1024, 1)] // at least 16 KiB
    [InlineData(0.001, (16 * 1024) + 1, 2)]
    [InlineData(60, 1024 * 1024, 1)] // at most 1 MiB
    [InlineData(60, (1024 * 1024) + 1, 2)]
    public async Task ReadRangesAsync_LinkIsMeasured_GapTakesAsLongAsARequest(double firstByteSeconds, int gap, int requests)
    {
        byte[] content = S3.Put(2 * Size);
        TransferClient client = NewClient();
        for (int i = 0; i < 100; i++)
        {
            client.Context.Hedging.Responded(TimeSpan.FromSeconds(firstByteSeconds));
            client.Context.Hedging.Received(TimeSpan.FromSeconds(1), Sizes.MiB);
        }

        await ReadAndCompareAsync(client, content, [ObjectRange.From(0, 100), ObjectRange.From(100 + gap, 100)], enumerates: false);

        Assert.Equal(requests, S3.Calls.Count);
    }

    [Fact]
    public async Task ReadRangesAsync_MaxCoalescedBytes_LimitsRequests()
    {
        byte[] content = S3.Put(Size);
        ObjectRange[] ranges = [.. Enumerable.Range(0, 20).Select(i => ObjectRange.From(i * 50_000, 10_000)), ObjectRange.From(1000, 600_001)];
        RangeReadOptions options = new() { MaxCoalescedBytes = 128 * 1024 };

        await ReadAndCompareAsync(NewClient(), content, ranges, enumerates: false, options);

        Assert.All(S3.Gets, call => Assert.InRange(call.Last!.Value - call.First!.Value + 1, 1, 128 * 1024));
    }

    [Fact]
    public async Task ReadRangesAsync_LargeRange_RequestsRunInParallel()
    {
        byte[] content = S3.Put(Size);
        Gate gate = new();
        S3.Before = (call, token) => call.Number == 1 ? Task.CompletedTask : gate.PassAsync(token);
        ObjectRange[] ranges = [ObjectRange.From(100)];

        Task<RangeBuffers> reading = ReadAsync(NewClient(), ranges, new RangeReadOptions { MaxCoalescedBytes = 256 * 1024 });
        await Deadline.Until(() => S3.GetCount(S3Call.Get) == 4);
        gate.Open();

        using RangeBuffers buffers = await reading.Within();
        AssertSame(content, ranges, buffers);
        Assert.Equal([100, 262_244, 524_388, 786_532], S3.Gets.Select(call => call.First).Order());
    }

    [Fact]
    public async Task ReadRangesAsync_LastBytesOnly_OneRequest()
    {
        byte[] content = S3.Put(Size);
        ObjectRange[] ranges = [ObjectRange.Last(8), ObjectRange.Last(20_000), ObjectRange.Last(1)];

        await ReadAndCompareAsync(NewClient(), content, ranges, enumerates: false);

        S3Call call = Assert.Single(S3.Calls);
        Assert.Null(call.First);
        Assert.Equal(20_000, call.Last);
    }

    [Theory]
    [InlineData(200 * 1024)] // more than one request
    [InlineData(long.MaxValue)]
    public async Task ReadRangesAsync_ManyLastBytes_ReturnsThem(long last)
    {
        byte[] content = S3.Put(Size);

        await ReadAndCompareAsync(NewClient(), content, [ObjectRange.Last(last), ObjectRange.Last(5)], enumerates: false, new RangeReadOptions { MaxCoalescedBytes = 128 * 1024 });
    }

    [Fact]
    public async Task ReadRangesAsync_SmallObject_RangesAreShortened()
    {
        byte[] content = S3.Put(10);
        ObjectRange[] ranges = [ObjectRange.From(0, Size), ObjectRange.From(9), ObjectRange.Last(Size), ObjectRange.From(5, long.MaxValue)];

        await ReadAndCompareAsync(NewClient(), content, ranges, enumerates: false);

        Assert.Single(S3.Calls);
    }

    [Theory]
    [InlineData(true, false)]
    [InlineData(true, true)]
    [InlineData(false, false)]
    [InlineData(false, true)]
    public async Task ReadRangesAsync_RangeBeginsAtTheEnd_416(bool isFirst, bool hasHint)
    {
        S3.Put(Size);
        ObjectRange[] ranges = isFirst ? [ObjectRange.From(Size, 1)] : [ObjectRange.From(0, 1), ObjectRange.From(Size, 1)];
        RangeReadOptions options = new() { Hint = hasHint ? new ObjectHint { Length = Size } : null };

        TransferException error = await Assert.ThrowsAsync<TransferException>(() => ReadAsync(NewClient(), ranges, options).Within());

        Assert.Equal(HttpStatusCode.RequestedRangeNotSatisfiable, error.StatusCode);
        Assert.Equal(Size, error.RangeOffset);
    }

    /// <summary>The sum of the offset and the length is larger than any number.</summary>
    [Theory]
    [InlineData(1L << 62, long.MaxValue)]
    [InlineData(1L << 62, 1L << 62)]
    [InlineData(Size, long.MaxValue)]
    public async Task ReadRangesAsync_RangeIsFarBeyondTheEnd_416(long offset, long length)
    {
        S3.Put(Size);
        TransferClient client = NewClient();

        TransferException error = await Assert.ThrowsAsync<TransferException>(() => ReadAsync(client, [ObjectRange.From(offset, length)]).Within());
        Assert.Equal(HttpStatusCode.RequestedRangeNotSatisfiable, error.StatusCode);

        DownloadOptions options = new() { Range = ObjectRange.From(offset, length) };
        error = await Assert.ThrowsAsync<TransferException>(() => client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, new MemoryStream(), options).Within());
        Assert.Equal(HttpStatusCode.RequestedRangeNotSatisfiable, error.StatusCode);
    }

    /// <summary>A range from a small offset, or of the last bytes, is shortened to the object however long it is.</summary>
    [Fact]
    public async Task ReadRangesAsync_RangeIsLongerThanAnyObject_IsShortened()
    {
        byte[] content = S3.Put(Size);
        TransferClient client = NewClient();
        foreach (ObjectRange range in new[] { ObjectRange.From(1, long.MaxValue), ObjectRange.Last(long.MaxValue) })
        {
            byte[] expected = content[(int)(range.Offset ?? 0)..];
            using (RangeBuffers buffers = await ReadAsync(client, [range]).Within())
            {
                Assert.True(buffers[0].Data.ToArray().AsSpan().SequenceEqual(expected));
            }

            MemoryStream target = new();
            await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, target, new DownloadOptions { Range = range }).Within();
            Assert.True(target.ToArray().AsSpan().SequenceEqual(expected));
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task ReadRangesAsync_EmptyObject_RangesFromTheStartAndTheEndAreEmpty(bool hasHint)
    {
        S3.Put(0);
        ObjectRange[] ranges = [ObjectRange.From(0, 5), ObjectRange.Last(7), ObjectRange.From(0)];

        using RangeBuffers buffers = await ReadAsync(NewClient(), ranges, new RangeReadOptions { Hint = hasHint ? new ObjectHint { Length = 0 } : null }).Within();

        Assert.All(buffers, buffer => Assert.True(buffer.Data.IsEmpty && buffer is { Length: 0, Offset: 0 }));
        Assert.Equal(0, buffers.Info!.Length);
    }

    [Fact]
    public async Task ReadRangesAsync_EmptyObject_OtherRanges416()
    {
        S3.Put(0);

        TransferException error = await Assert.ThrowsAsync<TransferException>(() => ReadAsync(NewClient(), [ObjectRange.From(0, 1), ObjectRange.From(1, 1)]).Within());

        Assert.Equal(HttpStatusCode.RequestedRangeNotSatisfiable, error.StatusCode);
    }

    [Fact]
    public async Task ReadRangesAsync_Hint_AllRequestsStartAtOnce()
    {
        byte[] content = S3.Put(Size);
        Gate gate = new();
        S3.Before = (_, token) => gate.PassAsync(token);
        ObjectRange[] ranges = [ObjectRange.From(0, 10), ObjectRange.Last(10), ObjectRange.From(2 * Far, 10)];

        Task<RangeBuffers> reading = ReadAsync(NewClient(), ranges, new RangeReadOptions { Hint = new ObjectHint { Length = Size, ETag = S3.Objects[FakeS3.Key].ETag } });
        await Deadline.Until(() => S3.Calls.Count == 3);
        gate.Open();

        using RangeBuffers buffers = await reading.Within();
        AssertSame(content, ranges, buffers);
        Assert.All(S3.Gets, call => Assert.Equal(S3.Objects[FakeS3.Key].ETag, call.IfMatch));
    }

    [Theory]
    [InlineData(Size - 1, null)]
    [InlineData(Size + 1, null)]
    [InlineData(0, null)]
    [InlineData(Size, "another")]
    public async Task ReadRangesAsync_WrongHint_ObjectChanged(long length, string? etag)
    {
        S3.Put(Size);

        await Assert.ThrowsErrorAsync(
            TransferError.ObjectChanged, () => ReadAsync(NewClient(), [ObjectRange.From(0, 10), ObjectRange.Last(10)], new RangeReadOptions { Hint = new ObjectHint { Length = length, ETag = etag } }).Within());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task ReadRangesAsync_IfMatch_FirstRequestConfirmsIt(bool hasHint)
    {
        byte[] content = S3.Put(Size);
        ObjectRange[] ranges = [ObjectRange.From(0, 10), ObjectRange.From(Far, 10)];
        RangeReadOptions options = new() { IfMatch = S3.Objects[FakeS3.Key].ETag, Hint = hasHint ? new ObjectHint { Length = Size } : null };

        await ReadAndCompareAsync(NewClient(), content, ranges, enumerates: false, options);
        await ReadAndCompareAsync(NewClient(), content, ranges, enumerates: true, options);

        await Assert.ThrowsErrorAsync(TransferError.PreconditionFailed, () => ReadAsync(NewClient(), ranges, options with { IfMatch = "another" }).Within());
    }

    [Fact]
    public async Task ReadRangesAsync_ObjectIsReplaced_ObjectChanged()
    {
        S3.Put(Size);
        S3.Before = (call, _) =>
        {
            if (call.Number == 2)
            {
                S3.Objects[FakeS3.Key] = new FakeObject(Sample.Bytes(Size, 2), "\"new\"");
            }

            return Task.CompletedTask;
        };

        await Assert.ThrowsErrorAsync(TransferError.ObjectChanged, () => ReadAsync(NewClient(), [ObjectRange.From(0, 10), ObjectRange.From(Far, 10)]).Within());
    }

    [Theory]
    [InlineData(0, false)]
    [InlineData(0, true)]
    [InlineData(Far, false)]
    [InlineData(Far, true)]
    public async Task ReadRangesAsync_StoreIgnoresRanges_ClearError(int offset, bool hasHint)
    {
        S3.Put(Size);
        S3.IgnoresRanges = true;

        TransferException error = await Assert.ThrowsAsync<TransferException>(
            () => ReadAsync(NewClient(), [ObjectRange.From(offset, 10)], new RangeReadOptions { Hint = hasHint ? new ObjectHint { Length = Size } : null }).Within());

        Assert.Contains("the store ignored the range", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task ReadRangesAsync_StoreIgnoresRangesOfSmallObject_ReturnsTheBytes()
    {
        byte[] content = S3.Put(100);
        S3.IgnoresRanges = true;

        await ReadAndCompareAsync(NewClient(), content, [ObjectRange.From(0, 1000), ObjectRange.Last(10)], enumerates: false);
    }

    [Fact]
    public async Task ReadRangesAsync_MissingObject_404()
    {
        TransferException error = await Assert.ThrowsAsync<TransferException>(() => ReadAsync(NewClient(), [ObjectRange.From(0, 1)]).Within());

        Assert.Equal(HttpStatusCode.NotFound, error.StatusCode);
    }

    [Fact]
    public async Task ReadRangesAsync_NullRange_Rejected()
    {
        ArgumentException error = await Assert.ThrowsAsync<ArgumentException>(() => ReadAsync(NewClient(), [ObjectRange.From(0), null!]).Within());

        Assert.Contains("index 1", error.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentNullException>(() => EnumerateAsync(NewClient(), null!));
    }

    [Theory]
    [InlineData((128 * 1024) - 1)]
    [InlineData((1024L * 1024 * 1024) + 1)]
    public async Task MaxCoalescedBytes_OutOfRange_Rejected(long bytes)
    {
        ArgumentOutOfRangeException error = await Assert.ThrowsAsync<ArgumentOutOfRangeException>(
            () => ReadAsync(NewClient(), [ObjectRange.From(0)], new RangeReadOptions { MaxCoalescedBytes = bytes }).Within());

        Assert.Contains($"MaxCoalescedBytes is {bytes} bytes; it must be from 128 KiB to 1 GiB", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task ReadRangesAsync_Concurrency_LimitsRequests()
    {
        byte[] content = S3.Put(Size);
        InProgress requests = new();
        S3.Before = async (_, _) =>
        {
            requests.Enter();
            await Task.Yield();
            requests.Leave();
        };
        ObjectRange[] ranges = [.. Enumerable.Range(0, 10).Select(i => ObjectRange.From(i * 100_000, 10))];

        await ReadAndCompareAsync(NewClient(), content, ranges, enumerates: false, new RangeReadOptions { MaxConcurrency = 1 });

        Assert.EachEqual((10, 1), (S3.Calls.Count, requests.Most));
    }

    [Fact]
    public async Task Events_Transfer_CountsBytesAndParts()
    {
        S3.Put(Size);
        TaskCompletionSource<TransferEventArgs> completed = new();
        TransferEvents events = new();
        events.Completed += (_, e) => completed.TrySetResult(e);

        using RangeBuffers buffers = await ReadAsync(NewClient(), [ObjectRange.From(0, 10), ObjectRange.From(20, 10), ObjectRange.From(Far, 10)], new RangeReadOptions { Events = events }).Within();

        TransferProgress progress = (await completed.Task.Within()).Progress;
        Assert.EachEqual((40L, 40L), (progress.BytesTransferred, progress.TotalBytes));
        Assert.EachEqual((2, 2), (progress.PartsCompleted, progress.TotalParts));
    }
}
