using System.CommandLine;

namespace Transfer.S3.Cli.Options;

/// <summary>The options that say which shards of a job to run.</summary>
internal sealed class ShardOptions
{
    public Option<string?> Shard { get; } = new("--shard")
    {
        HelpName = "I",
        Description = "Index of the shard to run, from 0. Default: TRANSFER_SHARD, or else the index of the task that the engine of the array sets.",
    };

    public Option<string?> Shards { get; } = new("--shards")
    {
        HelpName = "I-J,…",
        Description = "Indices of shards to run, one after the other: 0-9 or 1,3,5-7, as status shows those that are not finished.",
    };
}
