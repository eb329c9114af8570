using System.Collections.Concurrent;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;

namespace Transfer.S3.IntegrationTests.Infrastructure;

/// <summary>A server on a real socket that answers requests with the bytes that the test provides, however invalid they are.</summary>
internal sealed class ScriptedServer : IAsyncDisposable
{
    private readonly Func<ScriptedRequest, Task<ScriptedAnswer>> _answer;
    private readonly SslStreamCertificateContext? _certificate;
    private readonly ConcurrentQueue<ScriptedRequest> _requests = new();
    private readonly LoopbackListener _listener;
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
        _listener = new LoopbackListener(ServeAsync);
    }

    public string Authority => $"127.0.0.1:{_listener.Port}";

    public string Url => (_certificate is null ? "http://" : "https://") + Authority;

    /// <summary>Gets all requests so far, in order of their arrival.</summary>
    public IReadOnlyList<ScriptedRequest> Requests => [.. _requests];

    public int Connections => Volatile.Read(ref _connections);

    /// <summary>Gets the number of bytes of endless responses that were consumed by the client or by socket buffers.</summary>
    public long EndlessBytes => Interlocked.Read(ref _endlessBytes);

    /// <summary>Gets or sets a function that returns whether a request is answered before its body is read.</summary>
    public Func<ScriptedRequest, bool> AnswersBeforeBody { get; set; } = _ => false;

    public ValueTask DisposeAsync() => _listener.DisposeAsync();

    private async Task ServeAsync(TcpClient connection)
    {
        Interlocked.Increment(ref _connections);
        using (connection)
        {
            try
            {
                Stream stream = connection.GetStream();
                if (_certificate is not null)
                {
                    SslStream tls = new(stream);
                    await tls.AuthenticateAsServerAsync(new SslServerAuthenticationOptions { ServerCertificateContext = _certificate }, _listener.Stopping);
                    stream = tls;
                }

                using BufferedStream buffered = new(stream);
                while (await ReadAsync(buffered) is { } request)
                {
                    _requests.Enqueue(request);
                    ScriptedAnswer answer = await _answer(request).Within();
                    await stream.WriteAsync(answer.Bytes, _listener.Stopping);
                    while (answer.Endlessly is { } more)
                    {
                        await stream.WriteAsync(more, _listener.Stopping);
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
                // The client closed the connection, or the test is over.
            }
        }
    }

    private async Task<ScriptedRequest?> ReadAsync(Stream stream)
    {
        if (await _listener.ReadHeadAsync(stream) is not { } head)
        {
            return null;
        }

        string[] lines = head.Split("\r\n", StringSplitOptions.RemoveEmptyEntries);
        Dictionary<string, string> headers = new(StringComparer.OrdinalIgnoreCase);
        foreach (string line in lines.Skip(1))
        {
            int colon = line.IndexOf(':');
            headers[line[..colon]] = line[(colon + 1)..].Trim();
        }

        string[] words = lines[0].Split(' ');
        ScriptedRequest request = new(words[0], words[1], headers, []);
        if (AnswersBeforeBody(request))
        {
            return request;
        }

        byte[] body = new byte[int.Parse(headers.GetValueOrDefault("Content-Length", "0"))];
        await stream.ReadExactlyAsync(body, _listener.Stopping);
        return request with { Body = body };
    }
}
