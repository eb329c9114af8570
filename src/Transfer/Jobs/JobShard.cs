namespace Transfer.S3;

/// <summary>One shard of a job.</summary>
/// <param name="Items">The number of items.</param>
/// <param name="Bytes">The number of bytes that the items move.</param>
/// <param name="Lookups">The number of leading items that are not in the order of their names.</param>
/// <param name="Sha256">The SHA-256 of the shard's file, in lowercase hexadecimal digits.</param>
public sealed record JobShard(long Items, long Bytes, long Lookups, string Sha256);
