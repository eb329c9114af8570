namespace Transfer.S3.Cli.Rendering;

/// <summary>One incomplete multipart upload: a line of --json.</summary>
internal sealed record ListedUploadJson(string Key, string UploadId, DateTimeOffset? Initiated);
