using Transfer.S3.Buffers;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Ranges;

public sealed class RangeMemoryTests : RangeTest
{
    private const int MiB = 1024 * 1024;

    [Theory]
    [InlineData(MiB / 2, true)]
    [InlineData((MiB / 2) + 1, false)]
    public async Task ReadRangesAsync_RangesTogether_MustFitIntoHalfOfTheMemory(int bytes, bool fits)
    {
        byte[] content = S3.Put(2 * MiB);
        ObjectRange[] ranges = [ObjectRange.From(0, bytes / 2), ObjectRange.From(MiB, bytes - (bytes / 2))];
        TransferClient client = NewClient(o => o.MemoryBytes = MiB);
        foreach (ObjectHint? hint in new[] { null, new ObjectHint { Length = content.Length } })
        {
            RangeReadOptions options = new() { Hint = hint };
            if (fits)
            {
                await ReadAndCompareAsync(client, content, ranges, enumerates: false, options);
                continue;
            }

            MemoryLimitException error = await Assert.ThrowsAsync<MemoryLimitException>(() => ReadAsync(client, ranges, options).Within());
            Assert.Contains($"2 ranges need {ByteSize.Format((MiB / 2) + Chunk)}", error.Message, StringComparison.Ordinal);
            Assert.Contains("TransferClientOptions.MemoryBytes (1 MiB)", error.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task ReadRangesAsync_OnlyTheGapsDoNotFit_RangesAreReadSeparately()
    {
        byte[] content = S3.Put(8 * MiB);
        ObjectRange[] ranges = [.. Enumerable.Range(0, 20).Select(i => ObjectRange.From(i * 70_000, 6000))];

        await ReadAndCompareAsync(NewClient(o => o.MemoryBytes = MiB), content, ranges, enumerates: false);
    }

    [Theory]
    [InlineData(MiB / 2, true)]
    [InlineData((MiB / 2) + 1, false)]
    [InlineData(null, false)]
    public async Task EnumerateRangesAsync_OneRange_MustFitIntoHalfOfTheMemory(int? bytes, bool fits)
    {
        byte[] content = S3.Put(2 * MiB);
        ObjectRange[] ranges = [ObjectRange.From(0, bytes), ObjectRange.From(MiB, MiB / 2)];
        TransferClient client = NewClient(o => o.MemoryBytes = MiB);
        if (fits)
        {
            await ReadAndCompareAsync(client, content, ranges, enumerates: true);
            return;
        }

        MemoryLimitException error = await Assert.ThrowsAsync<MemoryLimitException>(() => ReadAndCompareAsync(client, content, ranges, enumerates: true));
        Assert.Contains("The range at byte 0 needs", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task ReadRangesAsync_AbsurdHint_Error()
    {
        TransferClient client = NewClient();
        RangeReadOptions options = new() { Hint = new ObjectHint { Length = Sizes.MaxObject } };

        await Assert.ThrowsAsync<MemoryLimitException>(() => ReadAsync(client, [ObjectRange.From(0), ObjectRange.From(1)], options).Within());
        await Assert.ThrowsAsync<MemoryLimitException>(() => EnumerateAsync(client, [ObjectRange.Last(long.MaxValue)], options).GetAsyncEnumerator().MoveNextAsync().Within());
        Assert.Empty(S3.Calls);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task ReadRangesAsync_CallsThatDoNotFitTogether_RunOneAfterTheOther(bool hasHint)
    {
        byte[] content = S3.Put(4 * MiB);
        ObjectRange[] ranges = [.. Enumerable.Range(0, 3).Select(i => ObjectRange.From(i * MiB, 150_000))];
        TransferClient client = NewClient(o => o.MemoryBytes = MiB);
        RangeReadOptions options = new() { Hint = hasHint ? new ObjectHint { Length = 4 * MiB } : null };

        await Task.WhenAll(Enumerable.Range(0, 20).Select(_ => ReadAndCompareAsync(client, content, ranges, enumerates: false, options))).Within();
    }

    [Fact]
    public async Task ReadRangesAsync_MemoryIsHeld_WaitsWithoutARequest()
    {
        byte[] content = S3.Put(4 * MiB);
        ObjectRange[] ranges = [ObjectRange.From(0, 400_000)];
        TransferClient client = NewClient(o => o.MemoryBytes = MiB);
        RangeBuffers held = await ReadAsync(client, ranges).Within();
        int before = S3.Calls.Count;

        Task<RangeBuffers> reading = ReadAsync(client, ranges, new RangeReadOptions { Hint = new ObjectHint { Length = 4 * MiB } });
        await Deadline.Until(() => client.Context.Pool.Budget.Waiters == 1);
        Assert.Equal(before, S3.Calls.Count);
        held.Dispose();

        using RangeBuffers buffers = await reading.Within();
        AssertSame(content, ranges, buffers);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task MemoryOfTheRestIsHeld_FirstResponseIsGivenUp(bool enumerates)
    {
        byte[] content = S3.Put(4 * MiB);
        ObjectRange[] ranges = [ObjectRange.From(0, 300_000)];
        RangeReadOptions options = new() { MaxCoalescedBytes = 128 * 1024 };
        TransferClient client = NewClient(o => o.MemoryBytes = MiB);
        RangeBuffers held = await ReadAsync(client, [ObjectRange.From(0, 300_000)]).Within();
        int before = S3.Calls.Count;

        Task reading = ReadAndCompareAsync(client, content, ranges, enumerates, options);
        await Deadline.Until(() => client.Context.Pool.Budget.Waiters == 1);
        Assert.Equal(before + 1, S3.Calls.Count);
        Assert.Equal(74 * Chunk, client.Context.Pool.Budget.ReservedBytes); // the call holds nothing while it waits
        held.Dispose();

        await reading.Within();
        Assert.Equal(before + 1 + 3, S3.Calls.Count);
    }

    [Fact]
    public async Task ReadRangesAsync_BuffersAreHeld_OtherTransfersContinue()
    {
        byte[] content = S3.Put(4 * MiB);
        TransferClient client = NewClient(o => o.MemoryBytes = MiB);
        using RangeBuffers held = await ReadAsync(client, [ObjectRange.From(0, MiB / 2)]).Within();
        using MemoryStream target = new();

        await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, target).Within();

        Assert.Equal(content, target.ToArray());
        Assert.Equal(MiB / 2, client.Context.Pool.Budget.ReservedBytes);
        Assert.InRange(client.Context.Pool.Budget.GetLimit(MemoryUse.Floor), held[0].Length, MiB);
    }
}
