using System.Net;
using Transfer.S3.Wire.Http;

namespace Transfer.S3.Wire;

/// <summary>
/// What the observer of a client and the span of a request are told of it besides its times. The layer that measures a request and the one that sends it share it through
/// the execution context. Without an observer or a span, there is none.
/// </summary>
internal sealed class RequestTrace
{
    /// <summary>The operation of stores and mocks that have no ListObjectsV2.</summary>
    public const string ListObjects = "ListObjects";

    private static readonly AsyncLocal<RequestTrace?> Ambient = new();
    private static readonly AsyncLocal<int> AmbientAttempt = new();

    private RequestTrace()
    {
    }

    /// <summary>Gets the trace of the current request; null if nobody observes it.</summary>
    public static RequestTrace? Current => Ambient.Value;

    /// <summary>Gets the number of the attempt, from 1.</summary>
    public int Attempt { get; } = AmbientAttempt.Value + 1;

    /// <summary>Gets or sets the name of the operation, if it isn't the one that the kind of the request suggests.</summary>
    public string? Operation { get; set; }

    /// <summary>Gets where the request was sent to; null if it isn't known.</summary>
    public StoreEndpoint? Endpoint { get; private set; }

    /// <summary>Gets the AWS Region that the request was sent to; null for another store.</summary>
    public string? Region { get; private set; }

    /// <summary>Gets the status of the response; null if there was none.</summary>
    public HttpStatusCode? StatusCode { get; private set; }

    /// <summary>Gets the ID that the store gave the request; null if there is none.</summary>
    public string? RequestId { get; private set; }

    /// <summary>Gets the second ID that the store gave the request (<c>x-amz-id-2</c>); null if there is none.</summary>
    public string? ExtendedRequestId { get; private set; }

    /// <summary>Begins the trace of a request, for the asynchronous method that calls this.</summary>
    public static RequestTrace Begin() => Ambient.Value = new RequestTrace();

    /// <summary>Hides the trace from the requests of the asynchronous method that calls this, because they are others than the observed one.</summary>
    public static void Leave()
    {
        if (Ambient.Value is not null)
        {
            Ambient.Value = null;
        }
    }

    /// <summary>Says how many attempts of a request have failed, for the asynchronous method that calls this. Without failures, there is nothing to say, which costs nothing.</summary>
    public static void SetFailedAttempts(int failed) => AmbientAttempt.Value = failed;

    /// <summary>Adds where the request is sent to. If it is redirected, the last place counts.</summary>
    public void Sent(StoreEndpoint endpoint, string? region) => (Endpoint, Region) = (endpoint, region);

    /// <summary>Adds the response. If a request is redirected, the last one counts.</summary>
    public void Answered(HttpStatusCode? status, string? requestId, string? extendedRequestId) => (StatusCode, RequestId, ExtendedRequestId) = (status, requestId, extendedRequestId);
}
