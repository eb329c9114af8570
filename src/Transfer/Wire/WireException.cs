using System.Net;

namespace Transfer.Wire;

/// <summary>A request that failed, classified. What a transfer makes of it is for the transfer to say.</summary>
internal sealed class WireException : Exception
{
    public WireException(FailureKind kind, string message, Exception? innerException = null)
        : base(message, innerException)
    {
        Kind = kind;
    }

    public FailureKind Kind { get; }

    public HttpStatusCode? StatusCode { get; init; }

    public string? ErrorCode { get; init; }

    public string? RequestId { get; init; }

    /// <summary>How long the store wants to be left alone before the next attempt; null where it did not say.</summary>
    public TimeSpan? RetryAfter { get; init; }

    /// <summary>Where the store says that the request belongs, if that is what is wrong with it.</summary>
    public Redirection? Elsewhere { get; init; }

    /// <summary>Attempts that were made before the request was given up.</summary>
    public int Attempts { get; set; } = 1;

    /// <summary>For messages: how often it was tried, where that was more than once.</summary>
    public string AttemptsText => Attempts > 1 ? $" ({Attempts} attempts)" : string.Empty;

    public bool MayRetry => Kind is FailureKind.Transient or FailureKind.Throttled;

    /// <summary>
    /// Whether the store itself asks for fewer requests. A 503 without an S3 error may be that of a load balancer that has no store behind it.
    /// </summary>
    public bool IsThrottling => Kind == FailureKind.Throttled && (ErrorCode is not null || RetryAfter is not null || StatusCode == HttpStatusCode.TooManyRequests);

    /// <summary>A body that could not be read to its end.</summary>
    public static WireException FromBody(Exception e) => e as WireException ?? new WireException(
        e is Amazon.Runtime.AmazonClientException ? FailureKind.Corrupt : FailureKind.Transient, $"the body ended unexpectedly: {e.Message}", e);
}
