using System.Text.Json.Serialization;

namespace Transfer.S3.Cli.Tracing;

/// <summary>A response without its secrets. Its status is 0 if there was none.</summary>
internal sealed record HarResponse
{
    /// <summary>Gets the status; 0 if there is no response.</summary>
    public required int Status { get; init; }

    public required string StatusText { get; init; }

    public string HttpVersion { get; } = "HTTP/1.1";

    public IReadOnlyList<HarPair> Cookies { get; } = [];

    public required IReadOnlyList<HarPair> Headers { get; init; }

    public required HarContent Content { get; init; }

    [JsonPropertyName("redirectURL")]
    public required string RedirectUrl { get; init; }

    public int HeadersSize { get; } = -1;

    public required long BodySize { get; init; }
}
