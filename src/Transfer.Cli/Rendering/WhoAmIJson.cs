namespace Transfer.S3.Cli.Rendering;

/// <summary>The result of whoami: which credentials are used. It contains no secret.</summary>
internal sealed record WhoAmIJson
{
    public string Operation { get; } = "whoami";

    public required string? Endpoint { get; init; }

    public required string Region { get; init; }

    public required string Source { get; init; }

    public required string? Profile { get; init; }

    public required string? Account { get; init; }

    public required string? Arn { get; init; }

    /// <summary>Gets the last four characters of the access key ID; null without credentials.</summary>
    public required string? AccessKeySuffix { get; init; }

    /// <summary>Gets when the credentials expire; null if they don't, or if it isn't known.</summary>
    public required DateTimeOffset? Expires { get; init; }

    public IReadOnlyList<ErrorJson> Errors { get; } = [];
}
