using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Transfer.S3.Buffers;
using Transfer.S3.Wire;
using Transfer.S3.Wire.Http;

namespace Transfer.S3.Tests.Wire;

/// <summary>How much a connection accepts before the network takes it.</summary>
public sealed class PromptStreamTests : IDisposable
{
    private readonly FakeTimeProvider _time = new();
    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly Socket _server;
    private readonly PromptStream _stream;
    private readonly List<byte> _received = [];

    public PromptStreamTests()
    {
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen();
        Socket client = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        client.Connect(_listener.LocalEndPoint!);
        _server = _listener.Accept();
        _stream = new PromptStream(client, _time);
    }

    public void Dispose()
    {
        _stream.Dispose();
        _server.Dispose();
        _listener.Dispose();
    }

    /// <summary>The limit costs a fast connection wake-ups, and only a slow one needs it. A connection can become either.</summary>
    [UnixFact]
    public async Task Connection_IsSlow_AcceptsLittleAhead()
    {
        Task drained = DrainAsync();
        Assert.EachEqual((true, PromptStream.MostUnsentBytes), (_stream.IsLimited, Limit));

        foreach ((double seconds, bool isLimited) in ((double, bool)[])[(0.5, true), (0.1, true), (0.05, false), (0.1, false), (0.5, true), (0.05, false)])
        {
            _time.Advance(TimeSpan.FromSeconds(seconds));
            await _stream.WriteAsync(new byte[PromptStream.WindowBytes], CancellationToken.None).AsTask().Within();

            Assert.EachEqual((isLimited, isLimited ? PromptStream.MostUnsentBytes : 0), (_stream.IsLimited, Limit));
        }

        _stream.Socket.Shutdown(SocketShutdown.Send);
        await drained.Within();
    }

    /// <summary>Pieces wait only while they stay valid and the connection is fast. Bytes of the HTTP client's own buffer never wait, and nothing overtakes a piece.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Write_OfABody_SendsPiecesTogether(bool isFast)
    {
        await BecomeAsync(isFast);
        bool waits = !_stream.IsLimited; // not every system limits a connection
        byte[] content = Sample.Bytes(100);
        byte[] own = Sample.Bytes(7);
        BodySending body = BodySending.Current = new BodySending();
        List<int> received = [];

        await WritePieceAsync(0, 10, canWait: true);
        await WritePieceAsync(10, 10, canWait: true);
        Assert.True(SpinWait.SpinUntil(() => _server.Available == (waits ? 0 : 20), TimeSpan.FromSeconds(10)));
        await WritePieceAsync(20, 10, canWait: false);
        received.Add(await ReceiveAsync(30));

        await WritePieceAsync(30, 10, canWait: true);
        await _stream.WriteAsync(own);
        received.Add(await ReceiveAsync(17));

        await WritePieceAsync(40, 10, canWait: true);
        body.Offer(content.AsMemory(50, 10), canWait: true);
        await _stream.WriteAsync(content.AsMemory(55, 10)); // reaches beyond the piece
        received.Add(await ReceiveAsync(20));

        await WritePieceAsync(65, 5, canWait: true);
        BodySending.Current = null;
        using NativeMemory native = new([1, 2, 3]);
        await _stream.WriteAsync(native.Memory);
        received.Add(await ReceiveAsync(8));

        Assert.Equal([30, 17, 20, 8], received);
        Assert.Equal([.. content[..40], .. own, .. content[40..50], .. content[55..70], 1, 2, 3], _received);

        async Task WritePieceAsync(int offset, int count, bool canWait)
        {
            body.Offer(content.AsMemory(offset, count), canWait);
            await _stream.WriteAsync(content.AsMemory(offset, count)).AsTask().Within();
        }
    }

    /// <summary>However many pieces could wait, a limited number does.</summary>
    [Fact]
    public async Task Write_OfManyPieces_SendsEightAtOnce()
    {
        await BecomeAsync(isFast: true);
        byte[] content = Sample.Bytes(1000);
        BodySending body = BodySending.Current = new BodySending();

        for (int piece = 0; piece < 17; piece++)
        {
            body.Offer(content.AsMemory(piece * 10, 10), canWait: true);
            await _stream.WriteAsync(content.AsMemory(piece * 10, 10)).AsTask().Within();
            if (piece is 6 or 14 or 16)
            {
                Assert.Equal(0, _server.Available);
            }
            else if (piece is 7 or 15)
            {
                Assert.Equal(80, await ReceiveAsync(80));
            }
        }

        Assert.Equal(content[..160], _received);
    }

    [Fact]
    public async Task Write_OfPieces_ConnectionHasEnded_FailsAsOtherWrites()
    {
        await BecomeAsync(isFast: true);
        byte[] content = Sample.Bytes(100);
        BodySending body = BodySending.Current = new BodySending();
        body.Offer(content, canWait: true);
        await _stream.WriteAsync(content);
        _stream.Socket.Shutdown(SocketShutdown.Send);

        BodySending.Current = null;
        IOException e = await Assert.ThrowsAsync<IOException>(() => _stream.WriteAsync(content).AsTask().Within());

        Assert.IsType<SocketException>(e.InnerException);
    }

    /// <summary>Less than the mark doesn't wake the reader, but is delivered in time. More, the end, and a read of anything else aren't delayed.</summary>
    [LinuxFact]
    public async Task Read_OfALargeBody_WaitsForAMark()
    {
        byte[] buffer = new byte[1 << 16];
        BodyReceiving body = BodyReceiving.Current = new BodyReceiving { LeftBytes = 1 << 20 };

        Task<int> read = await BeginAsync();
        await _server.SendAsync(new byte[1]);
        Assert.True(SpinWait.SpinUntil(() => _stream.Socket.Available == 1, TimeSpan.FromSeconds(10)));
        Assert.False(_stream.Socket.Poll(0, SelectMode.SelectRead));
        Assert.False(read.IsCompleted);
        _time.Advance(ReceiveMark.Patience);
        Assert.Equal(1, await read.Within());

        read = await BeginAsync();
        await _server.SendAsync(new byte[20_000]);
        Assert.InRange(await read.Within(), 16 << 10, 20_000);

        read = await BeginAsync();
        await _server.SendAsync(new byte[2]);
        _server.Shutdown(SocketShutdown.Send);
        Assert.Equal(2, await read.Within());

        BodyReceiving.Current = null;
        Assert.Equal(0, await _stream.ReadAsync(buffer).AsTask().Within());
        Assert.Equal(1, Mark);

        async Task<Task<int>> BeginAsync()
        {
            ValueTask<int> first = _stream.ReadAsync(buffer);
            _time.Advance(TimeSpan.FromMilliseconds(40));
            await _server.SendAsync(new byte[20_000]);
            body.LeftBytes -= await first.AsTask().Within();

            Task<int> next = _stream.ReadAsync(buffer).AsTask();
            Assert.Equal(16 << 10, Mark); // of 0.5 MB/s
            return next;
        }
    }

    /// <summary>A mark above what is left would stop the body until the timer expires, and this clock doesn't expire it.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Read_OfAWholeBody_NeedsNoTimer(bool isTls)
    {
        byte[] content = Sample.Bytes(3_000_001);
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using X509Certificate2 own = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256).CreateSelfSigned(DateTimeOffset.UnixEpoch, DateTimeOffset.UnixEpoch.AddYears(100));
        using X509Certificate2 certificate = X509CertificateLoader.LoadPkcs12(own.Export(X509ContentType.Pfx), null); // Windows needs a key that is stored
        Stream sender = new NetworkStream(_server);
        Stream receiver = _stream;
        if (isTls)
        {
            _stream.HeldBytes = TlsReceiveBuffer.MostHeldBytes;
            SslStream server = new(sender);
            SslStream client = new(new TlsReceiveBuffer(_stream, ReceiveBuffers.Shared), leaveInnerStreamOpen: false, (_, presented, _, _) => presented?.GetCertHashString() == certificate.GetCertHashString());
            await Task.WhenAll(server.AuthenticateAsServerAsync(certificate), client.AuthenticateAsClientAsync("localhost")).Within();
            (sender, receiver) = (server, client);
        }

        byte[] received = new byte[content.Length];
        int sent = 0;
        int marks = 0;
        BodyReceiving body = BodyReceiving.Current = new BodyReceiving();
        for (int at = 0; at < content.Length;)
        {
            body.LeftBytes = content.Length - at;
            ValueTask<int> read = receiver.ReadAsync(received.AsMemory(at, Math.Min(1 << 16, content.Length - at)));
            if (!read.IsCompleted)
            {
                // The sender sends what is waited for, or all of the rest, in pieces that end anywhere.
                int mark = OperatingSystem.IsLinux() ? Mark : 1;
                marks += mark > 1 ? 1 : 0;
                _time.Advance(TimeSpan.FromMilliseconds(5));
                int count = Math.Min(mark + 20_000, content.Length - sent);
                await sender.WriteAsync(content.AsMemory(sent, count)).AsTask().Within();
                sent += count;
            }

            at += await read.AsTask().Within();
        }

        Assert.Equal(content, received);
        Assert.True(marks > 2 || !OperatingSystem.IsLinux());
        await receiver.DisposeAsync();
        await sender.DisposeAsync();
    }

    private int Mark => (int)_stream.Socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReceiveLowWater)!;

    private int Limit
    {
        get
        {
            byte[] value = new byte[4];
            _stream.Socket.GetRawSocketOption((int)SocketOptionLevel.Tcp, OperatingSystem.IsLinux() ? 25 : 0x201, value);
            return BitConverter.ToInt32(value);
        }
    }

    private async Task BecomeAsync(bool isFast)
    {
        Task<int> received = ReceiveAsync(PromptStream.WindowBytes);
        _time.Advance(TimeSpan.FromSeconds(isFast ? 0.01 : 1));
        await _stream.WriteAsync(new byte[PromptStream.WindowBytes]).AsTask().Within();
        await received.Within();
        _received.Clear();
    }

    private async Task<int> ReceiveAsync(int count)
    {
        byte[] buffer = new byte[count];
        for (int at = 0; at < count;)
        {
            at += await _server.ReceiveAsync(buffer.AsMemory(at)).AsTask().Within();
        }

        _received.AddRange(buffer);
        return count + _server.Available;
    }

    private async Task DrainAsync()
    {
        byte[] buffer = new byte[1 << 16];
        while (await _server.ReceiveAsync(buffer) > 0)
        {
        }
    }

    /// <summary>Memory that isn't in an array.</summary>
    private sealed unsafe class NativeMemory : System.Buffers.MemoryManager<byte>
    {
        private readonly int _length;
        private byte* _bytes;

        public NativeMemory(ReadOnlySpan<byte> content)
        {
            _length = content.Length;
            _bytes = (byte*)System.Runtime.InteropServices.NativeMemory.Alloc((nuint)content.Length);
            content.CopyTo(GetSpan());
        }

        public override Span<byte> GetSpan() => new(_bytes, _length);

        public override System.Buffers.MemoryHandle Pin(int elementIndex = 0) => new(_bytes + elementIndex);

        public override void Unpin()
        {
        }

        protected override void Dispose(bool disposing)
        {
            System.Runtime.InteropServices.NativeMemory.Free(_bytes);
            _bytes = null;
        }
    }
}
