using Transfer.Server.Http;

namespace Transfer.Server.Faults;

/// <summary>What decides which faults a request can meet.</summary>
internal sealed record RequestTraits(S3Operation Operation, string? Key, int? PartNumber, bool HasRange, bool HasBody)
{
    public static RequestTraits Of(S3Exchange exchange) =>
        new(
            exchange.Operation,
            exchange.Target.Key,
            exchange.PartNumber,
            exchange.Header("range") is not null,
            exchange.Http.Request.ContentLength > 0);
}
