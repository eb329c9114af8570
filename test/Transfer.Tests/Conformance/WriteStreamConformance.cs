using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Conformance;

/// <summary>The contract of every writable stream of the library. Each has a sealed subclass here that creates it.</summary>
public abstract class WriteStreamConformance : TransferTest
{
    /// <summary>The length of the content. It is not a multiple of any chunk or part size.</summary>
    protected const int ContentLength = (3 * 64 * 1024) + 4097;

    protected static byte[] Content { get; } = Sample.Bytes(ContentLength);

    /// <summary>Sizes at which off-by-one errors of chunks show.</summary>
    public static TheoryData<int> WriteSizes => [1, 7, 4095, 4096, 4097, 8192, 8193, (64 * 1024) - 1, 64 * 1024, (64 * 1024) + 1, ContentLength];

    public static TheoryData<WriteForm> Forms => [.. Enum.GetValues<WriteForm>()];

    protected abstract Task<Stream> OpenAsync();

    /// <summary>Completes the stream.</summary>
    /// <returns>The bytes that were written.</returns>
    protected abstract Task<byte[]> FinishAsync(Stream stream);

    /// <summary>Opens a stream that accepts the returned number of bytes, and then no more until the action is called.</summary>
    protected abstract Task<(Stream Stream, int Room, Action Release)> OpenStalledAsync();

    [Fact]
    public async Task CanWrite_OpenThenDisposed_Changes()
    {
        Stream stream = await OpenAsync();
        Assert.True(stream.CanWrite);
        Assert.False(stream.CanRead);
        Assert.False(stream.CanSeek);
        Assert.False(stream.CanTimeout);

        await stream.DisposeAsync();

        Assert.False(stream.CanWrite);
        Assert.False(stream.CanRead);
        Assert.False(stream.CanSeek);
    }

    [Fact]
    public async Task ReadAndSeek_NotSupported()
    {
        await using Stream stream = await OpenAsync();

        Assert.Throws<NotSupportedException>(() => stream.Read(new byte[1], 0, 1));
        Assert.Throws<NotSupportedException>(() => stream.ReadByte());
        await Assert.ThrowsAsync<NotSupportedException>(() => stream.ReadAsync(new byte[1]).AsTask().Within());
        await Assert.ThrowsAsync<NotSupportedException>(() => stream.CopyToAsync(new MemoryStream()).Within());
        Assert.Throws<NotSupportedException>(() => stream.Length);
        Assert.Throws<NotSupportedException>(() => stream.SetLength(1));
        Assert.Throws<NotSupportedException>(() => stream.Position = 0);
        Assert.Throws<NotSupportedException>(() => stream.Seek(0, SeekOrigin.Begin));
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task Write_AnyForm_WritesAllBytesInOrder(WriteForm form)
    {
        await using Stream stream = await OpenAsync();
        byte[] shifted = [9, 9, 9, .. Content];
        for (int at = 0; at < ContentLength;)
        {
            int step = Math.Min(10_007, ContentLength - at);
            await form.WriteAsync(stream, shifted, at + 3, step);
            at += step;
            Assert.Equal(at, stream.Position);
        }

        Assert.Equal(Content, await FinishAsync(stream));
    }

    [Theory]
    [MemberData(nameof(WriteSizes))]
    public async Task Write_AroundBoundaries_WritesAllBytes(int size)
    {
        await using Stream stream = await OpenAsync();
        for (int at = 0; at < ContentLength; at += size)
        {
            await stream.WriteAsync(Content.AsMemory(at, Math.Min(size, ContentLength - at))).AsTask().Within();
        }

        Assert.Equal(Content, await FinishAsync(stream));
    }

    [Fact]
    public async Task WriteByte_Repeatedly_KeepsTheOrder()
    {
        await using Stream stream = await OpenAsync();
        for (int i = 0; i < 10_000; i++)
        {
            stream.WriteByte(Content[i]);
        }

        Assert.Equal(Content[..10_000], await FinishAsync(stream));
    }

    [Fact]
    public async Task CopyTo_FromAnotherStream_WritesAllBytes()
    {
        await using Stream stream = await OpenAsync();

        await new MemoryStream(Content).CopyToAsync(stream).Within();

        Assert.Equal(Content, await FinishAsync(stream));
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task Write_ZeroBytes_ReturnsImmediately(WriteForm form)
    {
        await using Stream stream = await OpenAsync();

        await form.WriteAsync(stream, [], 0, 0);
        await form.WriteAsync(stream, new byte[1], 1, 0);

        Assert.Equal(0, stream.Position);
        Assert.Empty(await FinishAsync(stream));
    }

    [Fact]
    public async Task Flush_AnyTime_LosesNothing()
    {
        await using Stream stream = await OpenAsync();
        stream.Flush();
        await stream.WriteAsync(Content.AsMemory(0, 5000)).AsTask().Within();
        await stream.FlushAsync().Within();
        await stream.WriteAsync(Content.AsMemory(5000)).AsTask().Within();
        stream.Flush();

        Assert.Equal(Content, await FinishAsync(stream));
    }

    [Fact]
    public async Task Write_InvalidArguments_Throws()
    {
        await using Stream stream = await OpenAsync();
        foreach ((int offset, int count) in new[] { (-1, 1), (0, -1), (0, 11), (10, 1), (11, 0), (5, 6), (int.MaxValue, int.MaxValue) })
        {
            Assert.ThrowsAny<ArgumentException>(() => stream.Write(new byte[10], offset, count));
            await Assert.ThrowsAnyAsync<ArgumentException>(() => stream.WriteAsync(new byte[10], offset, count).Within());
        }

        Assert.Throws<ArgumentNullException>(() => stream.Write(null!, 0, 0));
        await Assert.ThrowsAsync<ArgumentNullException>(() => stream.WriteAsync(null!, 0, 0).Within());
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task Write_AfterDispose_Throws(WriteForm form)
    {
        Stream stream = await OpenAsync();
        await stream.WriteAsync(Content).AsTask().Within();

        await stream.DisposeAsync();

        Exception error = await Assert.ThrowsAnyAsync<Exception>(() => form.WriteAsync(stream, new byte[10], 0, 10));
        Assert.True(error is ObjectDisposedException || (form == WriteForm.BeginEnd && error is NotSupportedException), error.ToString());
        Assert.Throws<ObjectDisposedException>(stream.Flush);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => stream.FlushAsync().Within());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(5000)]
    [InlineData(ContentLength)]
    public async Task Dispose_RepeatedlyInAnyForm_DisposesOnce(int after)
    {
        Stream stream = await OpenAsync();
        await stream.WriteAsync(Content.AsMemory(0, after)).AsTask().Within();

        await stream.DisposeAsync();
        stream.Dispose();
        await stream.DisposeAsync();
        stream.Close();
    }

    [Fact]
    public async Task Dispose_FromManyThreads_DisposesOnce()
    {
        Stream stream = await OpenAsync();
        await stream.WriteAsync(Content).AsTask().Within();

        await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Run(() => stream.DisposeAsync().AsTask()))).Within();
    }

    [Fact]
    public async Task WriteAsync_AlreadyCanceled_ThrowsWithTheTokenAndWritesNothing()
    {
        await using Stream stream = await OpenAsync();
        CancellationToken cancelled = new(canceled: true);
        foreach (Func<Task> write in new Func<Task>[]
        {
            () => stream.WriteAsync(new byte[10], cancelled).AsTask(),
            () => stream.WriteAsync(new byte[10], 0, 10, cancelled),
            () => stream.FlushAsync(cancelled),
        })
        {
            OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => write().Within());
            Assert.Equal(cancelled, error.CancellationToken);
        }

        await stream.WriteAsync(Content).AsTask().Within();
        Assert.Equal(Content, await FinishAsync(stream));
    }

    [Fact]
    public async Task WriteAsync_CanceledWhileWaiting_ThrowsWithTheTokenAndPositionIsExact()
    {
        (Stream stream, int room, Action release) = await OpenStalledAsync();
        await using Stream disposed = stream;
        byte[] content = Sample.Bytes(room + 1000);
        using CancellationTokenSource cancel = new();
        Task writing = stream.WriteAsync(content, cancel.Token).AsTask();
        Assert.False(writing.IsCompleted);

        await cancel.CancelAsync();

        OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => writing.Within());
        Assert.Equal(cancel.Token, error.CancellationToken);
        Assert.Equal(room, stream.Position);
        release();
        await stream.WriteAsync(content.AsMemory((int)stream.Position)).AsTask().Within();
        Assert.Equal(content, await FinishAsync(stream));
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task Write_Waiting_CompletesWhenMemoryIsAvailable(WriteForm form)
    {
        (Stream stream, int room, Action release) = await OpenStalledAsync();
        await using Stream disposed = stream;
        byte[] content = Sample.Bytes(room + 1000);
        Task writing = Task.Run(() => form.WriteAsync(stream, content, 0, content.Length));

        release();

        await writing.Within();
        Assert.Equal(content, await FinishAsync(stream));
    }

    [Fact]
    public async Task Dispose_DuringAWrite_WriteThrows()
    {
        (Stream stream, int room, Action release) = await OpenStalledAsync();
        Task writing = stream.WriteAsync(Sample.Bytes(room + 1)).AsTask();

        await stream.DisposeAsync().Within();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => writing.Within());
        release();
    }

    [Fact]
    public async Task WriteAsync_DuringAnotherWrite_ThrowsAndTheFirstContinues()
    {
        (Stream stream, int room, Action release) = await OpenStalledAsync();
        await using Stream disposed = stream;
        byte[] content = Sample.Bytes(room + 1);
        Task first = stream.WriteAsync(content).AsTask();

        await Assert.ThrowsAsync<InvalidOperationException>(() => stream.WriteAsync(new byte[10]).AsTask().Within());
        await Assert.ThrowsAsync<InvalidOperationException>(() => stream.FlushAsync().Within());

        release();
        await first.Within();
        Assert.Equal(content, await FinishAsync(stream));
    }
}
