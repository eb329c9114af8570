namespace Transfer.Cli.Rendering;

/// <summary>One unfinished multipart upload. A line of --json.</summary>
internal sealed record ListedUploadJson(string Key, string UploadId, DateTimeOffset? Initiated);
