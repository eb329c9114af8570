namespace Transfer.S3.Cli.Tracing;

/// <summary>A request and its response, in the form of an HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/).</summary>
internal sealed record HarEntry
{
    public required DateTimeOffset StartedDateTime { get; init; }

    /// <summary>Gets the time from the request to the end of its response, in milliseconds.</summary>
    public required double Time { get; init; }

    public required HarRequest Request { get; init; }

    public required HarResponse Response { get; init; }

    public HarCache Cache { get; } = new();

    public required HarTimings Timings { get; init; }

    /// <summary>Gets why there is no response, or why it isn't complete.</summary>
    public string? Comment { get; init; }
}
