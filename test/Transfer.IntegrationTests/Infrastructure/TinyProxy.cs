using System.Collections.Concurrent;
using System.Net.Sockets;
using System.Text;

namespace Transfer.IntegrationTests.Infrastructure;

/// <summary>A proxy that forwards plain requests and opens tunnels, as far as one test needs it. It may ask for a name and a password.</summary>
internal sealed class TinyProxy : IAsyncDisposable
{
    private readonly ConcurrentQueue<string> _lines = new();
    private readonly string? _authorization;
    private readonly LoopbackListener _listener;

    /// <param name="login"><c>name:password</c>; null for everybody.</param>
    public TinyProxy(string? login = null)
    {
        _authorization = login is null ? null : "Basic " + Convert.ToBase64String(Encoding.ASCII.GetBytes(login));
        _listener = new LoopbackListener(ServeAsync);
    }

    public int Port => _listener.Port;

    /// <summary>The first lines of the requests that it let through.</summary>
    public IReadOnlyList<string> Lines => [.. _lines];

    public ValueTask DisposeAsync() => _listener.DisposeAsync();

    private async Task ServeAsync(TcpClient client)
    {
        using (client)
        {
            try
            {
                NetworkStream near = client.GetStream();
                while (await _listener.ReadHeadAsync(near) is { } head)
                {
                    if (_authorization is not null && !head.Contains($"Proxy-Authorization: {_authorization}\r\n", StringComparison.Ordinal))
                    {
                        await near.WriteAsync(
                            "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"p\"\r\nContent-Length: 0\r\n\r\n"u8.ToArray(), _listener.Stopping);
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
        await server.ConnectAsync(uri.Host, uri.Port, _listener.Stopping);
        NetworkStream far = server.GetStream();
        if (isTunnel)
        {
            await near.WriteAsync("HTTP/1.1 200 Connected\r\n\r\n"u8.ToArray(), _listener.Stopping);
        }
        else
        {
            // What follows on this connection is copied as it is: the servers of these tests take a whole address in the first line too.
            string forwarded = head.Replace(uri.GetLeftPart(UriPartial.Authority), string.Empty, StringComparison.Ordinal);
            await far.WriteAsync(Encoding.Latin1.GetBytes(forwarded), _listener.Stopping);
        }

        // What the client still says to a server that is gone is of no interest.
        _ = near.CopyToAsync(far, _listener.Stopping).ContinueWith(static up => _ = up.Exception, TaskScheduler.Default);
        await far.CopyToAsync(near, _listener.Stopping);
    }
}
