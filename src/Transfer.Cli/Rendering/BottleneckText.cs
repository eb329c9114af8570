namespace Transfer.S3.Cli.Rendering;

/// <summary>Gets the names of bottlenecks.</summary>
internal static class BottleneckText
{
    /// <summary>Gets the name for people; null if nothing limited the transfer.</summary>
    public static string? GetName(Bottleneck bottleneck) => bottleneck == Bottleneck.RateLimit ? "--limit-rate" : GetJsonName(bottleneck);

    /// <summary>Gets the name in a line with little room; null if nothing limits the transfer.</summary>
    public static string? GetShortName(Bottleneck bottleneck) => bottleneck == Bottleneck.RateLimit ? "rate limit" : GetJsonName(bottleneck);

    /// <summary>Gets the name in JSON; null if nothing limited the transfer.</summary>
    public static string? GetJsonName(Bottleneck bottleneck) => bottleneck switch
    {
        Bottleneck.Network => "network",
        Bottleneck.Latency => "latency",
        Bottleneck.Store => "store",
        Bottleneck.Processor => "cpu",
        Bottleneck.Disk => "disk",
        Bottleneck.Reader => "reader",
        Bottleneck.Source => "source",
        Bottleneck.Memory => "memory",
        Bottleneck.Concurrency => "concurrency",
        Bottleneck.Throttling => "throttling",
        Bottleneck.Retries => "retries",
        Bottleneck.RateLimit => "rate_limit",
        _ => null,
    };
}
