using System.Net;
using Transfer.S3.Buffers;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Ranges;

/// <summary>The fake store's clients have chunks of 4096 bytes.</summary>
public sealed class SeekableStreamTests : TransferTest
{
    private const int Page = 4096;
    private const int Large = 3 * 1024 * 1024;

    [Theory]
    [InlineData(1)]
    [InlineData(Page - 1)]
    [InlineData(Page)]
    [InlineData(Page + 1)]
    [InlineData(Large + 7)]
    public async Task ReadAsync_AllInOrder_IsTheObject(int length)
    {
        byte[] content = S3.Put(length);
        await using SeekableObjectStream stream = await OpenAsync();

        Assert.Equal(content, await ReadAllAsync(stream));
        Assert.Equal(0, await stream.ReadAsync(new byte[10]).Within());
        Assert.Equal(length, stream.Position);
        Assert.Equal(length, stream.Length);
    }

    [Theory]
    [InlineData(SeekableOpen.OnDemand)]
    [InlineData(SeekableOpen.Start)]
    [InlineData(SeekableOpen.End)]
    public async Task Read_EmptyObject_IsAtTheEnd(SeekableOpen open)
    {
        S3.Put(0);
        TransferClient client = NewClient();
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, new SeekableReadOptions { Open = open }).Within();

        Assert.Equal(0, await stream.ReadAsync(new byte[10]).Within());
        Assert.Equal(0, stream.Length);
        Assert.Equal(-1, stream.ReadByte());
    }

    [Fact]
    public async Task OpenSeekableAsync_NothingIsKnown_RequestsNothing()
    {
        TransferClient client = NewClient();
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, "missing").Within();

        Assert.Empty(S3.Calls);
        TransferException e = await Assert.ThrowsAsync<TransferException>(() => stream.ReadAsync(new byte[1]).Within());
        Assert.Equal(HttpStatusCode.NotFound, e.StatusCode);
    }

    [Fact]
    public async Task Seek_FromTheEnd_RequestsTheLastBytesOnce()
    {
        byte[] content = S3.Put(Large + 5);
        await using SeekableObjectStream stream = await OpenAsync();

        Assert.Equal(content.Length - 22, stream.Seek(-22, SeekOrigin.End));
        byte[] tail = new byte[22];
        await stream.ReadExactlyAsync(tail).AsTask().Within();

        Assert.Equal(content[^22..], tail);
        S3Call call = Assert.Single(S3.Calls);
        Assert.EachEqual((S3Call.Get, null), (call.Operation, call.First));
        Assert.Equal(1, stream.Requests);
        Assert.InRange(stream.BytesReceived, S3.BytesRead - Page, S3.BytesRead); // the beginning isn't a whole page
    }

    [Fact]
    public async Task Read_WithHint_FirstRequestIsPinned()
    {
        byte[] content = S3.Put(Large);
        TransferClient client = NewClient();
        ObjectHint hint = new() { Length = Large, ETag = S3.Objects[FakeS3.Key].ETag };
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, new SeekableReadOptions { Hint = hint }).Within();

        Assert.Equal(Large, stream.Length);
        Assert.Empty(S3.Calls);
        stream.Position = 2 * 1024 * 1024;
        byte[] some = new byte[100];
        await stream.ReadExactlyAsync(some).AsTask().Within();

        Assert.Equal(content[(2 * 1024 * 1024)..(2 * 1024 * 1024 + 100)], some);
        Assert.All(S3.Calls, call => Assert.Equal(hint.ETag, call.IfMatch));
    }

    [Fact]
    public async Task Read_BeyondTheEnd_ReturnsNothing()
    {
        S3.Put(100);
        await using SeekableObjectStream stream = await OpenAsync();
        stream.Position = 1_000_000;

        Assert.Equal(0, await stream.ReadAsync(new byte[10]).Within());
        Assert.Equal(100, stream.Length);
        Assert.Equal(0, await stream.ReadAtAsync(new byte[10], 100).Within());
        Assert.Equal(1, await stream.ReadAtAsync(new byte[10], 99).Within());
    }

    public static TheoryData<long> FarOffsets => [1L << 40, 1L << 62, long.MaxValue - (1 << 20), long.MaxValue - 5, long.MaxValue];

    /// <summary>The size isn't known yet, so the offset is in a request or decides what is requested.</summary>
    [Theory]
    [MemberData(nameof(FarOffsets))]
    public async Task Read_FarBeyondTheEnd_ReturnsNothing(long offset)
    {
        S3.Put(Large);
        TransferClient client = NewClient();
        Func<SeekableObjectStream, Task<int>>[] reads =
        [
            stream => stream.ReadAtAsync(new byte[100], offset).AsTask(),
            stream => Task.Run(() => stream.ReadAt(new byte[100], offset)),
            stream => stream.ReadAsync(new byte[100]).AsTask(),
            stream => Task.Run(stream.ReadByte).ContinueWith(static read => read.Result + 1, TaskScheduler.Default),
            async stream =>
            {
                MemoryStream target = new();
                await stream.CopyToAsync(target);
                return (int)target.Length;
            },
        ];
        foreach (Func<SeekableObjectStream, Task<int>> read in reads)
        {
            await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within();
            stream.Position = offset;

            Assert.Equal(0, await read(stream).Within());
            Assert.EachEqual((offset, Large), (stream.Position, stream.Length));
            Assert.Equal(0, await read(stream).Within()); // the size is known now
        }

        await using SeekableObjectStream missing = await client.OpenSeekableAsync(FakeS3.Bucket, "missing").Within();
        Assert.Equal(HttpStatusCode.NotFound, (await Assert.ThrowsAsync<TransferException>(() => missing.ReadAtAsync(new byte[1], offset).AsTask().Within())).StatusCode);
    }

    [Fact]
    public async Task OpenSeekableAsync_HintIsLargerThanAnyObject_Throws()
    {
        S3.Put(Large);
        TransferClient client = NewClient();
        foreach (long length in new[] { -1, Sizes.MaxObject + 1, long.MaxValue })
        {
            ArgumentOutOfRangeException e = await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, HintOf(length)));
            Assert.Contains("it must be 0 to 281474976710656", e.Message, StringComparison.Ordinal);
        }

        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, HintOf(Sizes.MaxObject)).Within();
        stream.Position = Sizes.MaxObject - 1;
        await Assert.ThrowsAnyAsync<TransferException>(() => stream.ReadAsync(new byte[2]).AsTask().Within());

        static SeekableReadOptions HintOf(long length) => new() { Hint = new ObjectHint { Length = length } };
    }

    [Fact]
    public async Task Read_AgainFromTheCache_RequestsNothing()
    {
        byte[] content = S3.Put(Large);
        TransferClient client = NewClient();
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within();
        Assert.Equal(content, await ReadAllAsync(stream));
        long received = S3.BytesRead;
        int calls = S3.Calls.Count;

        await using SeekableObjectStream other = await client.OpenSeekableAsync(
            FakeS3.Bucket, FakeS3.Key, new SeekableReadOptions { Hint = new ObjectHint { Length = Large, ETag = S3.Objects[FakeS3.Key].ETag } }).Within();
        Assert.Equal(content, await ReadAllAsync(other));
        stream.Position = 0;
        Assert.Equal(content, await ReadAllAsync(stream));

        Assert.EachEqual((content.Length, calls), (received, S3.Calls.Count));
    }

    [Fact]
    public async Task Read_ObjectWasReplaced_ThrowsAndCachedDataStays()
    {
        byte[] content = S3.Put(Large);
        await using SeekableObjectStream stream = await OpenAsync();
        byte[] some = new byte[100];
        await stream.ReadExactlyAsync(some).AsTask().Within();
        S3.Objects[FakeS3.Key] = FakeObject.Checked(Sample.Bytes(Large, seed: 2)) with { ETag = "\"another\"" };

        stream.Position = Large - 100;
        await Assert.ThrowsErrorAsync(TransferError.ObjectChanged, () => stream.ReadAsync(some).Within());

        stream.Position = 0;
        await stream.ReadExactlyAsync(some).AsTask().Within();
        Assert.Equal(content[..100], some);
    }

    [Theory]
    [InlineData(1024 * 1024, 0, 0)] // the cache has 384 KiB
    [InlineData(1024 * 1024, 60, 384 * 1024)]
    [InlineData(64 * 1024 * 1024, 0, Large)]
    public async Task CopyToAsync_ObjectDoesNotFitIntoTheCache_KeepsNothing(int memoryBytes, int retentionSeconds, int kept)
    {
        byte[] content = S3.Put(Large);
        TransferClient client = NewClient(o => o.MemoryBytes = memoryBytes);
        SeekableReadOptions options = new() { CacheRetention = TimeSpan.FromSeconds(retentionSeconds) };
        SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, options).Within();
        MemoryStream target = new();

        await stream.CopyToAsync(target).Within();

        Assert.Equal(content, target.ToArray());
        Assert.Equal(0, S3.Gets.First().First); // not the last bytes, for the length
        Assert.InRange(stream.BytesReceived, Large, Large + (Large / 16)); // a page that was fetched ahead can be released before it is read

        // The last fetches can replace more pages than they need.
        Assert.InRange(client.RentedBytes, retentionSeconds > 0 ? kept / 2 : kept, kept);
        await stream.DisposeAsync().AsTask().Within();
        Time.Advance(TimeSpan.FromSeconds(retentionSeconds));
    }

    [Fact]
    public async Task CopyToAsync_ManyAtOnce_ReturnAfterTheirMemoryIsBack()
    {
        byte[] content = S3.Put(Large);
        TransferClient[] clients = [.. Enumerable.Range(0, 24).Select(_ => NewClient(o => o.MemoryBytes = 1024 * 1024))];

        // Many threads at once, so that fetches end while readers move on.
        await Task.WhenAll(clients.Select(client => Task.Run(async () =>
        {
            for (int i = 0; i < 4; i++)
            {
                await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key);
                MemoryStream target = new(Large);
                await stream.CopyToAsync(target);
                Assert.Equal(0, client.RentedBytes);
                Assert.True(content.AsSpan().SequenceEqual(target.GetBuffer().AsSpan(0, Large)));
            }
        }))).Within();
    }

    [Fact]
    public async Task ReadAtAsync_ManyAtOnce_ShareRequests()
    {
        byte[] content = S3.Put(Large);
        await using SeekableObjectStream stream = await OpenAsync();
        Gate gate = new();
        S3.Before = (_, token) => gate.PassAsync(token);

        Task<int>[] reads = [.. Enumerable.Range(0, 32).Select(i => stream.ReadAtAsync(new byte[100], i * 10).Within())];
        gate.Open();
        int[] counts = await Task.WhenAll(reads);

        Assert.Single(S3.Calls);
        Assert.All(counts, count => Assert.Equal(100, count));
    }

    [Fact]
    public async Task Dispose_DuringARead_ThrowsAndReleasesEverything()
    {
        S3.Put(Large);
        TransferClient client = NewClient();
        SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within();
        Gate gate = new();
        S3.Before = (_, token) => gate.PassAsync(token);
        Task<int> read = stream.ReadAsync(new byte[10]).AsTask();
        await gate.Reached.Within();

        await stream.DisposeAsync().AsTask().Within();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => read.Within());
        Assert.Throws<ObjectDisposedException>(() => stream.Position);
        Assert.False(stream.CanRead);
        Assert.Equal(0, client.RentedBytes);
    }

    [Fact]
    public async Task Dispose_ClientWithAnOpenStream_EndsIt()
    {
        S3.Put(Large);
        TransferClient client = NewClient();
        SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, new SeekableReadOptions { CacheRetention = TimeSpan.FromHours(1) }).Within();
        await stream.ReadAsync(new byte[10]).Within();

        await client.DisposeAsync().AsTask().Within();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => stream.ReadAsync(new byte[10]).Within());
        Assert.Equal(0, client.RentedBytes);
    }

    [Fact]
    public async Task CacheRetention_LastStreamIsDisposed_PagesAreKeptForThatTime()
    {
        S3.Put(Page);
        TransferClient client = NewClient();
        SeekableReadOptions options = new() { CacheRetention = TimeSpan.FromMinutes(1), Hint = new ObjectHint { Length = Page, ETag = S3.Objects[FakeS3.Key].ETag } };
        await using (SeekableObjectStream first = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, options).Within())
        {
            await ReadAllAsync(first);
        }

        Time.Advance(TimeSpan.FromSeconds(59));
        await using (SeekableObjectStream second = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, options).Within())
        {
            await ReadAllAsync(second);
        }

        Assert.Single(S3.Gets);
        Time.Advance(TimeSpan.FromSeconds(59));
        Assert.Equal(Page, client.RentedBytes);
        Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(0, client.RentedBytes);
    }

    [Fact]
    public async Task Read_CanceledByItsToken_LeavesTheStreamUsable()
    {
        byte[] content = S3.Put(Large);
        await using SeekableObjectStream stream = await OpenAsync();
        using CancellationTokenSource cancel = new();
        Gate gate = new();
        S3.Before = (_, token) => gate.PassAsync(token);
        Task<int> read = stream.ReadAsync(new byte[10], cancel.Token).AsTask();
        await gate.Reached.Within();

        await cancel.CancelAsync();

        OperationCanceledException e = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => read.Within());
        Assert.Equal(cancel.Token, e.CancellationToken);
        gate.Open();
        Assert.Equal(content, await ReadAllAsync(stream));
    }

    [Fact]
    public async Task Read_AllMemoryIsHeldByOthers_UsesTheFloor()
    {
        byte[] content = S3.Put(40 * Page);
        TransferClient client = NewClient(options => options.MemoryBytes = 1024 * 1024);
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within();
        MemoryBudget budget = client.Context.Pool.Budget;
        long rest = budget.CapacityBytes - budget.ReservedBytes;
        Assert.True(budget.TryReserve(MemoryUse.Transient, rest));

        Assert.Equal(content, await ReadAllAsync(stream, 1000));
        Assert.InRange(S3.Gets.Count(), 20, 22);
        budget.Release(MemoryUse.Transient, rest);
    }

    [Fact]
    public async Task Upload_CacheIsFull_GetsItsMemory()
    {
        byte[] content = S3.Put(10 * 1024 * 1024);
        TransferClient client = NewClient(options => (options.MemoryBytes, options.UploadPartSizeBytes) = (6 * 1024 * 1024, 5 * 1024 * 1024));
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within();
        Assert.Equal(content, await ReadAllAsync(stream));
        Assert.InRange(client.RentedBytes, 1024 * 1024, 6 * 1024 * 1024);

        await client.UploadAsync(new MemoryStream(content, 0, 5 * 1024 * 1024 + 1), FakeS3.Bucket, "copy").Within();
        await using ObjectReadStream ordered = await client.OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within();

        stream.Position = 0;
        Assert.Equal(content, await ReadAllAsync(stream));
    }

    [Fact]
    public async Task Read_Sequential_ReadsAheadInParallel()
    {
        byte[] content = S3.Put(64 * 1024 * 1024);
        TransferClient client = NewClient(options => options.MaxConcurrency = 8);
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within();
        byte[] buffer = new byte[9 * 1024 * 1024];
        await stream.ReadExactlyAsync(buffer).AsTask().Within();
        Gate gate = new();
        S3.Before = (_, token) => gate.PassAsync(token);

        Task<int> read = stream.ReadAsync(buffer).AsTask();
        await Deadline.Until(() => client.DownloadConcurrency.InFlight == 8);

        gate.Open();
        await read.Within();
        Assert.Equal(content[(9 * 1024 * 1024)..(18 * 1024 * 1024)], buffer);
    }

    [Fact]
    public async Task Seek_AwayFromWhatIsReadAhead_CancelsItsRequests()
    {
        byte[] content = S3.Put(64 * 1024 * 1024);
        TransferClient client = NewClient(options => options.MaxConcurrency = 8);
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within();
        byte[] buffer = new byte[9 * 1024 * 1024];
        await stream.ReadExactlyAsync(buffer).AsTask().Within();
        Gate gate = new();
        int canceled = 0;
        S3.Before = async (call, token) =>
        {
            if (call.First < 60 * 1024 * 1024)
            {
                token.Register(() => Interlocked.Increment(ref canceled));
                await gate.PassAsync(token);
            }
        };
        using CancellationTokenSource cancel = new();
        Task<int> read = stream.ReadAsync(buffer, cancel.Token).AsTask();
        await Deadline.Until(() => client.DownloadConcurrency.InFlight == 8);
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => read.Within());

        stream.Position = 63 * 1024 * 1024;
        byte[] some = new byte[100];
        await stream.ReadExactlyAsync(some).AsTask().Within();

        Assert.Equal(content[(63 * 1024 * 1024)..(63 * 1024 * 1024 + 100)], some);
        await Deadline.Until(() => client.DownloadConcurrency.InFlight <= 2); // what was read and not ahead isn't canceled
        Assert.InRange(canceled, 1, 8);
        gate.Open();
    }

    [Fact]
    public async Task Dispose_AnotherStreamWaitsForItsRequest_TheOtherFetchesAgain()
    {
        byte[] content = S3.Put(Large);
        TransferClient client = NewClient();
        SeekableReadOptions options = new() { Hint = new ObjectHint { Length = Large, ETag = S3.Objects[FakeS3.Key].ETag } };
        SeekableObjectStream first = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, options).Within();
        await using SeekableObjectStream second = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, options).Within();
        Gate gate = new();
        Gate ahead = new(); // requests ahead run on other threads, and can come first
        S3.Before = (call, token) => (call.First == 0 ? gate : ahead).PassAsync(token);
        Task<int> reading = first.ReadAsync(new byte[100]).AsTask();
        await gate.Reached.Within();
        byte[] some = new byte[100];
        Task<int> other = second.ReadAsync(some).AsTask();
        Assert.Single(S3.Calls, call => call.First == 0); // both wait for one request

        await first.DisposeAsync().AsTask().Within();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => reading.Within());
        gate.Open();
        ahead.Open();
        Assert.Equal(100, await other.Within());
        Assert.Equal(content[..100], some);
    }

    [Fact]
    public async Task Read_Fails_ThrowsAndTheNextReadTriesAgain()
    {
        byte[] content = S3.Put(Large);
        TransferClient client = NewClient(options => options.MaxAttempts = 1);
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, new SeekableReadOptions { Open = SeekableOpen.End }).Within();
        Gate gate = new();
        S3.Before = async (_, token) =>
        {
            await gate.PassAsync(token);
            throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied");
        };

        // The last page before the MiB that is there: one request, however fast the first one was. So no other one is still failing when the next read begins.
        int requests = S3.Calls.Count;
        Task<int> reading = stream.ReadAtAsync(new byte[10], Large - (1024 * 1024) - 10).AsTask();
        gate.Open(); // the read waits now; a page whose request has failed before a read waits for it is requested again
        TransferException e = await Assert.ThrowsAsync<TransferException>(() => reading.Within());
        Assert.Equal(requests + 1, S3.Calls.Count);
        Assert.Equal(HttpStatusCode.Forbidden, e.StatusCode);

        S3.Before = null;
        Assert.Equal(content, await ReadAllAsync(stream));
    }

    [Fact]
    public async Task Read_StoreIgnoresRanges_ReadsSmallObjectsAndRejectsOthers()
    {
        byte[] content = S3.Put(10_000);
        S3.IgnoresRanges = true;
        TransferClient client = NewClient(options => options.MaxAttempts = 2);
        await using (SeekableObjectStream small = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within())
        {
            Assert.Equal(content, await ReadAllAsync(small));
        }

        S3.Put(Large);
        await using SeekableObjectStream large = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within();
        TransferException e = await Assert.ThrowsAsync<TransferException>(() => large.ReadAsync(new byte[10]).AsTask().Within());
        Assert.Contains("ignored the range", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Read_TwoAtOnceOnOnePosition_Throws()
    {
        S3.Put(Large);
        await using SeekableObjectStream stream = await OpenAsync();
        Gate gate = new();
        S3.Before = (_, token) => gate.PassAsync(token);
        Task<int> read = stream.ReadAsync(new byte[10]).AsTask();
        await gate.Reached.Within();

        await Assert.ThrowsAsync<InvalidOperationException>(() => stream.ReadAsync(new byte[10]).AsTask().Within());

        gate.Open();
        Assert.Equal(10, await read.Within());
    }

    [Fact]
    public async Task Concurrency_ManyReadsAtOnce_LimitsTheRequests()
    {
        S3.Put(Large);
        TransferClient client = NewClient();
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(
            FakeS3.Bucket, FakeS3.Key, new SeekableReadOptions { MaxConcurrency = 3, Open = SeekableOpen.Start }).Within();
        Gate gate = new();
        InProgress requests = new();
        S3.Before = async (_, token) =>
        {
            requests.Enter();
            await gate.PassAsync(token);
            requests.Leave();
        };

        Task<int>[] reads = [.. Enumerable.Range(4, 20).Select(i => stream.ReadAtAsync(new byte[100], i * 100_000).AsTask())];
        await Deadline.Until(() => requests.Now == 3);
        gate.Open();
        await Task.WhenAll(reads).Within();

        Assert.Equal(3, requests.Most);
    }

    [Fact]
    public async Task Read_RequestsAheadFail_AreNotRepeatedBeforeTheReaderNeedsThem()
    {
        byte[] content = S3.Put(64 * 1024 * 1024);
        TransferClient client = NewClient(options => (options.MaxConcurrency, options.MaxAttempts) = (4, 1));
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within();
        const int Failing = 16 * 1024 * 1024;
        int failed = 0;
        S3.Before = (call, _) => call.First >= Failing && Interlocked.Increment(ref failed) > 0 ? throw FakeS3.Error(HttpStatusCode.Forbidden, "AccessDenied") : Task.CompletedTask;

        byte[] buffer = new byte[9 * 1024 * 1024];
        await stream.ReadExactlyAsync(buffer).AsTask().Within();
        await stream.ReadExactlyAsync(buffer.AsMemory(0, Failing - buffer.Length - 1)).AsTask().Within();
        await Deadline.Until(() => Volatile.Read(ref failed) > 0 && client.Context.Requests.IsIdle);

        // A failed request doesn't begin another one, or the client would never be idle. A read and the end of a successful request may repeat it, which depends on timing.
        Assert.InRange(failed, 1, 100);
        await Assert.ThrowsAsync<TransferException>(() => stream.ReadAsync(new byte[100]).AsTask().Within());
        await Deadline.Until(() => client.Context.Requests.IsIdle); // the next read would get the error of a request that is still in flight
        S3.Before = null;
        MemoryStream rest = new();
        await stream.CopyToAsync(rest).Within();
        Assert.Equal(content[(Failing - 1)..], rest.ToArray());
    }

    [Fact]
    public async Task Open_StoreIgnoresRangesOfTheLastBytes_ReadsAnyway()
    {
        byte[] content = S3.Put(Large);
        S3.Answer = (call, response) =>
        {
            if (call.First is null)
            {
                (response.HttpStatusCode, response.ContentRange, response.ContentLength) = (HttpStatusCode.OK, null, Large);
            }
        };
        TransferClient client = NewClient(options => options.MaxAttempts = 2);
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, new SeekableReadOptions { Open = SeekableOpen.End }).Within();

        Assert.Equal(Large, stream.Length);
        Assert.Equal(content, await ReadAllAsync(stream));
    }

    [Fact]
    public async Task Seek_AsInAFile_ReturnsThePosition()
    {
        S3.Put(100);
        TransferClient client = NewClient();
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, new SeekableReadOptions { Open = SeekableOpen.End }).Within();

        Assert.Equal(10, stream.Seek(10, SeekOrigin.Begin));
        Assert.Equal(5, stream.Seek(-5, SeekOrigin.Current));
        Assert.Equal(101, stream.Seek(1, SeekOrigin.End));
        Assert.Throws<IOException>(() => stream.Seek(-102, SeekOrigin.Current));
        Assert.Throws<IOException>(() => stream.Seek(long.MaxValue, SeekOrigin.Current));
        Assert.Equal(101, stream.Position);
        Assert.Throws<ArgumentOutOfRangeException>(() => stream.Position = -1);
        Assert.Throws<ArgumentException>(() => stream.Seek(0, (SeekOrigin)3));
        Assert.Throws<NotSupportedException>(() => stream.SetLength(1));
        Assert.Throws<NotSupportedException>(() => stream.Write([1], 0, 1));
        Assert.True(stream is { CanRead: true, CanSeek: true, CanWrite: false });
    }

    private Task<SeekableObjectStream> OpenAsync() => NewClient().OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within();

    private static async Task<byte[]> ReadAllAsync(Stream stream, int bufferSize = 10_000)
    {
        MemoryStream all = new();
        byte[] buffer = new byte[bufferSize];
        int count;
        while ((count = await stream.ReadAsync(buffer).AsTask().Within()) > 0)
        {
            all.Write(buffer, 0, count);
        }

        return all.ToArray();
    }
}
