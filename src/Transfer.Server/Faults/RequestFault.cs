using System.Buffers;
using System.IO.Pipelines;
using Microsoft.AspNetCore.Connections;
using Transfer.Server.Http;
using Transfer.Server.Operations;
using Transfer.Server.Storage;

namespace Transfer.Server.Faults;

/// <summary>What a fault does to each step of the request that meets it.</summary>
internal sealed class RequestFault(ServerFault kind, FaultInjector injector, S3Exchange exchange)
{
    private const int RetryAfterSeconds = 1;
    private FaultyBody? _body;

    /// <summary>The fault that a request meets; null for none.</summary>
    public static RequestFault? For(S3Exchange exchange, FaultInjector injector) =>
        injector.ForRequest(RequestTraits.Of(exchange)) is { } kind ? new RequestFault(kind, injector, exchange) : null;

    /// <summary>The faults in place of an answer.</summary>
    public async ValueTask StrikeAsync()
    {
        switch (kind)
        {
            case ServerFault.SlowDown:
                throw S3Errors.SlowDown(retryAfterSeconds: null);
            case ServerFault.SlowDownRetryAfter:
                throw S3Errors.SlowDown(RetryAfterSeconds);
            case ServerFault.InternalError:
                throw S3Errors.InternalError();
            case ServerFault.TooManyRequests:
                throw S3Errors.TooManyRequests();
            case ServerFault.ExpireToken:
                throw S3Errors.ExpiredToken();
            case ServerFault.SkewClock:
                injector.SkewClock();
                break;
            case ServerFault.ResetBeforeHeaders:
                throw Reset();
            case ServerFault.SlowHeaders:
                await Task.Delay(19 * exchange.Server.Shaping.FirstByteDelay, exchange.Server.Options.Time, exchange.Aborted).ConfigureAwait(false); // the usual delay follows
                break;
            case ServerFault.StallHeaders:
                await exchange.Http.Request.BodyReader.CopyToAsync(Stream.Null, exchange.Aborted).ConfigureAwait(false); // only who reads sees a client leave
                await StallAsync(exchange).ConfigureAwait(false);
                break;
        }
    }

    /// <summary>Bytes of the request's body, as they arrive.</summary>
    public ReadOnlySequence<byte> Received(ReadOnlySequence<byte> bytes, long offset, long length)
    {
        long within = (length / 2) - offset;
        return kind == ServerFault.FlipUpload && within >= 0 && within < bytes.Length
            ? new ReadOnlySequence<byte>(FaultyBody.Flipped(bytes.ToArray(), (int)within))
            : bytes;
    }

    /// <summary>The object as it is answered.</summary>
    public StoredObject Seen(StoredObject value) =>
        kind == ServerFault.ChangeETag ? value with { ETag = (value.ETag[0] == '0' ? "1" : "0") + value.ETag[1..] } : value;

    /// <summary>The bytes that are answered.</summary>
    public ObjectSelection Selection(ObjectSelection asked, long size) => kind switch
    {
        ServerFault.IgnoreRange => new ObjectSelection(new ByteRange(0, size), IsPartial: false, PartNumber: null),
        ServerFault.WrongRange => asked with { Range = Neighbour(asked.Range, size) },
        _ => asked,
    };

    /// <summary>The faults of a completion, before it is carried out.</summary>
    public void ThrowIfCompletionFails()
    {
        if (kind == ServerFault.ErrorInCompletion)
        {
            throw S3Errors.InternalError(status: 200);
        }
    }

    /// <summary>The work is done, the answer could begin.</summary>
    public void ThrowIfReplyIsLost()
    {
        if (kind == ServerFault.LoseReply)
        {
            throw Reset();
        }
    }

    public ValueTask<FlushResult> SendAsync(ReadOnlyMemory<byte> bytes) => (_body ??= new FaultyBody(kind, exchange)).SendAsync(bytes);

    /// <summary>Waits until the client leaves or the server is disposed, which ends the request.</summary>
    internal static Task StallAsync(S3Exchange exchange) => Task.Delay(Timeout.InfiniteTimeSpan, exchange.Server.Options.Time, exchange.Aborted);

    /// <summary>Ends the request without an answer: its handler resets the connection.</summary>
    internal static ConnectionAbortedException Reset() => new("A fault was simulated.");

    /// <summary>As many bytes of another place, or one less where there is none.</summary>
    private static ByteRange Neighbour(ByteRange range, long size) =>
        range.Offset > 0 ? range with { Offset = range.Offset - 1 }
        : range.Last < size - 1 ? range with { Offset = 1 }
        : range with { Count = range.Count - 1 };
}
