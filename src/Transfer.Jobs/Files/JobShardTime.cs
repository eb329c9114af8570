namespace Transfer.S3;

/// <summary>How long the last attempt at a finished shard took.</summary>
/// <param name="Shard">The index of the shard.</param>
/// <param name="Elapsed">The time.</param>
public sealed record JobShardTime(int Shard, TimeSpan Elapsed);
