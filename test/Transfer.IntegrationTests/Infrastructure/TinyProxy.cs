using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Transfer.IntegrationTests.Infrastructure;

/// <summary>A proxy that forwards plain requests and opens tunnels, as far as one test needs it. It may ask for a name and a password.</summary>
internal sealed class TinyProxy : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _stop = new();
    private readonly ConcurrentQueue<string> _lines = new();
    private readonly string? _authorization;
    private readonly Task _accepting;

    /// <param name="login"><c>name:password</c>; null for everybody.</param>
    public TinyProxy(string? login = null)
    {
        _authorization = login is null ? null : "Basic " + Convert.ToBase64String(Encoding.ASCII.GetBytes(login));
        _listener.Start();
        Port = ((IPEndPoint)_listener.LocalEndpoint).Port;
        _accepting = AcceptAsync();
    }

    public int Port { get; }

    /// <summary>The first lines of the requests that it let through.</summary>
    public IReadOnlyList<string> Lines => [.. _lines];

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        _listener.Dispose();
        await _accepting.InTime();
        _stop.Dispose();
    }

    private async Task AcceptAsync()
    {
        List<Task> connections = [];
        try
        {
            while (true)
            {
                connections.Add(ServeAsync(await _listener.AcceptTcpClientAsync(_stop.Token)));
            }
        }
        catch (Exception e) when (e is OperationCanceledException or SocketException or InvalidOperationException)
        {
            // stopped
        }

        await Task.WhenAll(connections);
    }

    private async Task ServeAsync(TcpClient client)
    {
        using (client)
        {
            try
            {
                NetworkStream near = client.GetStream();
                while (await ReadHeadAsync(near) is { } head)
                {
                    if (_authorization is not null && !head.Contains($"Proxy-Authorization: {_authorization}\r\n", StringComparison.Ordinal))
                    {
                        await near.WriteAsync(
                            "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"p\"\r\nContent-Length: 0\r\n\r\n"u8.ToArray(), _stop.Token);
                        continue;
                    }

                    string line = head[..head.IndexOf('\r')];
                    _lines.Enqueue(line);
                    await ForwardAsync(near, line, head);
                    return;
                }
            }
            catch (Exception e) when (e is IOException or OperationCanceledException or SocketException)
            {
                // one side went away, or the test is over
            }
        }
    }

    private async Task ForwardAsync(NetworkStream near, string line, string head)
    {
        string target = line.Split(' ')[1];
        bool isTunnel = line.StartsWith("CONNECT ", StringComparison.Ordinal);
        Uri uri = new(isTunnel ? "https://" + target : target);
        using TcpClient server = new();
        await server.ConnectAsync(uri.Host, uri.Port, _stop.Token);
        NetworkStream far = server.GetStream();
        if (isTunnel)
        {
            await near.WriteAsync("HTTP/1.1 200 Connected\r\n\r\n"u8.ToArray(), _stop.Token);
        }
        else
        {
            // What follows on this connection is copied as it is: the servers of these tests take a whole address in the first line too.
            string forwarded = head.Replace(uri.GetLeftPart(UriPartial.Authority), string.Empty, StringComparison.Ordinal);
            await far.WriteAsync(Encoding.Latin1.GetBytes(forwarded), _stop.Token);
        }

        // What the client still says to a server that is gone is of no interest.
        _ = near.CopyToAsync(far, _stop.Token).ContinueWith(static up => _ = up.Exception, TaskScheduler.Default);
        await far.CopyToAsync(near, _stop.Token);
    }

    private async Task<string?> ReadHeadAsync(Stream stream)
    {
        List<byte> head = [];
        byte[] one = new byte[1];
        while (await stream.ReadAsync(one, _stop.Token) == 1)
        {
            head.Add(one[0]);
            if (head is [.., (byte)'\r', (byte)'\n', (byte)'\r', (byte)'\n'])
            {
                return Encoding.Latin1.GetString([.. head]);
            }
        }

        return null;
    }
}
