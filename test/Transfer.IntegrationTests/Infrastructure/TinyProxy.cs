using System.Collections.Concurrent;
using System.Net.Sockets;
using System.Text;

namespace Transfer.S3.IntegrationTests.Infrastructure;

/// <summary>A minimal proxy that forwards plain requests and opens tunnels. It can require a user name and a password.</summary>
internal sealed class TinyProxy : IAsyncDisposable
{
    private readonly ConcurrentQueue<string> _lines = new();
    private readonly string? _authorization;
    private readonly LoopbackListener _listener;

    /// <param name="login"><c>name:password</c>; null if no login is required.</param>
    public TinyProxy(string? login = null)
    {
        _authorization = login is null ? null : "Basic " + Convert.ToBase64String(Encoding.ASCII.GetBytes(login));
        _listener = new LoopbackListener(ServeAsync);
    }

    public int Port => _listener.Port;

    /// <summary>Gets the first lines of the requests that were forwarded.</summary>
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
                // One side closed the connection, or the test is over.
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
            // The rest of the connection is copied unchanged, because the servers of these tests also accept a full URI in the first line.
            string forwarded = head.Replace(uri.GetLeftPart(UriPartial.Authority), string.Empty, StringComparison.Ordinal);
            await far.WriteAsync(Encoding.Latin1.GetBytes(forwarded), _listener.Stopping);
        }

        // Errors of sending to a server that has closed the connection are ignored.
        _ = near.CopyToAsync(far, _listener.Stopping).ContinueWith(static up => _ = up.Exception, TaskScheduler.Default);
        await far.CopyToAsync(near, _listener.Stopping);
    }
}
