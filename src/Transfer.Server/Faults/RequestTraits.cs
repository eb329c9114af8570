using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Faults;

/// <summary>The properties of a request that determine which faults can affect it.</summary>
internal sealed record RequestTraits(S3Operation Operation, string? Key, int? PartNumber, bool HasRange, bool HasBody)
{
    public static RequestTraits From(S3Exchange exchange) =>
        new(
            exchange.Operation,
            exchange.Target.Key,
            exchange.PartNumber,
            exchange.Header("range") is not null,
            exchange.Http.Request.ContentLength > 0);
}
