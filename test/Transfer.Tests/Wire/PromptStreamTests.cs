using System.Net;
using System.Net.Sockets;
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
