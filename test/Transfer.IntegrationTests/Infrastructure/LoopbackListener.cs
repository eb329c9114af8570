using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Transfer.S3.IntegrationTests.Infrastructure;

/// <summary>Accepts connections on a free port. Disposing it waits until all connections have been served.</summary>
internal sealed class LoopbackListener : IAsyncDisposable
{
    private const int Backlog = 512;
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _stop = new();
    private readonly Task _accepting;

    /// <param name="serve">Serves and disposes one connection. It runs until the connection ends or <see cref="Stopping"/> is canceled.</param>
    public LoopbackListener(Func<TcpClient, Task> serve)
    {
        Stopping = _stop.Token;
        _listener.Start(Backlog);
        Port = ((IPEndPoint)_listener.LocalEndpoint).Port;
        _accepting = AcceptAsync(serve);
    }

    public int Port { get; }

    public CancellationToken Stopping { get; }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        _listener.Dispose();
        await _accepting.Within();
        _stop.Dispose();
    }

    /// <summary>Reads the head of a request, including its last, empty line. Returns null if the client has closed the connection.</summary>
    public async Task<string?> ReadHeadAsync(Stream stream)
    {
        List<byte> head = [];
        byte[] one = new byte[1];
        while (await stream.ReadAsync(one, Stopping) == 1)
        {
            head.Add(one[0]);
            if (head is [.., (byte)'\r', (byte)'\n', (byte)'\r', (byte)'\n'])
            {
                return Encoding.Latin1.GetString([.. head]);
            }
        }

        return null;
    }

    private async Task AcceptAsync(Func<TcpClient, Task> serve)
    {
        List<Task> connections = [];
        try
        {
            while (true)
            {
                connections.Add(serve(await _listener.AcceptTcpClientAsync(Stopping)));
            }
        }
        catch (Exception e) when (e is OperationCanceledException or SocketException or InvalidOperationException)
        {
            // The listener was stopped.
        }

        await Task.WhenAll(connections);
    }
}
