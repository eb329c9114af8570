namespace Transfer.S3;

/// <summary>One shard of a job.</summary>
public sealed record JobShard
{
    /// <summary>Gets the number of items.</summary>
    public required long Items { get; init; }

    /// <summary>Gets the number of bytes that the items move.</summary>
    public required long Bytes { get; init; }

    /// <summary>Gets the number of leading items that are not in the order of their names.</summary>
    public required long Lookups { get; init; }

    /// <summary>Gets the SHA-256 of the shard's file, in lowercase hexadecimal digits.</summary>
    public required string Sha256 { get; init; }
}
