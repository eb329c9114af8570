namespace Transfer.S3.Cli.Rendering;

/// <summary>One bucket: a line of --json.</summary>
internal sealed record ListedBucketJson(string Bucket, DateTimeOffset? Created);
