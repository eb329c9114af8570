using System.Net;
using Transfer.S3.Buffers;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Integrity;
using Transfer.S3.Tests.Verify;

namespace Transfer.S3.Tests.Ranges;

public sealed class SeekableVerdictTests : TransferTest
{
    private const int MiB = 1024 * 1024;
    private const string ThreeParts = "\"0123456789abcdef0123456789abcdef-3\"";

    [Fact]
    public async Task Verdict_EveryByteWasReadInAnyOrder_WholeObjectIsVerified()
    {
        byte[] content = S3.Put((3 * MiB) + 5);
        TransferClient client = NewClient();
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within();
        await ReadAsync(stream, 2 * MiB, MiB + 5, content);
        Assert.EachEqual((false, true), (stream.Verdict.IsVerified, stream.Verdict.BytesRead > MiB));
        Assert.Null(stream.Verdict.Content);
        Assert.Contains("only a portion", stream.Verdict.Reason, StringComparison.Ordinal);

        await ReadAsync(stream, 0, 2 * MiB, content);

        Assert.Equal(new ReadVerdict { BytesRead = content.Length, BytesVerified = content.Length, Content = stream.Verdict.Content }, stream.Verdict);
        Assert.EachEqual((true, ChecksumAlgorithm.Crc64Nvme), (stream.Verdict.Content!.IsVerified, stream.Verdict.Content.Algorithm));
        int calls = S3.Calls.Count;
        await ReadAsync(stream, 0, 100, content);
        Assert.Equal(calls, S3.Calls.Count);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Read_ContentDoesNotMatch_ThrowsBeforeTheLastBytes(bool copies)
    {
        S3.Put(3 * MiB);
        S3.Objects[FakeS3.Key] = S3.Objects[FakeS3.Key] with { Crc64Nvme = CrcOf.Crc64Nvme([1, 2, 3]) };
        TransferClient client = NewClient();
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within();
        MemoryStream target = new();

        await Assert.ThrowsAsync<ChecksumMismatchException>(async () =>
        {
            if (copies)
            {
                await stream.CopyToAsync(target).Within();
            }

            await ReadAsync(stream, 0, 3 * MiB, null);
        });

        Assert.InRange(target.Length, 0, (3 * MiB) - 1);
        stream.Position = 0;
        await Assert.ThrowsAsync<ChecksumMismatchException>(() => stream.ReadAsync(new byte[1]).AsTask().Within());
        await using SeekableObjectStream other = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within();
        await ReadAsync(other, 0, 100, null); // doesn't use the damaged data
    }

    [Fact]
    public async Task Verdict_Md5Tag_IsComparedFromTheCache()
    {
        byte[] content = Sample.Bytes(100_000);
        S3.Objects[FakeS3.Key] = new FakeObject(content, Sums.Tag(content));
        TransferClient client = NewClient();
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within();

        await ReadAsync(stream, 50_000, 50_000, content);
        await ReadAsync(stream, 0, 50_000, content);

        Assert.EachEqual((true, ChecksumAlgorithm.Md5), (stream.Verdict.IsVerified, stream.Verdict.Content!.Algorithm));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Verdict_WholePartWasRead_PartIsCompared(bool isDamaged)
    {
        byte[] content = Sample.Bytes(40 * MiB);
        int[] parts = [16 * MiB, 16 * MiB, 8 * MiB];
        string[] sums = [CrcOf.Crc64Nvme(content.AsSpan(0, 16 * MiB)), CrcOf.Crc64Nvme(content.AsSpan(16 * MiB, 16 * MiB)), CrcOf.Crc64Nvme(content.AsSpan(32 * MiB))];
        sums[1] = isDamaged ? sums[0] : sums[1];
        S3.Objects[FakeS3.Key] = new FakeObject(content, ThreeParts) { Parts = parts, PartsInPage = 2, PartCrc64Nvme = sums };
        TransferClient client = NewClient();
        SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within();
        await ReadAsync(stream, 36 * MiB, 1000, content);
        Assert.DoesNotContain(S3.Calls, call => call.Operation == S3Call.Attributes);

        if (isDamaged)
        {
            ChecksumMismatchException e = await Assert.ThrowsAsync<ChecksumMismatchException>(async () =>
            {
                await ReadAsync(stream, 16 * MiB, 16 * MiB, null);
                await Deadline.Until(() => S3.Calls.Count(call => call.Operation == S3Call.Attributes) == 2);
                while (true)
                {
                    await ReadAsync(stream, 16 * MiB, 1000, null); // the checksums of the parts arrive beside the reads
                    await Task.Yield();
                }
            });
            Assert.Contains("part 2", e.Message, StringComparison.Ordinal);
        }
        else
        {
            await ReadAsync(stream, 16 * MiB, 16 * MiB, content);
            await Deadline.Until(() => stream.Verdict.BytesVerified > 0);
            Assert.EachEqual((16 * MiB, false), (stream.Verdict.BytesVerified, stream.Verdict.IsVerified));
            Assert.Equal(2, S3.Calls.Count(call => call.Operation == S3Call.Attributes));
        }

        await stream.DisposeAsync().AsTask().Within();
    }

    /// <summary>The cache is smaller than the object, so pages are fetched again. A page that is different then must not reach the caller.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Read_PageIsFetchedAgainAndDifferent_Throws(bool wasVerified)
    {
        const int Length = 8 * MiB;
        byte[] content = S3.Put(Length);
        TransferClient client = NewClient(options => options.MemoryBytes = 4 * MiB);
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within();
        await ReadAsync(stream, 0, wasVerified ? Length : 6 * MiB, content);
        Assert.Equal(wasVerified, stream.Verdict.IsVerified);
        byte[] damaged = [.. content];
        damaged[100_000] ^= 1;
        S3.Objects[FakeS3.Key] = S3.Objects[FakeS3.Key] with { Content = damaged };

        stream.Position = 90_000;
        ChecksumMismatchException e = await Assert.ThrowsAsync<ChecksumMismatchException>(() => stream.ReadExactlyAsync(new byte[20_000]).AsTask().Within());

        Assert.Contains("bytes 98304-102399 are different", e.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<ChecksumMismatchException>(() => stream.ReadAsync(new byte[1]).AsTask().Within());
    }

    /// <summary>Without memory for the cache, a stream reads with its floor. What it reads so is verified, too.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Read_UsesTheFloor_IsVerified(bool isDamaged)
    {
        byte[] content = S3.Put(MiB + 5);
        if (isDamaged)
        {
            S3.Objects[FakeS3.Key] = S3.Objects[FakeS3.Key] with { Crc64Nvme = CrcOf.Crc64Nvme([1, 2, 3]) };
        }

        TransferClient client = NewClient(options => options.MemoryBytes = MiB);
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within();
        MemoryBudget budget = client.Context.Pool.Budget;
        long rest = budget.CapacityBytes - budget.ReservedBytes;
        Assert.True(budget.TryReserve(MemoryUse.Transient, rest));

        // Reads that begin in the middle of pages, the last ones first.
        foreach (int offset in new[] { 700_001, 300_001 })
        {
            await ReadAsync(stream, offset, Math.Min(400_000, content.Length - offset), content);
            Assert.Equal(0, stream.Verdict.BytesVerified);
        }

        Task last = ReadAsync(stream, 1, 400_000, content);
        if (isDamaged)
        {
            await Assert.ThrowsAsync<ChecksumMismatchException>(() => last.Within());
        }
        else
        {
            await last.Within();
            Assert.Equal(new ReadVerdict { BytesRead = content.Length, BytesVerified = content.Length, Content = stream.Verdict.Content }, stream.Verdict);
        }

        budget.Release(MemoryUse.Transient, rest);
    }

    /// <summary>The store fails while it is asked for the checksum beside the reads. At the end, it is asked again.</summary>
    [Fact]
    public async Task Verdict_LookupFailsForAMoment_IsRepeated()
    {
        byte[] content = S3.Put(24 * MiB);
        TransferClient client = NewClient(options => options.MaxAttempts = 1);
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within();
        int failures = 0;
        S3.Before = (call, _) => call.Operation != S3Call.Get && Interlocked.Increment(ref failures) == 1 ? throw FakeS3.Error(HttpStatusCode.InternalServerError, "InternalError") : Task.CompletedTask;

        await ReadAsync(stream, 0, 8 * MiB, content);
        await ReadAsync(stream, 8 * MiB, MiB, content); // probably continues to the end
        await Deadline.Until(() => Volatile.Read(ref failures) > 0);
        await ReadAsync(stream, 9 * MiB, 15 * MiB, content);

        Assert.True(stream.Verdict.IsVerified, stream.Verdict.Reason);
    }

    [Fact]
    public async Task Verdict_VerificationIsOff_AsksNothing()
    {
        byte[] content = S3.Put(3 * MiB);
        TransferClient client = NewClient();
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, new SeekableReadOptions { Verify = false }).Within();

        await ReadAsync(stream, 0, content.Length, content);

        Assert.All(S3.Calls, call => Assert.Equal(S3Call.Get, call.Operation));
        AssertTurnedOff(content.Length, stream);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Verdict_NothingWasRead_IsNotVerified(bool verifies)
    {
        S3.Put(100);
        TransferClient client = NewClient();
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, new SeekableReadOptions { Verify = verifies }).Within();
        string reason = verifies ? "nothing was read" : "verification was turned off";

        Assert.Equal(new ReadVerdict { BytesRead = 0, BytesVerified = 0, Reason = reason }, stream.Verdict);
        stream.Position = MiB;
        Assert.Equal(0, await stream.ReadAsync(new byte[10]).AsTask().Within());

        Assert.EachEqual((false, reason), (stream.Verdict.IsVerified, stream.Verdict.Reason));
    }

    /// <summary>There is nothing to add to the checksums, but the response tells which checksum an empty object must have.</summary>
    [Theory]
    [InlineData(false, true)]
    [InlineData(true, false)]
    public async Task Verdict_EmptyObject_IsVerifiedIfItsChecksumWasCompared(bool hasHint, bool isVerified)
    {
        S3.Put(0);
        TransferClient client = NewClient();
        ObjectHint? hint = hasHint ? new ObjectHint { Length = 0, ETag = S3.Objects[FakeS3.Key].ETag } : null;
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, new SeekableReadOptions { Hint = hint }).Within();

        Assert.Equal(0, await stream.ReadAsync(new byte[10]).AsTask().Within());

        Assert.EachEqual((isVerified, isVerified ? null : "nothing was read"), (stream.Verdict.IsVerified, stream.Verdict.Reason));
    }

    /// <summary>The pages that a stream without verification has fetched aren't in the checksums, so a stream that verifies adds them before it returns them.</summary>
    [Theory]
    [InlineData(SharedRead.ReadAsync, false)]
    [InlineData(SharedRead.ReadAsync, true)]
    [InlineData(SharedRead.Read, false)]
    [InlineData(SharedRead.Read, true)]
    [InlineData(SharedRead.Copy, false)]
    [InlineData(SharedRead.Copy, true)]
    public async Task Read_PagesOfAStreamWithoutVerification_AreCompared(SharedRead how, bool isDamaged)
    {
        byte[] content = S3.Put((3 * MiB) + 5);
        TransferClient client = NewClient();
        S3.Body = (_, bytes) => new MemoryStream(isDamaged ? Damaged(bytes) : bytes.ToArray());
        await using SeekableObjectStream fast = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, new SeekableReadOptions { Verify = false }).Within();
        byte[] all = new byte[content.Length];
        await fast.ReadExactlyAsync(all).AsTask().Within();
        Assert.Equal(!isDamaged, content.AsSpan().SequenceEqual(all));
        AssertTurnedOff(content.Length, fast);
        S3.Body = null;
        int gets = S3.Gets.Count();
        await using SeekableObjectStream careful = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, HintOf(content)).Within();
        Array.Clear(all);

        Task reading = how switch
        {
            SharedRead.Copy => careful.CopyToAsync(new MemoryStream(all)),
            SharedRead.Read => Task.Run(() => careful.ReadExactly(all)),
            _ => careful.ReadExactlyAsync(all).AsTask(),
        };

        if (isDamaged)
        {
            await Assert.ThrowsAsync<ChecksumMismatchException>(() => reading.Within());
            Assert.False(careful.Verdict.IsVerified);
        }
        else
        {
            await reading.Within();
            Assert.Equal(content, all);
            Assert.Equal(new ReadVerdict { BytesRead = content.Length, BytesVerified = content.Length, Content = careful.Verdict.Content }, careful.Verdict);
        }

        Assert.Equal(gets, S3.Gets.Count());
        AssertTurnedOff(content.Length, fast); // also when another stream has verified what it has returned
    }

    /// <summary>A request of a stream without verification is in flight when the other one needs its pages.</summary>
    [Fact]
    public async Task Read_WaitsForTheRequestOfAStreamWithoutVerification_IsVerified()
    {
        byte[] content = S3.Put(100_000);
        TransferClient client = NewClient();
        await using SeekableObjectStream fast = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, HintOf(content) with { Verify = false }).Within();
        await using SeekableObjectStream careful = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, HintOf(content)).Within();
        Gate gate = new();
        S3.Before = (call, token) => call.Operation == S3Call.Get ? gate.PassAsync(token) : Task.CompletedTask;
        Task first = ReadAsync(fast, 0, content.Length, content);
        await gate.Reached.Within();
        Task second = ReadAsync(careful, 0, content.Length, content);

        gate.Open();
        await first.Within();
        await second.Within();

        Assert.Equal(0, careful.Requests - S3.GetCount(S3Call.Attributes) - S3.GetCount(S3Call.Head));
        Assert.EachEqual((true, content.Length), (careful.Verdict.IsVerified, careful.Verdict.BytesVerified));
        AssertTurnedOff(content.Length, fast);
    }

    /// <summary>Pages that were added to the checksums are dropped from the cache, and a stream without verification fetches other content.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Read_PageIsFetchedAgainWithoutVerification_IsCompared(bool isDamaged)
    {
        const int Length = 8 * MiB;
        byte[] content = S3.Put(Length);
        TransferClient client = NewClient(options => options.MemoryBytes = 4 * MiB);
        await using SeekableObjectStream careful = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within();
        await ReadAsync(careful, 0, Length, content);
        Assert.True(careful.Verdict.IsVerified, careful.Verdict.Reason);
        await using SeekableObjectStream fast = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, HintOf(content) with { Verify = false }).Within();
        S3.Body = (_, bytes) => new MemoryStream(isDamaged ? Damaged(bytes) : bytes.ToArray());
        await ReadAsync(fast, 0, MiB, isDamaged ? null : content);
        S3.Body = null;

        Task reading = ReadAsync(careful, 0, MiB, content);

        if (isDamaged)
        {
            Assert.Contains("are different", (await Assert.ThrowsAsync<ChecksumMismatchException>(() => reading.Within())).Message, StringComparison.Ordinal);
        }
        else
        {
            await reading.Within();
            Assert.True(careful.Verdict.IsVerified, careful.Verdict.Reason);
        }
    }

    /// <summary>Some pages of a part come from the cache of a stream without verification, and the rest from the store.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Verdict_PartWasReadByTwoStreams_IsCompared(bool isDamaged)
    {
        byte[] content = PutParts(damagedPart: null);
        TransferClient client = NewClient(options => options.Advanced.ChunkSizeBytes = 64 * 1024);
        await using SeekableObjectStream careful = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, HintOf(content)).Within();
        await ReadAsync(careful, 0, 2 * MiB, content);
        await Deadline.Until(() => careful.Verdict.BytesVerified == 2 * MiB);
        await using SeekableObjectStream fast = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, HintOf(content) with { Verify = false }).Within();
        S3.Body = (_, bytes) => new MemoryStream(isDamaged ? Damaged(bytes) : bytes.ToArray());
        await fast.ReadAtAsync(new byte[MiB], 4 * MiB).AsTask().Within();
        S3.Body = null;

        Task reading = careful.ReadAtAsync(new byte[2 * MiB], 4 * MiB).AsTask();

        if (isDamaged)
        {
            Assert.Contains("part 3", (await Assert.ThrowsAsync<ChecksumMismatchException>(() => reading.Within())).Message, StringComparison.Ordinal);
        }
        else
        {
            await reading.Within();
            Assert.Equal(4 * MiB, careful.Verdict.BytesVerified);
        }
    }

    /// <summary>The request of the last page of the part doesn't end before the test allows it. No reader gets the page before the part was compared.</summary>
    [Fact]
    public async Task Read_CompletesADamagedPart_IsComparedBeforeTheLastPageArrives()
    {
        const int Last = (6 * MiB) - (64 * 1024);
        byte[] content = PutParts(damagedPart: 3);
        TransferClient client = NewClient(options => options.Advanced.ChunkSizeBytes = 64 * 1024); // each request is for one page
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within();
        await ReadAsync(stream, 0, 2 * MiB, content);
        await Deadline.Until(() => stream.Verdict.BytesVerified == 2 * MiB);
        Gate page = new();
        S3.Before = (call, token) => call.First == Last ? page.PassAsync(token) : Task.CompletedTask;
        HeldEnd? held = null;
        S3.Body = (call, bytes) => call.First == Last ? held = new HeldEnd(bytes.ToArray()) : new MemoryStream(bytes.ToArray());
        await stream.ReadAtAsync(new byte[Last - (4 * MiB)], 4 * MiB).AsTask().Within(); // all other pages of the part

        Task<int> waiting = stream.ReadAtAsync(new byte[64 * 1024], Last).AsTask();
        page.Open();
        await Deadline.Until(() => held is { HasEnded.IsCompleted: true }); // the content has arrived
        ValueTask<int> next = stream.ReadAtAsync(new byte[64 * 1024], Last);
        Assert.False(next.IsCompletedSuccessfully);
        held!.Release();

        Assert.Contains("part 3", (await Assert.ThrowsAsync<ChecksumMismatchException>(() => waiting.Within())).Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<ChecksumMismatchException>(() => next.AsTask().Within());
        Assert.EachEqual((2 * MiB, false), (stream.Verdict.BytesVerified, stream.Verdict.IsVerified));
        Assert.Contains("part 3", stream.Verdict.Reason, StringComparison.Ordinal);
    }

    /// <summary>The part was returned before its checksum was known. The next stream doesn't get its pages, even if no read has thrown.</summary>
    [Fact]
    public async Task Open_PartWasFoundToBeDamagedAfterTheLastRead_FetchesItAgain()
    {
        byte[] content = PutParts(damagedPart: null);
        TransferClient client = NewClient(options => options.Advanced.ChunkSizeBytes = 64 * 1024);
        Gate asked = new();
        S3.Before = (call, token) => call.Operation == S3Call.Attributes ? asked.PassAsync(token) : Task.CompletedTask;
        S3.Body = (_, bytes) => new MemoryStream(Damaged(bytes));
        SeekableReadOptions options = HintOf(content) with { CacheRetention = TimeSpan.FromHours(1) };
        SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, options).Within();
        await ReadAsync(stream, 0, 2 * MiB, null);
        Assert.False(stream.Verdict.IsVerified);
        asked.Open();
        await Deadline.Until(() => stream.Verdict.Reason!.Contains("part 1", StringComparison.Ordinal));
        S3.Body = null;
        await stream.DisposeAsync().AsTask().Within();

        await using SeekableObjectStream next = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key, HintOf(content)).Within();
        await ReadAsync(next, 0, 2 * MiB, content);
    }

    /// <summary>The lengths of the parts become known after the content was read, and the cache no longer has all of it.</summary>
    [Theory]
    [InlineData(64 * MiB, true)]
    [InlineData(MiB, false)]
    public async Task Read_PartsAreMeasuredAtTheEnd_IsVerifiedIfTheContentIsCached(int memoryBytes, bool isVerified)
    {
        byte[] content = Sample.Bytes(5 * MiB);
        int[] parts = [2 * MiB, MiB, 2 * MiB]; // the first guess is that the second one is as long as the first one
        S3.Objects[FakeS3.Key] = new FakeObject(content, Sums.Tag(content, parts)) { Checksum = Sums.Composite(ChecksumAlgorithm.Crc32, content, parts), Parts = parts };
        TransferClient client = NewClient(options => options.MemoryBytes = memoryBytes);
        await using SeekableObjectStream stream = await client.OpenSeekableAsync(FakeS3.Bucket, FakeS3.Key).Within();

        await ReadAsync(stream, 0, content.Length, content);
        await ReadAsync(stream, content.Length - 1000, 1000, content);

        Assert.Equal(isVerified, stream.Verdict.IsVerified);
        Assert.Equal(isVerified, stream.Verdict.Content!.IsVerified);
        Assert.Equal(isVerified, !(stream.Verdict.Reason ?? string.Empty).Contains("became known only after the content was returned", StringComparison.Ordinal));
    }

    private static byte[] Damaged(ReadOnlyMemory<byte> bytes)
    {
        byte[] damaged = bytes.ToArray();
        damaged[0] ^= 1;
        return damaged;
    }

    private static void AssertTurnedOff(long bytes, SeekableObjectStream stream)
    {
        Assert.Equal(new ReadVerdict { BytesRead = bytes, BytesVerified = 0, Reason = "verification was turned off" }, stream.Verdict);
        Assert.False(stream.Verdict.IsVerified);
    }

    private SeekableReadOptions HintOf(byte[] content) => new() { Hint = new ObjectHint { Length = content.Length, ETag = S3.Objects[FakeS3.Key].ETag } };

    /// <summary>Puts an object of three parts of 2 MiB with checksums, of which one can have content that its checksum isn't of.</summary>
    private byte[] PutParts(int? damagedPart)
    {
        byte[] content = Sample.Bytes(6 * MiB);
        string[] sums = [.. content.Chunk(2 * MiB).Select(part => CrcOf.Crc64Nvme(part))];
        if (damagedPart is { } number)
        {
            sums[number - 1] = CrcOf.Crc64Nvme([1, 2, 3]);
        }

        S3.Objects[FakeS3.Key] = new FakeObject(content, ThreeParts) { Parts = [2 * MiB, 2 * MiB, 2 * MiB], PartsInPage = 3, PartCrc64Nvme = sums };
        return content;
    }

    private static async Task ReadAsync(SeekableObjectStream stream, long offset, int count, byte[]? content)
    {
        byte[] buffer = new byte[count];
        stream.Position = offset;
        await stream.ReadExactlyAsync(buffer).AsTask().Within();
        if (content is not null)
        {
            Assert.True(content.AsSpan((int)offset, count).SequenceEqual(buffer));
        }
    }

    public enum SharedRead
    {
        ReadAsync,
        Read,
        Copy,
    }

    /// <summary>A body whose disposal, after all of it was read, waits for the test.</summary>
    private sealed class HeldEnd(byte[] bytes) : MemoryStream(bytes)
    {
        private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly TaskCompletionSource _released = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task HasEnded => _ended.Task;

        public void Release() => _released.SetResult();

        protected override void Dispose(bool disposing)
        {
            if (Position == Length)
            {
                _ended.TrySetResult();
                _released.Task.Block();
            }

            base.Dispose(disposing);
        }
    }
}
