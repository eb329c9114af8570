using Transfer.S3.Buffers;
using Transfer.S3.Wire.Http;

namespace Transfer.S3.Tests.Wire;

public sealed class TlsReceiveBufferTests : IDisposable
{
    private const int BufferBytes = 64;
    private readonly FakeConnection _connection = new();
    private readonly ReceiveBuffers _buffers = new(BufferBytes, 1);
    private readonly TlsReceiveBuffer _stream;

    public TlsReceiveBufferTests() => _stream = new TlsReceiveBuffer(_connection, _buffers);

    public void Dispose()
    {
        _stream.Dispose();
        _connection.Dispose();
        Assert.Equal(0, _buffers.Rented);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(BufferBytes - 1)]
    [InlineData(BufferBytes)]
    public async Task Read_SmallPieces_OneReceive(int length)
    {
        byte[] content = Sample.Bytes(length);
        _connection.Receive(content);
        byte[] read = new byte[length];

        for (int at = 0; at < length; at += 10)
        {
            int count = Math.Min(10, length - at);
            Assert.Equal(count, await _stream.ReadAsync(read.AsMemory(at, count)).AsTask().Within());
            Assert.Equal(at + count < length ? 1 : 0, _buffers.Rented);
        }

        Assert.Equal(content, read);
        Assert.Equal([0, BufferBytes], _connection.Reads);
    }

    [Fact]
    public async Task Read_MoreThanTheBuffer_ReceivesAgain()
    {
        byte[] content = Sample.Bytes(BufferBytes + 1);
        _connection.Receive(content[..BufferBytes]);
        _connection.Receive(content[BufferBytes..]);
        byte[] read = new byte[BufferBytes + 1];

        await _stream.ReadExactlyAsync(read).AsTask().Within();

        Assert.Equal(content, read);
        Assert.Equal(0, _buffers.Rented);
    }

    [Fact]
    public async Task Read_AtTheEnd_ReturnsZero()
    {
        _connection.Receive(); // an orderly end, as a socket reports it

        Assert.Equal(0, await _stream.ReadAsync(new byte[10]).AsTask().Within());
        Assert.Equal(0, _buffers.Rented);
    }

    [Fact]
    public async Task ReadOfZeroBytes_WaitsWithoutABuffer()
    {
        Task<int> wait = _stream.ReadAsync(Memory<byte>.Empty).AsTask();
        Assert.False(wait.IsCompleted);
        Assert.Equal(0, _buffers.Rented);

        _connection.Receive(1, 2, 3);

        Assert.Equal(0, await wait.Within());
        Assert.Equal(1, await _stream.ReadAsync(new byte[1]).AsTask().Within());
        Assert.Equal(0, await _stream.ReadAsync(Memory<byte>.Empty).AsTask().Within()); // two bytes have arrived
        Assert.Equal(2, await _stream.ReadAsync(new byte[3]).AsTask().Within());
        Assert.Equal([0, BufferBytes], _connection.Reads); // one wait, although the caller waited too
    }

    [Fact]
    public async Task Read_AfterAWaitThatWasUsed_WaitsAgain()
    {
        _connection.Receive(1);
        Assert.Equal(0, await _stream.ReadAsync(Memory<byte>.Empty).AsTask().Within());
        Assert.Equal(1, await _stream.ReadAsync(new byte[1]).AsTask().Within());

        Task<int> next = _stream.ReadAsync(new byte[1]).AsTask();

        Assert.Equal(0, _buffers.Rented); // the connection is idle
        _connection.Receive(2);
        Assert.Equal(1, await next.Within());
        Assert.Equal([0, BufferBytes, 0, BufferBytes], _connection.Reads);
    }

    [Fact]
    public async Task Read_WhileNothingArrives_HasNoBuffer()
    {
        byte[] read = new byte[10];
        Task<int> pending = _stream.ReadAsync(read).AsTask();
        Assert.False(pending.IsCompleted);
        Assert.Equal(0, _buffers.Rented);

        _connection.Receive(7);

        Assert.Equal(1, await pending.Within());
        Assert.Equal(7, read[0]);
    }

    [Fact]
    public async Task Read_NoBufferLeft_ReadsTheConnection()
    {
        Assert.True(_buffers.TryRent(out byte[]? other));
        _connection.Receive(1, 2);
        byte[] read = new byte[2];

        Assert.Equal(2, await _stream.ReadAsync(read).AsTask().Within());

        Assert.Equal([1, 2], read);
        Assert.Equal([0, 2], _connection.Reads);
        _buffers.Return(other);
    }

    [Fact]
    public async Task Read_Canceled_ThrowsAndCanContinue()
    {
        using CancellationTokenSource stop = new();
        Task<int> pending = _stream.ReadAsync(new byte[10], stop.Token).AsTask();

        await stop.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => pending.Within());
        _connection.Receive(1, 2);
        Assert.Equal(1, await _stream.ReadAsync(new byte[1]).AsTask().Within());
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => _stream.ReadAsync(new byte[1], stop.Token).AsTask().Within());
        Assert.Equal(1, await _stream.ReadAsync(new byte[1]).AsTask().Within());
    }

    [Fact]
    public async Task Read_TheConnectionFails_ThrowsItsError()
    {
        IOException reset = new("reset");
        Task<int> pending = _stream.ReadAsync(new byte[10]).AsTask();

        _connection.Fail(reset);

        Assert.Same(reset, await Assert.ThrowsAsync<IOException>(() => pending.Within()));
    }

    [Fact]
    public async Task Read_TheConnectionFailsWithABuffer_ReturnsIt()
    {
        IOException reset = new("reset");
        _connection.Receive(1);
        _connection.OnRead = () => throw reset;

        Assert.Same(reset, await Assert.ThrowsAsync<IOException>(() => _stream.ReadAsync(new byte[10]).AsTask().Within()));
        Assert.Equal(0, _buffers.Rented);
    }

    [Fact]
    public async Task Dispose_BytesAreBuffered_ReturnsTheBuffer()
    {
        _connection.Receive(1, 2, 3);
        await _stream.ReadAsync(new byte[1]).AsTask().Within();
        Assert.Equal(1, _buffers.Rented);

        await _stream.DisposeAsync();

        Assert.Equal(0, _buffers.Rented);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => _stream.ReadAsync(new byte[1]).AsTask().Within());
    }

    [Fact]
    public async Task Dispose_DuringARead_EndsIt()
    {
        Task<int> pending = _stream.ReadAsync(new byte[10]).AsTask();

        await _stream.DisposeAsync();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => pending.Within());
    }

    [Fact]
    public async Task Dispose_WhileTheBufferIsInUse_ReturnsItAfterward()
    {
        int rented = 0;
        _connection.Receive(1, 2, 3);
        _connection.OnRead = () =>
        {
            _stream.Dispose();
            rented = _buffers.Rented; // the connection may still write to it
            _connection.Receive(1, 2, 3);
        };

        Assert.Equal(1, await _stream.ReadAsync(new byte[1]).AsTask().Within());

        Assert.Equal(1, rented);
        Assert.Equal(0, _buffers.Rented);
    }

    [Fact]
    public async Task Write_IsPassedToTheConnection()
    {
        await _stream.WriteAsync(new byte[] { 1, 2 });

        Assert.Equal([1, 2], _connection.Written);
    }
}
