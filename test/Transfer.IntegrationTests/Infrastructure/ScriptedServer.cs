using System.Collections.Concurrent;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace Transfer.IntegrationTests.Infrastructure;

/// <summary>A server of raw bytes on a real socket: it reads requests and answers what the test says, however wrong that is.</summary>
internal sealed class ScriptedServer : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _stop = new();
    private readonly Func<ScriptedRequest, Task<ScriptedAnswer>> _answer;
    private readonly SslStreamCertificateContext? _certificate;
    private readonly ConcurrentQueue<ScriptedRequest> _requests = new();
    private readonly Task _accepting;
    private int _connections;
    private long _endlessBytes;

    public ScriptedServer(Func<ScriptedRequest, ScriptedAnswer> answer, X509Certificate2? certificate = null, params X509Certificate2[] chain)
        : this(request => Task.FromResult(answer(request)), certificate, chain)
    {
    }

    public ScriptedServer(Func<ScriptedRequest, Task<ScriptedAnswer>> answer, X509Certificate2? certificate = null, params X509Certificate2[] chain)
    {
        _answer = answer;
        _certificate = certificate is null ? null : SslStreamCertificateContext.Create(certificate, [.. chain], offline: true);
        _listener.Start();
        Authority = $"127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}";
        _accepting = AcceptAsync();
    }

    public string Authority { get; }

    public string Url => (_certificate is null ? "http://" : "https://") + Authority;

    /// <summary>Every request so far, in the order of their arrival.</summary>
    public IReadOnlyList<ScriptedRequest> Requests => [.. _requests];

    public int Connections => Volatile.Read(ref _connections);

    /// <summary>How much of answers without an end was taken, by the client or the sockets in between.</summary>
    public long EndlessBytes => Interlocked.Read(ref _endlessBytes);

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
                TcpClient connection = await _listener.AcceptTcpClientAsync(_stop.Token);
                Interlocked.Increment(ref _connections);
                connections.Add(ServeAsync(connection));
            }
        }
        catch (Exception e) when (e is OperationCanceledException or SocketException or InvalidOperationException)
        {
            // stopped
        }

        await Task.WhenAll(connections);
    }

    private async Task ServeAsync(TcpClient connection)
    {
        using (connection)
        {
            try
            {
                Stream stream = connection.GetStream();
                if (_certificate is not null)
                {
                    SslStream tls = new(stream);
                    await tls.AuthenticateAsServerAsync(new SslServerAuthenticationOptions { ServerCertificateContext = _certificate }, _stop.Token);
                    stream = tls;
                }

                using BufferedStream buffered = new(stream);
                while (await ReadAsync(buffered) is { } request)
                {
                    _requests.Enqueue(request);
                    ScriptedAnswer answer = await _answer(request).InTime();
                    await stream.WriteAsync(answer.Bytes, _stop.Token);
                    while (answer.Endlessly is { } more)
                    {
                        await stream.WriteAsync(more, _stop.Token);
                        Interlocked.Add(ref _endlessBytes, more.Length);
                    }

                    if (answer.ThenClose)
                    {
                        return;
                    }
                }
            }
            catch (Exception e) when (e is IOException or OperationCanceledException or System.Security.Authentication.AuthenticationException)
            {
                // the client went away, or the test is over
            }
        }
    }

    private async Task<ScriptedRequest?> ReadAsync(Stream stream)
    {
        if (await ReadLineAsync(stream) is not { Length: > 0 } first)
        {
            return null;
        }

        Dictionary<string, string> headers = new(StringComparer.OrdinalIgnoreCase);
        while (await ReadLineAsync(stream) is { Length: > 0 } line)
        {
            int colon = line.IndexOf(':');
            headers[line[..colon]] = line[(colon + 1)..].Trim();
        }

        byte[] body = new byte[int.Parse(headers.GetValueOrDefault("Content-Length", "0"))];
        await stream.ReadExactlyAsync(body, _stop.Token);
        string[] words = first.Split(' ');
        return new ScriptedRequest(words[0], words[1], headers, body);
    }

    private async Task<string?> ReadLineAsync(Stream stream)
    {
        List<byte> line = [];
        byte[] one = new byte[1];
        while (await stream.ReadAsync(one, _stop.Token) == 1)
        {
            if (one[0] == (byte)'\n')
            {
                return Encoding.Latin1.GetString([.. line]).TrimEnd('\r');
            }

            line.Add(one[0]);
        }

        return null;
    }
}
