namespace Transfer.S3.Cli.Tracing;

/// <summary>A request without its secrets.</summary>
internal sealed record HarRequest
{
    public required string Method { get; init; }

    public required string Url { get; init; }

    public string HttpVersion { get; } = "HTTP/1.1";

    public IReadOnlyList<HarPair> Cookies { get; } = [];

    public required IReadOnlyList<HarPair> Headers { get; init; }

    public required IReadOnlyList<HarPair> QueryString { get; init; }

    public HarPostData? PostData { get; init; }

    public int HeadersSize { get; } = -1;

    public required long BodySize { get; init; }
}
