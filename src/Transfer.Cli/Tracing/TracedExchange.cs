using System.Buffers;
using System.Text;

namespace Transfer.S3.Cli.Tracing;

/// <summary>One request while its response arrives.</summary>
internal sealed class TracedExchange(HarFile file, TimeProvider time, HarRequest request, IReadOnlyList<string> secrets)
{
    private readonly DateTimeOffset _started = time.GetUtcNow();
    private readonly long _start = time.GetTimestamp();
    private readonly ArrayBufferWriter<byte> _document = new();
    private HttpResponseMessage? _response;
    private bool _isDocument;
    private double _wait;
    private long _received;
    private int _isEnded;

    /// <summary>Begins the response.</summary>
    public void Begin(HttpResponseMessage response)
    {
        _response = response;
        _wait = Elapsed;
        _isDocument = TraceHandler.IsDocument(response.Content.Headers);
    }

    /// <summary>Counts bytes of the body, and keeps those of a document.</summary>
    public void Received(ReadOnlySpan<byte> bytes)
    {
        _received += bytes.Length;
        if (_isDocument && _document.WrittenCount + bytes.Length <= TraceHandler.MaxDocumentBytes)
        {
            _document.Write(bytes);
        }
    }

    /// <summary>Ends the exchange with an error.</summary>
    public void Fail(Exception e) => End(e is OperationCanceledException ? "canceled" : e.Message);

    /// <summary>Ends the exchange. Only the first call has an effect.</summary>
    public void End(string? comment = null)
    {
        if (Interlocked.Exchange(ref _isEnded, 1) != 0)
        {
            return;
        }

        double elapsed = Elapsed;
        file.Add(new HarEntry
        {
            StartedDateTime = _started,
            Time = elapsed,
            Request = request,
            Response = Describe(),
            Timings = new HarTimings(0, _response is null ? elapsed : _wait, _response is null ? 0 : elapsed - _wait),
            Comment = comment is null ? null : TraceSecrets.Hide(comment, secrets),
        });
    }

    private double Elapsed => time.GetElapsedTime(_start).TotalMilliseconds;

    private HarResponse Describe()
    {
        if (_response is not { } response)
        {
            return new HarResponse { Status = 0, StatusText = string.Empty, Headers = [], Content = new HarContent(0, string.Empty, null, null), RedirectUrl = string.Empty, BodySize = -1 };
        }

        string type = response.Content.Headers.ContentType?.ToString() ?? string.Empty;
        string? text = _isDocument && _document.WrittenCount == _received ? TraceSecrets.Hide(Encoding.UTF8.GetString(_document.WrittenSpan), secrets) : null;
        return new HarResponse
        {
            Status = (int)response.StatusCode,
            StatusText = response.ReasonPhrase ?? string.Empty,
            Headers = [.. TraceHandler.Pairs(response.Headers).Concat(TraceHandler.Pairs(response.Content.Headers)).Select(pair => pair with { Value = TraceSecrets.Hide(pair.Value, secrets) })],
            Content = new HarContent(_received, type, text, text is null && _received > 0 ? "left out" : null),
            RedirectUrl = TraceSecrets.Hide(response.Headers.Location?.ToString() ?? string.Empty, secrets),
            BodySize = _received,
        };
    }
}
