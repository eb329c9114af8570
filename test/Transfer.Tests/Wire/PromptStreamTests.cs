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

    private async Task DrainAsync()
    {
        byte[] buffer = new byte[1 << 16];
        while (await _server.ReceiveAsync(buffer) > 0)
        {
        }
    }
}
