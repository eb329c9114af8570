using System.Net;

namespace Transfer.S3.Wire;

/// <summary>
/// What the observer of a client is told of a request besides its times. The layer that measures a request and the one that sends it share it through the execution
/// context. Without an observer, there is none.
/// </summary>
internal sealed class RequestTrace
{
    private static readonly AsyncLocal<RequestTrace?> Ambient = new();
    private static readonly AsyncLocal<int> AmbientAttempt = new();

    private RequestTrace()
    {
    }

    /// <summary>Gets the trace of the current request; null if nobody observes it.</summary>
    public static RequestTrace? Current => Ambient.Value;

    /// <summary>Gets the number of the attempt, from 1.</summary>
    public int Attempt { get; } = AmbientAttempt.Value + 1;

    /// <summary>Gets the status of the response; null if there was none.</summary>
    public HttpStatusCode? StatusCode { get; private set; }

    /// <summary>Gets the ID that the store gave the request; null if there is none.</summary>
    public string? RequestId { get; private set; }

    /// <summary>Begins the trace of a request, for the asynchronous method that calls this.</summary>
    public static RequestTrace Begin() => Ambient.Value = new RequestTrace();

    /// <summary>Says how many attempts of a request have failed, for the asynchronous method that calls this. Without failures, there is nothing to say, which costs nothing.</summary>
    public static void SetFailedAttempts(int failed) => AmbientAttempt.Value = failed;

    /// <summary>Adds the response. If a request is redirected, the last one counts.</summary>
    public void Answered(HttpStatusCode status, string? requestId) => (StatusCode, RequestId) = (status, requestId);
}
