namespace Transfer.S3.Cli.Rendering;

/// <summary>A presigned URL: a line of --json.</summary>
/// <param name="Url">The URL. Whoever has it can send the request until it expires.</param>
/// <param name="Method">The method of the request.</param>
/// <param name="Expires">When the URL or its credentials expire, whichever is earlier.</param>
internal sealed record PresignedUrlJson(string Url, string Method, DateTimeOffset Expires);
