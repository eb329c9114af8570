namespace Transfer.S3.Tests.Conformance;

public abstract partial class StreamConformance
{
    [Fact]
    public async Task Read_InvalidArguments_Throws()
    {
        await using Stream stream = await OpenAsync();
        foreach ((int offset, int count) in new[] { (-1, 1), (0, -1), (0, 11), (10, 1), (11, 0), (5, 6), (int.MaxValue, int.MaxValue) })
        {
            Assert.ThrowsAny<ArgumentException>(() => stream.Read(new byte[10], offset, count));
            await Assert.ThrowsAnyAsync<ArgumentException>(() => stream.ReadAsync(new byte[10], offset, count).Within());
        }

        Assert.Throws<ArgumentNullException>(() => stream.Read(null!, 0, 0));
        await Assert.ThrowsAsync<ArgumentNullException>(() => stream.ReadAsync(null!, 0, 0).Within());
        await Assert.ThrowsAsync<ArgumentNullException>(() => stream.CopyToAsync(null!).Within());
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => stream.CopyToAsync(Stream.Null, 0).Within());
        await Assert.ThrowsAsync<NotSupportedException>(() => stream.CopyToAsync(new MemoryStream([], writable: false)).Within());
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task Read_AfterDispose_Throws(ReadForm form)
    {
        Stream stream = await OpenAsync();
        await stream.ReadExactlyAsync(new byte[100]).Within();

        await stream.DisposeAsync();

        Exception error = await Assert.ThrowsAnyAsync<Exception>(() => form.ReadAsync(stream, new byte[10], 0, 10));
        Assert.True(error is ObjectDisposedException || (form == ReadForm.BeginEnd && error is NotSupportedException), error.ToString());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => stream.CopyToAsync(new MemoryStream()).Within());
        Assert.Throws<ObjectDisposedException>(() => stream.CopyTo(new MemoryStream()));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(5000)]
    [InlineData(ContentLength)]
    public async Task Dispose_RepeatedlyInAnyForm_DisposesOnce(int after)
    {
        Stream stream = await OpenAsync();
        await stream.ReadExactlyAsync(new byte[after]).Within();

        await stream.DisposeAsync();
        stream.Dispose();
        await stream.DisposeAsync();
        stream.Close();
    }

    [Fact]
    public async Task Dispose_FromManyThreads_DisposesOnce()
    {
        Stream stream = await OpenAsync();
        await stream.ReadExactlyAsync(new byte[5000]).Within();

        await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Run(() => stream.DisposeAsync().AsTask()))).Within();
    }

    [Fact]
    public async Task ReadAsync_AlreadyCanceled_ThrowsWithTheTokenAndConsumesNothing()
    {
        await using Stream stream = await OpenAsync();
        CancellationToken cancelled = new(canceled: true);
        foreach (Func<Task> read in new Func<Task>[]
        {
            () => stream.ReadAsync(new byte[10], cancelled).AsTask(),
            () => stream.ReadAsync(new byte[10], 0, 10, cancelled),
            () => stream.CopyToAsync(new MemoryStream(), 4096, cancelled),
        })
        {
            OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => read().Within());
            Assert.Equal(cancelled, error.CancellationToken);
        }

        byte[] all = new byte[ContentLength];
        await stream.ReadExactlyAsync(all).Within();
        Assert.Equal(Content, all);
    }

    [Fact]
    public async Task ReadAsync_CanceledWhileWaiting_ThrowsWithTheTokenAndLosesNothing()
    {
        if (await OpenStalledAsync() is not { } stalled)
        {
            return;
        }

        await using Stream stream = stalled.Stream;
        using CancellationTokenSource cancel = new();
        Task<int> reading = stream.ReadAsync(new byte[10], cancel.Token).AsTask();
        Assert.False(reading.IsCompleted);

        await cancel.CancelAsync();

        OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reading.Within());
        Assert.Equal(cancel.Token, error.CancellationToken);
        stalled.Release();
        byte[] all = new byte[ContentLength];
        await stream.ReadExactlyAsync(all).Within();
        Assert.Equal(Content, all);
    }

    [Fact]
    public async Task CopyToAsync_CanceledWhileWaiting_ThrowsWithTheToken()
    {
        if (await OpenStalledAsync() is not { } stalled)
        {
            return;
        }

        await using Stream stream = stalled.Stream;
        using CancellationTokenSource cancel = new();
        Task copying = stream.CopyToAsync(new MemoryStream(), 4096, cancel.Token);

        await cancel.CancelAsync();

        OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => copying.Within());
        Assert.Equal(cancel.Token, error.CancellationToken);
        stalled.Release();
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task Read_Waiting_CompletesWhenBytesArrive(ReadForm form)
    {
        if (await OpenStalledAsync() is not { } stalled)
        {
            return;
        }

        await using Stream stream = stalled.Stream;
        byte[] buffer = new byte[10];
        Task<int> reading = Task.Run(() => form.ReadAsync(stream, buffer, 0, 10));

        stalled.Release();

        int count = await reading.Within();
        Assert.InRange(count, 1, 10);
        Assert.Equal(Content[..count], buffer[..count]);
    }

    [Fact]
    public async Task Dispose_DuringARead_ReadThrows()
    {
        if (await OpenStalledAsync() is not { } stalled)
        {
            return;
        }

        Task<int> reading = stalled.Stream.ReadAsync(new byte[10]).AsTask();

        await stalled.Stream.DisposeAsync().Within();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => reading.Within());
        stalled.Release();
    }

    [Fact]
    public async Task ReadAsync_DuringAnotherRead_ThrowsAndTheFirstContinues()
    {
        if (await OpenStalledAsync() is not { } stalled)
        {
            return;
        }

        await using Stream stream = stalled.Stream;
        byte[] buffer = new byte[10];
        Task<int> first = stream.ReadAsync(buffer).AsTask();

        await Assert.ThrowsAsync<InvalidOperationException>(() => stream.ReadAsync(new byte[10]).AsTask().Within());

        stalled.Release();
        int count = await first.Within();
        Assert.Equal(Content[..count], buffer[..count]);
    }
}
