using System.Globalization;
using System.Net;

namespace Transfer.S3.Wire;

/// <summary>The classified error of a request. The transfer decides how to handle it.</summary>
internal sealed class WireException : Exception
{
    private static readonly TimeSpan LongTime = TimeSpan.FromSeconds(1);

    public WireException(FailureKind kind, string message, Exception? innerException = null)
        : base(message, innerException)
    {
        Kind = kind;
    }

    public FailureKind Kind { get; }

    public HttpStatusCode? StatusCode { get; init; }

    public string? ErrorCode { get; init; }

    public string? RequestId { get; init; }

    /// <summary>Gets the time to wait before the next attempt; null if the response contains none.</summary>
    public TimeSpan? RetryAfter { get; init; }

    /// <summary>Gets a value that indicates whether no connection was made: it was refused, or the name of the endpoint was not resolved.</summary>
    public bool IsOfConnecting { get; init; }

    /// <summary>Gets the target of the redirection, if the request must be sent elsewhere.</summary>
    public Redirection? Elsewhere { get; init; }

    /// <summary>Gets the Host header that the store received, if it returned it with its error.</summary>
    public string? ReceivedHost { get; init; }

    /// <summary>Gets or sets what to check, if something suggests another cause than the error code.</summary>
    public string? Hint { get; set; }

    /// <summary>Gets or sets the number of attempts that were made.</summary>
    public int Attempts { get; set; } = 1;

    /// <summary>Gets or sets the time since the first attempt failed.</summary>
    public TimeSpan RetriedFor { get; set; }

    /// <summary>Gets the number of attempts for messages, and their time if it was long; empty if there was only one.</summary>
    public string AttemptsText => Attempts <= 1 ? string.Empty
        : RetriedFor < LongTime ? $" ({Attempts} attempts)"
        : string.Create(CultureInfo.InvariantCulture, $" ({Attempts} attempts in {RetriedFor.TotalSeconds:0} s)");

    /// <summary>Gets a value that indicates whether there were no valid credentials, so that the same request can succeed with new ones.</summary>
    public bool IsOfCredentials => Kind == FailureKind.NoCredentials || ErrorKinds.IsOfCredentials(ErrorCode);

    public bool MayRetry => Kind is FailureKind.Transient or FailureKind.Throttled or FailureKind.NoCredentials;

    /// <summary>
    /// Gets a value that indicates whether the store asks for fewer requests. A 503 response without an S3 error can come from a load balancer that reaches
    /// no store.
    /// </summary>
    public bool IsThrottling => Kind == FailureKind.Throttled && (ErrorCode is not null || RetryAfter is not null || StatusCode == HttpStatusCode.TooManyRequests);

    /// <summary>
    /// Gets a value that indicates whether no store was reached, such as while it restarts: no connection was made, or a proxy has responded because it could make none.
    /// </summary>
    public bool IsUnreachable => IsOfConnecting
        || (ErrorCode is null && !IsThrottling && StatusCode is (HttpStatusCode.BadGateway or HttpStatusCode.ServiceUnavailable or HttpStatusCode.GatewayTimeout));

    /// <summary>Creates the error of a body that could not be read to its end.</summary>
    public static WireException FromBody(Exception e) => e as WireException ?? new WireException(
        e is Amazon.Runtime.AmazonClientException ? FailureKind.Corrupt : FailureKind.Transient, $"the body ended unexpectedly: {e.Message}", e);
}
