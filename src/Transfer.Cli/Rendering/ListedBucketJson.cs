namespace Transfer.Cli.Rendering;

/// <summary>One bucket. A line of --json.</summary>
internal sealed record ListedBucketJson(string Bucket, DateTimeOffset? Created);
