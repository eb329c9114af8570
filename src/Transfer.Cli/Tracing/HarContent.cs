namespace Transfer.S3.Cli.Tracing;

/// <summary>The body of a response. Only documents have a text.</summary>
internal sealed record HarContent(long Size, string MimeType, string? Text, string? Comment);
