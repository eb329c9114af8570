namespace Transfer.S3.Cli.Tracing;

/// <summary>The body of a request that is a document.</summary>
internal sealed record HarPostData(string MimeType, string Text);
