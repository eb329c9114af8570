using System.Net;
using Transfer.S3.Buffers;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Tests.Integrity;
using Transfer.S3.Tests.Verify;

namespace Transfer.S3.Tests.Seekable;

public sealed class SeekableVerdictTests : TransferTest
{
    private const int MiB = 1024 * 1024;
    private const string TwoParts = "\"0123456789abcdef0123456789abcdef-3\"";

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
        S3.Objects[FakeS3.Key] = new FakeObject(content, TwoParts) { Parts = parts, PartsInPage = 2, PartCrc64Nvme = sums };
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
        Assert.Null(stream.Verdict.Content);
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
}
