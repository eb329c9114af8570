using System.Text.Json.Serialization;

namespace Transfer.S3.Cli.Rendering;

/// <summary>Requests by their class, and their content, in a result. There is an amount with --prices.</summary>
internal sealed record StoreUsageJson(
    long Requests,
    long Writes,
    long Lists,
    long Reads,
    long Deletes,
    long BytesSent,
    long BytesReceived,
    long BytesCopied,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] decimal? Amount,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? Currency)
{
    public static StoreUsageJson From(StoreUsage usage, StorePrices? prices) => new(
        usage.Requests,
        usage.Writes,
        usage.Lists,
        usage.Reads,
        usage.Deletes,
        usage.BytesSent,
        usage.BytesReceived,
        usage.BytesCopied,
        prices?.GetAmount(usage),
        prices?.Currency);
}
