using System.Net;
using Transfer.S3.Wire;

namespace Transfer.S3.Probing;

/// <summary>What the requests of one probe showed.</summary>
/// <param name="Support">Whether the store supports it.</param>
/// <param name="Detail">The error or the observation that shows it; empty if there is nothing to add.</param>
internal readonly record struct Finding(StoreSupport Support, string Detail = "")
{
    public static Finding Supported => new(StoreSupport.Supported);

    public static Finding Ignored(string observation) => new(StoreSupport.Ignored, observation);

    public static Finding Unknown(string reason) => new(StoreSupport.Unknown, reason);

    /// <summary>Gets what the error of a request shows that differs from a successful one only in what it asks for.</summary>
    public static Finding OfError(WireException error)
        => error.MayRetry ? Unknown(error.Message)
            : error.StatusCode is HttpStatusCode.Forbidden or HttpStatusCode.Unauthorized ? Unknown($"the credentials may not do that: {error.Message}")
            : new(StoreSupport.Refused, error.Message);

    /// <summary>Gets what the response to a request shows whose condition doesn't hold.</summary>
    /// <param name="error">The error; null if the request succeeded.</param>
    public static Finding OfCondition(WireException? error)
        => error is null ? Ignored("a request succeeded although its condition did not hold")
            : error is { Kind: FailureKind.PreconditionFailed, StatusCode: HttpStatusCode.PreconditionFailed } ? Supported
            : OfError(error);
}
