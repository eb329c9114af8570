using System.Buffers;
using System.IO.Pipelines;
using Microsoft.AspNetCore.Connections;
using Transfer.S3.Server.Http;
using Transfer.S3.Server.Operations;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Faults;

/// <summary>Applies a fault to each step of the affected request.</summary>
internal sealed class RequestFault(ServerFault kind, FaultInjector injector, S3Exchange exchange)
{
    private const int RetryAfterSeconds = 1;
    private FaultyBody? _body;

    /// <summary>Gets the fault that affects a request; null if there is none.</summary>
    public static RequestFault? For(S3Exchange exchange, FaultInjector injector) =>
        injector.ForRequest(RequestTraits.From(exchange)) is { } kind ? new RequestFault(kind, injector, exchange) : null;

    /// <summary>Applies the faults that replace the response.</summary>
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
                // The usual delay follows, which makes 20 times the delay in total.
                await Task.Delay(19 * exchange.Server.Shaping.FirstByteDelay, exchange.Server.Options.Time, exchange.Aborted).ConfigureAwait(false);
                break;
            case ServerFault.StallHeaders:
                // Only a server that reads the body notices that the client disconnects.
                await exchange.Http.Request.BodyReader.CopyToAsync(Stream.Null, exchange.Aborted).ConfigureAwait(false);
                await StallAsync(exchange).ConfigureAwait(false);
                break;
        }
    }

    /// <summary>Receives bytes of the request body, which the fault can change.</summary>
    public ReadOnlySequence<byte> Received(ReadOnlySequence<byte> bytes, long offset, long length)
    {
        long within = (length / 2) - offset;
        return kind == ServerFault.FlipUpload && within >= 0 && within < bytes.Length
            ? new ReadOnlySequence<byte>(FaultyBody.Flipped(bytes.ToArray(), (int)within))
            : bytes;
    }

    /// <summary>Returns the object as the response describes it.</summary>
    public StoredObject Seen(StoredObject value) =>
        kind == ServerFault.ChangeETag ? value with { ETag = (value.ETag[0] == '0' ? "1" : "0") + value.ETag[1..] } : value;

    /// <summary>Returns the range that the response contains.</summary>
    public ObjectSelection Selection(ObjectSelection asked, long size) => kind switch
    {
        ServerFault.IgnoreRange => new ObjectSelection(new ByteRange(0, size), IsPartial: false, PartNumber: null),
        ServerFault.WrongRange => asked with { Range = Neighbour(asked.Range, size) },
        _ => asked,
    };

    /// <summary>Applies the faults of CompleteMultipartUpload, before the operation is performed.</summary>
    public void ThrowIfCompletionFails()
    {
        if (kind == ServerFault.ErrorInCompletion)
        {
            throw S3Errors.InternalError(status: 200);
        }
    }

    /// <summary>Applies the fault that occurs after the operation and before the response.</summary>
    public void ThrowIfReplyIsLost()
    {
        if (kind == ServerFault.LoseReply)
        {
            throw Reset();
        }
    }

    public ValueTask<FlushResult> SendAsync(ReadOnlyMemory<byte> bytes) => (_body ??= new FaultyBody(kind, exchange)).SendAsync(bytes);

    /// <summary>Waits until the client disconnects or the server is disposed, which ends the request.</summary>
    internal static Task StallAsync(S3Exchange exchange) => Task.Delay(Timeout.InfiniteTimeSpan, exchange.Server.Options.Time, exchange.Aborted);

    /// <summary>Ends the request without a response: the caller throws this exception, and the connection is reset.</summary>
    internal static ConnectionAbortedException Reset() => new("A fault was simulated.");

    /// <summary>Returns another range of the same length, or a range that is one byte shorter if there is none.</summary>
    private static ByteRange Neighbour(ByteRange range, long size) =>
        range.Offset > 0 ? range with { Offset = range.Offset - 1 }
        : range.Last < size - 1 ? range with { Offset = 1 }
        : range with { Count = range.Count - 1 };
}
