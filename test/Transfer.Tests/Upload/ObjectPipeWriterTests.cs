using System.Buffers;
using System.IO.Pipelines;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Upload;

/// <summary>The contract of System.IO.Pipelines for a writer, over the chunks of an object.</summary>
public sealed class ObjectPipeWriterTests : TransferTest
{
    private const int Chunk = 4 * 1024;
    private const int Part = 5 * 1024 * 1024;

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(Chunk)]
    [InlineData(Chunk + 1)]
    [InlineData(Part + 1)]
    public async Task GetMemory_AnyHint_ReturnsEnoughAndEveryByteArrives(int hint)
    {
        byte[] content = Sample.Bytes(Part + (3 * Chunk) + 5);
        await using ObjectWriteStream stream = await OpenAsync();
        for (int at = 0; at < content.Length;)
        {
            // The steps don't divide the chunk size, so the space left in a chunk varies.
            Memory<byte> memory = stream.Writer.GetMemory(hint);
            Assert.InRange(memory.Length, Math.Max(1, hint), int.MaxValue);
            int step = Math.Min(Math.Min(memory.Length, content.Length - at), hint > Chunk ? int.MaxValue : 1021);
            content.AsSpan(at, step).CopyTo(memory.Span);
            stream.Writer.Advance(step);
            at += step;
        }

        Assert.Equal(content.Length, stream.Position);
        await stream.CompleteAsync().Within();
        Assert.Equal(content, S3.Published());
    }

    [Fact]
    public async Task Advance_ZeroPartOrAll_CountsTheWrittenBytes()
    {
        await using ObjectWriteStream stream = await OpenAsync();
        PipeWriter writer = stream.Writer;
        Assert.True(writer.CanGetUnflushedBytes);

        writer.GetSpan().Fill(1);
        writer.Advance(0);
        writer.GetSpan()[0] = 2;
        writer.Advance(1);
        int rest = writer.GetSpan().Length;
        writer.GetSpan().Fill(3);
        writer.Advance(rest);
        writer.GetSpan(3 * Chunk)[0] = 4;
        writer.Advance(1);

        Assert.EachEqual((rest + 2, rest + 2), (writer.UnflushedBytes, stream.Position));
        await writer.FlushAsync().Within();
        Assert.Equal(0, writer.UnflushedBytes);
        await stream.CompleteAsync().Within();
        Assert.Equal([2, .. Enumerable.Repeat<byte>(3, rest), 4], S3.Published()!);
    }

    [Fact]
    public async Task Advance_TooMuchOrWithoutMemory_Throws()
    {
        await using ObjectWriteStream stream = await OpenAsync();
        PipeWriter writer = stream.Writer;

        Assert.Throws<ArgumentOutOfRangeException>(() => writer.Advance(1));
        int room = writer.GetMemory().Length;
        Assert.Throws<ArgumentOutOfRangeException>(() => writer.Advance(room + 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => writer.Advance(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => writer.GetMemory(-1));
        await writer.FlushAsync().Within();
        Assert.Throws<ArgumentOutOfRangeException>(() => writer.Advance(1));
        Assert.Equal(0, stream.Position);
    }

    [Fact]
    public async Task FlushAsync_NoMemory_WaitsForIt()
    {
        byte[] content = Sample.Bytes(Part + 1);
        Gate gate = Hold();
        await using ObjectWriteStream stream = await OpenAsync(maxConcurrency: 1);
        stream.Writer.Write(content.AsSpan(0, Part));

        Task<FlushResult> flushing = stream.Writer.FlushAsync().AsTask();
        await gate.Reached;
        Assert.False(flushing.IsCompleted);
        gate.Open();

        FlushResult result = await flushing.Within();
        Assert.EachEqual((false, false), (result.IsCanceled, result.IsCompleted));
        stream.Writer.Write(content.AsSpan(Part));
        await stream.CompleteAsync().Within();
        Assert.Equal(content, S3.Published());
    }

    [Fact]
    public async Task GetMemory_NoMemoryAndNotFlushed_BlocksTheThread()
    {
        byte[] content = Sample.Bytes(Part + 1);
        Gate gate = Hold();
        await using ObjectWriteStream stream = await OpenAsync(maxConcurrency: 1);

        Task writing = Task.Run(() => stream.Writer.Write(content));
        await gate.Reached;
        gate.Open();

        await writing.Within();
        await stream.CompleteAsync().Within();
        Assert.Equal(content, S3.Published());
    }

    [Fact]
    public async Task CancelPendingFlush_FlushWaits_EndsItOnce()
    {
        byte[] content = Sample.Bytes(Part + 1);
        Gate gate = Hold();
        await using ObjectWriteStream stream = await OpenAsync(maxConcurrency: 1);

        Task<FlushResult> flushing = stream.Writer.WriteAsync(content.AsMemory(0, Part)).AsTask();
        Assert.False(flushing.IsCompleted);
        stream.Writer.CancelPendingFlush();

        Assert.True((await flushing.Within()).IsCanceled);
        Task<FlushResult> again = stream.Writer.FlushAsync().AsTask();
        Assert.False(again.IsCompleted);
        gate.Open();
        Assert.False((await again.Within()).IsCanceled);
        await stream.Writer.WriteAsync(content.AsMemory(Part)).Within();
        await stream.CompleteAsync().Within();
        Assert.Equal(content, S3.Published());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task CancelPendingFlush_NoneWaits_CancelsTheNextOne(bool full)
    {
        Gate gate = Hold();
        await using ObjectWriteStream stream = await OpenAsync(maxConcurrency: 1);
        stream.Writer.Write(new byte[full ? Part : 1]);

        stream.Writer.CancelPendingFlush();

        Assert.True((await stream.Writer.FlushAsync().Within()).IsCanceled);
        gate.Open();
        Assert.False((await stream.Writer.FlushAsync().Within()).IsCanceled);
    }

    [Fact]
    public async Task FlushAsync_Canceled_ThrowsWithTheToken()
    {
        byte[] content = Sample.Bytes(Part + 1);
        Gate gate = Hold();
        await using ObjectWriteStream stream = await OpenAsync(maxConcurrency: 1);
        using CancellationTokenSource cancel = new();
        Task<FlushResult> flushing = stream.Writer.WriteAsync(content.AsMemory(0, Part), cancel.Token).AsTask();
        Assert.False(flushing.IsCompleted);

        await cancel.CancelAsync();

        Assert.Equal(cancel.Token, (await Assert.ThrowsAnyAsync<OperationCanceledException>(() => flushing.Within())).CancellationToken);
        Assert.Equal(cancel.Token, (await Assert.ThrowsAnyAsync<OperationCanceledException>(() => stream.Writer.FlushAsync(cancel.Token).Within())).CancellationToken);
        gate.Open();
        await stream.Writer.WriteAsync(content.AsMemory(Part)).Within();
        await stream.CompleteAsync().Within();
        Assert.Equal(content, S3.Published());
    }

    [Fact]
    public async Task Complete_WithoutError_OnlyEndsTheWriting()
    {
        await using ObjectWriteStream stream = await OpenAsync();
        await stream.Writer.WriteAsync(new byte[10]).Within();

        await stream.Writer.CompleteAsync();
        await stream.Writer.CompleteAsync();

        Assert.Empty(S3.Calls);
        Assert.False(stream.CanWrite);
        Assert.Throws<InvalidOperationException>(() => stream.Writer.GetMemory());
        Assert.Throws<InvalidOperationException>(() => stream.Writer.Advance(0));
        await Assert.ThrowsAsync<InvalidOperationException>(() => stream.Writer.WriteAsync(new byte[1]).Within());
        Assert.Throws<InvalidOperationException>(() => stream.WriteByte(1));
        Assert.False((await stream.Writer.FlushAsync().Within()).IsCanceled);
        Assert.Equal(10, (await stream.CompleteAsync().Within()).Statistics.BytesTransferred);
    }

    [Fact]
    public async Task AsStream_CopyTo_WritesAllBytes()
    {
        byte[] content = Sample.Bytes(Part + 4097);
        await using ObjectWriteStream stream = await OpenAsync();

        await using (Stream over = stream.Writer.AsStream())
        {
            await new MemoryStream(content).CopyToAsync(over).Within();
        }

        await stream.CompleteAsync().Within();
        Assert.Equal(content, S3.Published());
    }

    [Fact]
    public async Task StreamAndWriter_UsedInTurns_KeepTheOrder()
    {
        byte[] content = Sample.Bytes(100_000);
        await using ObjectWriteStream stream = await OpenAsync();
        for (int at = 0; at < content.Length; at += 2000)
        {
            await stream.WriteAsync(content.AsMemory(at, 1000)).Within();
            stream.Writer.Write(content.AsSpan(at + 1000, 1000));
        }

        await stream.CompleteAsync().Within();
        Assert.Equal(content, S3.Published());
    }

    [Fact]
    public async Task PipeReader_CopyToTheWriter_WritesAllBytes()
    {
        byte[] content = Sample.Bytes((2 * Part) + 3);
        await using ObjectWriteStream stream = await OpenAsync();

        await PipeReader.Create(new MemoryStream(content)).CopyToAsync(stream.Writer).Within();

        await stream.CompleteAsync().Within();
        Assert.Equal(content, S3.Published());
    }

    private Gate Hold()
    {
        Gate gate = new();
        S3.Before = (call, token) => call.Operation == S3Call.UploadPart ? gate.PassAsync(token) : Task.CompletedTask;
        return gate;
    }

    private Task<ObjectWriteStream> OpenAsync(int? maxConcurrency = null)
        => NewClient().OpenWriteAsync(FakeS3.Bucket, FakeS3.Key, new UploadOptions { MaxConcurrency = maxConcurrency }).Within();
}
