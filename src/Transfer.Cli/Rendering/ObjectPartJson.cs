namespace Transfer.S3.Cli.Rendering;

/// <summary>One part of an object: a line of --json.</summary>
internal sealed record ObjectPartJson(int Part, long Size, StoredChecksumJson? Checksum);
