using System.Collections.Concurrent;
using System.Globalization;
using System.Net.Sockets;
using System.Text;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Faults;

/// <summary>
/// A proxy that injects a fault in front of a store that has none. Requests and responses are not changed, so that signatures stay valid. Each uses
/// a connection of its own, which is closed after the response.
/// </summary>
internal sealed class FaultProxy : IAsyncDisposable
{
    private const int Drops = 4;
    private const int Piece = 64 * 1024;
    private static readonly TimeSpan BetweenDrops = TimeSpan.FromMilliseconds(50);
    private readonly ConcurrentDictionary<string, bool> _met = new();
    private readonly Uri _store;
    private readonly LoopbackListener _listener;
    private ServerFault? _fault;
    private bool _always;
    private readonly RequestGate? _gate;
    private int _struck;
    private int _open;
    private long _bytesSent;

    /// <param name="store">The endpoint of the store.</param>
    /// <param name="gate">Decides which requests have no response; null to answer all of them.</param>
    public FaultProxy(Uri store, RequestGate? gate = null)
    {
        _store = store;
        _gate = gate;
        _listener = new LoopbackListener(ServeAsync);
        Endpoint = new Uri($"http://127.0.0.1:{_listener.Port}");
    }

    public Uri Endpoint { get; }

    /// <summary>Gets how often the fault occurred.</summary>
    public int Struck => Volatile.Read(ref _struck);

    public int OpenConnections => Volatile.Read(ref _open);

    /// <summary>Gets the number of bytes of the responses without a fault, with their headers, that a client has accepted.</summary>
    public long BytesSent => Interlocked.Read(ref _bytesSent);

    /// <summary>Gets the operations of all requests, and the ranges of those that have one.</summary>
    public ConcurrentQueue<(string Operation, string? Range)> Requests { get; } = new();

    /// <summary>Injects a fault from now on.</summary>
    /// <param name="fault">A fault that needs no support of the store; see <see cref="CanMake"/>.</param>
    /// <param name="always">Whether every request is affected, or only the first of each kind.</param>
    public void Strike(ServerFault fault, bool always)
    {
        _fault = fault;
        _always = always;
    }

    /// <summary>Returns whether a fault is one of the connection rather than of the store's response.</summary>
    public static bool CanMake(ServerFault fault) => fault is
        ServerFault.RefuseConnection or ServerFault.ResetBeforeHeaders or ServerFault.ResetInBody or ServerFault.TruncateBody or ServerFault.StallHeaders or ServerFault.StallBody
        or ServerFault.SlowDrip or ServerFault.FlipDownload or ServerFault.FlipUpload or ServerFault.LoseReply;

    public ValueTask DisposeAsync() => _listener.DisposeAsync();

    private async Task ServeAsync(TcpClient connection)
    {
        Interlocked.Increment(ref _open);
        try
        {
            using (connection)
            {
                if (_fault == ServerFault.RefuseConnection && IsAffected("connection"))
                {
                    Reset(connection.Client);
                    return;
                }

                await ExchangeAsync(connection.Client, connection.GetStream());
            }
        }
        catch (Exception e) when (e is IOException or OperationCanceledException or SocketException or ObjectDisposedException)
        {
            // One side closed the connection, or the test is over.
        }
        finally
        {
            Interlocked.Decrement(ref _open);
        }
    }

    private async Task ExchangeAsync(Socket near, NetworkStream stream)
    {
        if (await _listener.ReadHeadAsync(stream) is not { } head)
        {
            return; // the connection was opened in advance and not used
        }

        if (GetHeader(head, "Expect") is not null)
        {
            await stream.WriteAsync("HTTP/1.1 100 Continue\r\n\r\n"u8.ToArray(), _listener.Stopping);
        }

        byte[] body = new byte[long.Parse(GetHeader(head, "Content-Length") ?? "0", CultureInfo.InvariantCulture)];
        await stream.ReadExactlyAsync(body, _listener.Stopping);
        string operation = OperationOf(head);
        Requests.Enqueue((operation, GetHeader(head, "Range")));
        (bool reaches, bool isAnswered) = _gate?.Admit() ?? (true, true);
        if (!reaches)
        {
            await UntilClosedAsync(stream);
            return;
        }

        ServerFault? fault = _fault is { } wanted && Applies(wanted, operation) ? wanted : null;
        if (fault == ServerFault.ResetBeforeHeaders && IsAffected(operation))
        {
            Reset(near);
            return;
        }

        if (fault == ServerFault.FlipUpload && body.Length > 0 && IsAffected(operation))
        {
            body[body.Length / 2] ^= 1;
        }

        byte[] answer = await AskAsync(head, body);
        if (!isAnswered)
        {
            _gate!.Hold();
            await UntilClosedAsync(stream);
            return;
        }

        int start = answer.AsSpan().IndexOf("\r\n\r\n"u8) + 4;
        if (start < 4)
        {
            Reset(near); // the store sent no response
            return;
        }

        bool isBodyFault = fault is ServerFault.ResetInBody or ServerFault.TruncateBody or ServerFault.StallBody or ServerFault.SlowDrip or ServerFault.FlipDownload;
        bool strikes = fault is ServerFault.LoseReply or ServerFault.StallHeaders || (isBodyFault && answer.Length > start);
        await AnswerAsync(near, stream, strikes && IsAffected(operation) ? fault : null, answer, start);
    }

    private async Task AnswerAsync(Socket near, NetworkStream stream, ServerFault? fault, byte[] answer, int start)
    {
        int half = start + ((answer.Length - start) / 2);
        switch (fault)
        {
            case ServerFault.LoseReply:
                Reset(near);
                return;
            case ServerFault.ResetInBody:
                await stream.WriteAsync(answer.AsMemory(0, half), _listener.Stopping);
                Reset(near);
                return;
            case ServerFault.StallHeaders:
                await UntilClosedAsync(stream);
                return;
            case ServerFault.StallBody:
                await stream.WriteAsync(answer.AsMemory(0, half), _listener.Stopping);
                await UntilClosedAsync(stream);
                return;
            case ServerFault.TruncateBody:
                await stream.WriteAsync(answer.AsMemory(0, half), _listener.Stopping);
                break;
            case ServerFault.SlowDrip:
                await stream.WriteAsync(answer.AsMemory(0, start), _listener.Stopping);
                foreach (byte[] drop in answer[start..].Chunk(Math.Max(1, (answer.Length - start) / Drops)))
                {
                    await Task.Delay(BetweenDrops, _listener.Stopping);
                    await stream.WriteAsync(drop, _listener.Stopping);
                }

                break;
            case ServerFault.FlipDownload:
                answer[half] ^= 1;
                await stream.WriteAsync(answer, _listener.Stopping);
                break;
            default:
                for (int at = 0; at < answer.Length; at += Piece)
                {
                    ReadOnlyMemory<byte> piece = answer.AsMemory(at, Math.Min(Piece, answer.Length - at));
                    await stream.WriteAsync(piece, _listener.Stopping);
                    Interlocked.Add(ref _bytesSent, piece.Length);
                }

                break;
        }

        near.Shutdown(SocketShutdown.Send);
        await UntilClosedAsync(stream);
    }

    private async Task<byte[]> AskAsync(string head, byte[] body)
    {
        using TcpClient store = new();
        await store.ConnectAsync(_store.Host, _store.Port, _listener.Stopping);
        NetworkStream stream = store.GetStream();
        string[] lines = [.. head.Split("\r\n").Where(static line => line.Length > 0 && !Is(line, "Expect") && !Is(line, "Connection")), "Connection: close", string.Empty, string.Empty];
        await stream.WriteAsync(Encoding.Latin1.GetBytes(string.Join("\r\n", lines)), _listener.Stopping);
        await stream.WriteAsync(body, _listener.Stopping);
        using MemoryStream answer = new();
        await stream.CopyToAsync(answer, _listener.Stopping);
        return answer.ToArray();
    }

    /// <summary>Returns whether this request is affected, and counts it.</summary>
    private bool IsAffected(string operation)
    {
        if (!_met.TryAdd(operation, true) && !_always)
        {
            return false;
        }

        Interlocked.Increment(ref _struck);
        return true;
    }

    private static bool Applies(ServerFault fault, string operation) => fault switch
    {
        ServerFault.FlipDownload => operation == "GetObject",
        ServerFault.FlipUpload => operation is "PutObject" or "UploadPart",

        // The store has ten minutes to complete an upload or a copy, which is too long for a test.
        ServerFault.StallHeaders or ServerFault.StallBody => operation is not ("CompleteMultipartUpload" or "Copy"),
        _ => true,
    };

    /// <summary>Returns the operation of a request, as far as faults distinguish operations.</summary>
    private static string OperationOf(string head)
    {
        string[] line = head[..head.IndexOf('\r')].Split(' ');
        string[] address = line[1].Split('?', 2);
        string[] query = [.. (address.Length > 1 ? address[1] : string.Empty).Split('&').Select(static item => item.Split('=')[0])];
        bool isObject = address[0].Trim('/').Contains('/', StringComparison.Ordinal);
        return (line[0], query.Contains("uploadId")) switch
        {
            ("PUT", _) when GetHeader(head, "x-amz-copy-source") is not null => "Copy",
            ("PUT", true) => "UploadPart",
            ("PUT", false) => "PutObject",
            ("POST", true) => "CompleteMultipartUpload",
            ("GET", false) when isObject && !query.Contains("attributes") => "GetObject",
            _ => $"{line[0]} {isObject} {string.Join('&', query)}",
        };
    }

    private static string? GetHeader(string head, string name) => head.Split("\r\n").FirstOrDefault(line => Is(line, name))?[(name.Length + 1)..].Trim();

    private static bool Is(string line, string name) => line.StartsWith(name + ":", StringComparison.OrdinalIgnoreCase);

    private static void Reset(Socket socket)
    {
        socket.LingerState = new LingerOption(enable: true, seconds: 0);
        socket.Close();
    }

    private async Task UntilClosedAsync(NetworkStream stream) => await stream.CopyToAsync(Stream.Null, _listener.Stopping);
}
