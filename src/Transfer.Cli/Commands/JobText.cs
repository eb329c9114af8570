using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary>Texts about jobs.</summary>
internal static class JobText
{
    /// <summary>Gets what a plan contains.</summary>
    public static IEnumerable<string> GetFacts(JobPlan plan, bool isDryRun = false) =>
    [
        $"{(isDryRun ? "would plan" : "planned")} {Units.Count(plan.Objects, "object", "objects")}, {ByteSize.Format(plan.Bytes)}, in {Units.Count(plan.Shards.Count, "shard", "shards")}",
        .. GetFacts(
            (plan.PublishesAllAtOnce ? 0 : plan.SplitObjects, $"divided into {Units.Number(plan.Pieces)} pieces"),
            (plan.UnsplitObjects, "larger than --split and not divided"),
            (plan.Kept, "left as they are"),
            (plan.Refused, "left out"),
            (plan.Deletions, "to delete"),
            (plan.Withheld, "not deleted because of what was left out")),
    ];

    /// <summary>Gets a guarantee that the stores don't give, as a warning with advice.</summary>
    public static string FormatLost(string sentences)
    {
        string advice = sentences.StartsWith("It isn't known", StringComparison.Ordinal) ? "; 'transfer doctor' shows what the store supports" : string.Empty;
        return char.ToLowerInvariant(sentences[0]) + sentences[1..].TrimEnd('.') + advice;
    }

    /// <summary>Gets what a run of a shard has done.</summary>
    public static string Format(JobShardResult result)
    {
        long objects = result.Done - result.DonePieces;
        string pieces = Units.Count(result.DonePieces, "piece that finish completes", "pieces that finish completes");
        return result.DonePieces == 0 ? Units.Count(objects, "object", "objects") : objects == 0 ? pieces : $"{Units.Count(objects, "object", "objects")} and {pieces}";
    }

    /// <summary>Gets a list of shards, and the commands that run them again.</summary>
    /// <param name="shards">The indices, in ascending order.</param>
    public static (string List, string Again) FormatShards(IReadOnlyList<int> shards)
    {
        const int MaxRanges = 500;
        IReadOnlyList<(int First, int Last)> all = ShardList.GetRanges(shards);
        IReadOnlyList<(int First, int Last)> shown = [.. all.Take(MaxRanges)];
        string more = all.Count > MaxRanges ? $" and {Units.Number(shards.Count - shown.Sum(static range => (long)range.Last - range.First + 1))} more, which --json lists" : string.Empty;
        return (ShardList.Format(shown) + more, string.Join("; ", ShardList.GetCommands(shown)));
    }

    /// <summary>Gets a failure as a line. Many messages begin with the address.</summary>
    public static string Format(JobFailure failure)
        => Printable.Line(failure.Message.StartsWith(failure.Name, StringComparison.Ordinal) ? failure.Message : $"{failure.Name}: {failure.Message}");

    /// <summary>Gets the counts that aren't zero, with what they count.</summary>
    public static IEnumerable<string> GetFacts(params IReadOnlyList<(long Count, string What)> counts)
        => counts.Where(static fact => fact.Count > 0).Select(static fact => $"{Units.Number(fact.Count)} {fact.What}");
}
