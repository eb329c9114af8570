using System.Buffers;
using System.IO.Pipelines;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Download;

/// <summary>The contract of System.IO.Pipelines for a reader, over the chunks of an ordered read.</summary>
public sealed class ObjectPipeReaderTests : TransferTest
{
    private const int Length = (3 * 64 * 1024) + 4097;

    [Theory]
    [InlineData(1)]
    [InlineData(4095)]
    [InlineData(4096)]
    [InlineData(4097)]
    [InlineData(int.MaxValue)]
    public async Task AdvanceTo_ConsumedInSteps_ReturnsEveryByteOnce(int step)
    {
        byte[] content = S3.Put(step == 1 ? 5000 : Length);
        await using ObjectReadStream stream = await OpenAsync();
        MemoryStream read = new();
        while (true)
        {
            ReadResult result = await stream.Reader.ReadAsync().Within();
            ReadOnlySequence<byte> taken = result.Buffer.Slice(0, Math.Min(step, result.Buffer.Length));
            foreach (ReadOnlyMemory<byte> memory in taken)
            {
                read.Write(memory.Span);
            }

            bool last = result.IsCompleted && taken.Length == result.Buffer.Length;
            stream.Reader.AdvanceTo(taken.End);
            if (last)
            {
                break;
            }
        }

        Assert.Equal(content, read.ToArray());
        Assert.True(stream.Verdict!.IsVerified);
    }

    [Fact]
    public async Task AdvanceTo_ExaminedAllConsumedNone_NextReadAppendsMore()
    {
        byte[] content = S3.Put(Length);
        await using ObjectReadStream stream = await OpenAsync();
        long seen = 0;
        while (true)
        {
            ReadResult result = await stream.Reader.ReadAsync().Within();
            Assert.True(result.Buffer.Length > seen || result.IsCompleted);
            seen = result.Buffer.Length;
            if (result.IsCompleted)
            {
                Assert.Equal(content, result.Buffer.ToArray());
                stream.Reader.AdvanceTo(result.Buffer.End);
                return;
            }

            stream.Reader.AdvanceTo(result.Buffer.Start, result.Buffer.End);
        }
    }

    [Fact]
    public async Task AdvanceTo_ExaminedAll_NextReadWaitsForMore()
    {
        byte[] content = S3.Put(8192);
        Gate gate = new();
        S3.Body = (_, bytes) => new ScriptedStream(bytes) { CueAt = 4096, Cue = gate.PassAsync };
        await using ObjectReadStream stream = await OpenAsync();
        ReadResult first = await stream.Reader.ReadAsync().Within();
        Assert.Equal(4096, first.Buffer.Length);
        stream.Reader.AdvanceTo(first.Buffer.GetPosition(10), first.Buffer.End);
        await gate.Reached;
        Task<ReadResult> second = stream.Reader.ReadAsync().AsTask();
        Assert.False(second.IsCompleted);
        Assert.False(stream.Reader.TryRead(out _));

        gate.Open();

        ReadResult more = await second.Within();
        Assert.Equal(content[10..], more.Buffer.ToArray());
        stream.Reader.AdvanceTo(more.Buffer.End);
    }

    [Fact]
    public async Task AdvanceTo_ConsumedNotExaminedAll_NextReadIsImmediate()
    {
        S3.Put(4096);
        await using ObjectReadStream stream = await OpenAsync();
        ReadResult first = await stream.Reader.ReadAsync().Within();
        stream.Reader.AdvanceTo(first.Buffer.GetPosition(10));

        Assert.True(stream.Reader.TryRead(out ReadResult second));
        Assert.Equal(first.Buffer.Length - 10, second.Buffer.Length);
        stream.Reader.AdvanceTo(second.Buffer.Start);
    }

    [Fact]
    public async Task AdvanceTo_WithoutRead_Throws()
    {
        S3.Put(4096);
        await using ObjectReadStream stream = await OpenAsync();
        Assert.Throws<InvalidOperationException>(() => stream.Reader.AdvanceTo(default));
        ReadResult result = await stream.Reader.ReadAsync().Within();
        stream.Reader.AdvanceTo(result.Buffer.Start);

        Assert.Throws<InvalidOperationException>(() => stream.Reader.AdvanceTo(result.Buffer.Start));
    }

    [Fact]
    public async Task AdvanceTo_ExaminedBeforeConsumed_Throws()
    {
        S3.Put(4096);
        await using ObjectReadStream stream = await OpenAsync();
        ReadResult result = await stream.Reader.ReadAsync().Within();

        Assert.ThrowsAny<ArgumentException>(() => stream.Reader.AdvanceTo(result.Buffer.GetPosition(10), result.Buffer.GetPosition(9)));
    }

    [Fact]
    public async Task ReadAsync_TwiceWithoutAdvance_Throws()
    {
        S3.Put(4096);
        await using ObjectReadStream stream = await OpenAsync();
        ReadResult result = await stream.Reader.ReadAsync().Within();

        await Assert.ThrowsAsync<InvalidOperationException>(async () => await stream.Reader.ReadAsync());
        Assert.Throws<InvalidOperationException>(() => stream.Reader.TryRead(out _));

        stream.Reader.AdvanceTo(result.Buffer.End);
        Assert.Equal(0, (await stream.Reader.ReadAsync().Within()).Buffer.Length);
    }

    [Fact]
    public async Task CancelPendingRead_BeforeARead_CancelsOnlyTheNextRead()
    {
        byte[] content = S3.Put(4096);
        await using ObjectReadStream stream = await OpenAsync();

        stream.Reader.CancelPendingRead();

        ReadResult cancelled = await stream.Reader.ReadAsync().Within();
        Assert.True(cancelled.IsCanceled);
        stream.Reader.AdvanceTo(cancelled.Buffer.Start);
        ReadResult result = await stream.Reader.ReadAtLeastAsync(4096).Within();
        Assert.False(result.IsCanceled);
        Assert.Equal(content, result.Buffer.ToArray());
        stream.Reader.AdvanceTo(result.Buffer.End);
    }

    [Fact]
    public async Task CancelPendingRead_WhileWaitingForBytes_EndsTheRead()
    {
        S3.Put(4096);
        Gate gate = new();
        S3.Body = (_, bytes) => new ScriptedStream(bytes) { Cue = gate.PassAsync };
        await using ObjectReadStream stream = await OpenAsync();
        Task<ReadResult> reading = stream.Reader.ReadAsync().AsTask();

        stream.Reader.CancelPendingRead();

        ReadResult result = await reading.Within();
        Assert.True(result.IsCanceled);
        stream.Reader.AdvanceTo(result.Buffer.Start);
        gate.Open();
        Assert.Equal(4096, (await stream.Reader.ReadAtLeastAsync(4096).Within()).Buffer.Length);
    }

    [Fact]
    public async Task ReadAsync_Canceled_ThrowsWithTheTokenAndCanContinue()
    {
        byte[] content = S3.Put(4096);
        Gate gate = new();
        S3.Body = (_, bytes) => new ScriptedStream(bytes) { Cue = gate.PassAsync };
        await using ObjectReadStream stream = await OpenAsync();
        using CancellationTokenSource cancel = new();
        Task<ReadResult> reading = stream.Reader.ReadAsync(cancel.Token).AsTask();

        await cancel.CancelAsync();

        OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reading.Within());
        Assert.Equal(cancel.Token, error.CancellationToken);
        gate.Open();
        ReadResult result = await stream.Reader.ReadAtLeastAsync(4096).Within();
        Assert.Equal(content, result.Buffer.ToArray());
    }

    [Fact]
    public async Task TryRead_AfterACompletedResult_ReturnsCompleted()
    {
        S3.Put(4096);
        await using ObjectReadStream stream = await OpenAsync();
        ReadResult all = await stream.Reader.ReadAtLeastAsync(4096).Within();
        stream.Reader.AdvanceTo(all.Buffer.End);
        Assert.True((await stream.Reader.ReadAsync().Within()).IsCompleted);
        stream.Reader.AdvanceTo(default);

        Assert.True(stream.Reader.TryRead(out ReadResult end));
        Assert.True(end.IsCompleted);
        Assert.True(end.Buffer.IsEmpty);
    }

    [Fact]
    public async Task CopyToAsync_ToStreamAndWriter_CopiesAllBytes()
    {
        byte[] content = S3.Put(Length);
        await using ObjectReadStream one = await OpenAsync();
        MemoryStream copy = new();
        await one.Reader.CopyToAsync(copy).Within();
        Assert.Equal(content, copy.ToArray());

        await using ObjectReadStream two = await OpenAsync();
        Pipe pipe = new(new PipeOptions(pauseWriterThreshold: 0));
        await two.Reader.CopyToAsync(pipe.Writer).Within();
        await pipe.Writer.CompleteAsync();
        Assert.Equal(content, (await pipe.Reader.ReadAtLeastAsync(Length).Within()).Buffer.ToArray());
        Assert.True(two.Verdict!.IsVerified);
    }

    [Fact]
    public async Task Complete_BeforeTheEnd_ReturnsEveryChunkWithoutDispose()
    {
        S3.Put(Length);
        TransferClient client = NewClient();
        ObjectReadStream stream = await client.OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within();
        ReadResult result = await stream.Reader.ReadAtLeastAsync(5000).Within();
        stream.Reader.AdvanceTo(result.Buffer.GetPosition(5000));

        await stream.Reader.CompleteAsync();
        await stream.Reader.CompleteAsync();

        await UntilReturned(client.Context.Pool);
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await stream.Reader.ReadAsync());
        stream.Reader.CancelPendingRead();
        Assert.False(stream.CanRead);
        await stream.DisposeAsync().Within();
    }

    [Fact]
    public async Task AsStream_Read_ReturnsAllBytes()
    {
        byte[] content = S3.Put(Length);
        await using ObjectReadStream stream = await OpenAsync();
        await using Stream pipe = stream.Reader.AsStream();
        byte[] read = new byte[Length];

        await pipe.ReadExactlyAsync(read).Within();

        Assert.Equal(content, read);
        Assert.Equal(0, await pipe.ReadAsync(new byte[1]).Within());
    }

    [Fact]
    public async Task ReaderAndStream_UsedInTurns_ReturnEveryByteOnce()
    {
        byte[] content = S3.Put(Length);
        await using ObjectReadStream stream = await OpenAsync();
        byte[] read = new byte[Length];
        for (int at = 0; at < Length;)
        {
            int want = Math.Min(3000, Length - at);
            await stream.ReadExactlyAsync(read, at, want).AsTask().Within();
            at += want;
            if (at < Length)
            {
                ReadResult result = await stream.Reader.ReadAsync().Within();
                int count = (int)Math.Min(result.Buffer.Length, 5000);
                result.Buffer.Slice(0, count).CopyTo(read.AsSpan(at));
                stream.Reader.AdvanceTo(result.Buffer.GetPosition(count));
                at += count;
            }
        }

        Assert.Equal(content, read);
    }

    [Fact]
    public async Task ReadAsync_SmallUnconsumedPieces_AreCompactedIntoFewChunks()
    {
        byte[] content = S3.Put(4096);
        TransferClient client = NewClient();
        S3.Body = (_, bytes) => new ScriptedStream(bytes) { BytesPerRead = 100 };
        await using ObjectReadStream stream = await client.OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within();
        while (true)
        {
            ReadResult result = await stream.Reader.ReadAsync().Within();
            Assert.Equal(content[..(int)result.Buffer.Length], result.Buffer.ToArray());
            stream.Reader.AdvanceTo(result.Buffer.Start, result.Buffer.End);
            if (result.IsCompleted)
            {
                break;
            }

            Assert.InRange(client.RentedBytes, 1, 4 * 4096);
        }
    }

    [Fact]
    public async Task CancelPendingRead_DuringTheChecksumRequest_EndsTheRead()
    {
        S3.Put(4096);
        Gate gate = new();
        S3.Objects[FakeS3.Key] = S3.Objects[FakeS3.Key] with { Crc64NvmeInGet = null };
        S3.Before = (call, token) => call.Operation == S3Call.Attributes ? gate.PassAsync(token) : Task.CompletedTask;
        await using ObjectReadStream stream = await OpenAsync();
        Task<ReadResult> reading = stream.Reader.ReadAsync().AsTask(); // the last chunk is returned after the comparison
        await gate.Reached;

        stream.Reader.CancelPendingRead();

        ReadResult result = await reading.Within();
        Assert.True(result.IsCanceled && result.Buffer.IsEmpty);
        stream.Reader.AdvanceTo(result.Buffer.End);
        gate.Open();
        result = await stream.Reader.ReadAtLeastAsync(4096).Within();
        Assert.Equal(4096, result.Buffer.Length);
        stream.Reader.AdvanceTo(result.Buffer.End);
        Assert.True((await stream.Reader.ReadAsync().Within()).IsCompleted);
        Assert.True(stream.Verdict!.IsVerified);
    }

    [Fact]
    public async Task ReadAsync_TransferEndsDuringTheCheck_AlwaysCompletes()
    {
        // The end of the transfer races with the reader's check for it. A reader that once missed it hung one process in a hundred.
        S3.Put(5000);
        TransferClient client = NewClient();
        for (int i = 0; i < 2000; i++)
        {
            await using ObjectReadStream stream = await client.OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within();
            ReadResult result;
            do
            {
                result = await stream.Reader.ReadAsync().Within();
                stream.Reader.AdvanceTo(result.Buffer.End);
            }
            while (!result.IsCompleted);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task ReadAsync_UnconsumedDataExceedsTheBudget_ErrorNamesTheOption(bool inOnePiece)
    {
        S3.Put(2 * 1024 * 1024);
        S3.IgnoresRanges = inOnePiece;
        await using ObjectReadStream stream = await NewClient(o => o.MemoryBytes = 1024 * 1024).OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within();

        MemoryLimitException error = await Assert.ThrowsAsync<MemoryLimitException>(async () =>
        {
            while (true)
            {
                ReadResult result = await stream.Reader.ReadAsync().Within();
                stream.Reader.AdvanceTo(result.Buffer.Start, result.Buffer.End);
            }
        });

        Assert.Contains(nameof(TransferClientOptions.MemoryBytes), error.Message, StringComparison.Ordinal);
    }

    private Task<ObjectReadStream> OpenAsync() => NewClient().OpenReadAsync(FakeS3.Bucket, FakeS3.Key).Within();
}
