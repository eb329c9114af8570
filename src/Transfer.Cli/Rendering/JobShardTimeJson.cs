namespace Transfer.S3.Cli.Rendering;

/// <summary>How long a shard took.</summary>
internal sealed record JobShardTimeJson(int Shard, double Seconds);
