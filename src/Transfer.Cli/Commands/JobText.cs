using Transfer.S3.Bench.Text;

namespace Transfer.S3.Cli.Commands;

/// <summary>Texts about jobs.</summary>
internal static class JobText
{
    /// <summary>Gets what a plan contains.</summary>
    public static IEnumerable<string> GetFacts(JobPlan plan) =>
    [
        $"planned {Units.Count(plan.Objects, "object", "objects")}, {ByteSize.Format(plan.Bytes)}, in {Units.Count(plan.Shards.Count, "shard", "shards")}",
        .. GetFacts(
            (plan.SplitObjects, $"divided into {Units.Number(plan.Pieces)} pieces"),
            (plan.UnsplitObjects, "larger than --split and not divided"),
            (plan.Kept, "left as they are"),
            (plan.Refused, "left out"),
            (plan.Deletions, "to delete"),
            (plan.Withheld, "not deleted because of what was left out")),
    ];

    /// <summary>Gets what a run of a shard has done.</summary>
    public static string Format(JobShardResult result)
    {
        long objects = result.Done - result.DonePieces;
        string pieces = Units.Count(result.DonePieces, "piece of a huge object", "pieces of huge objects");
        return result.DonePieces == 0 ? Units.Count(objects, "object", "objects") : objects == 0 ? pieces : $"{Units.Count(objects, "object", "objects")} and {pieces}";
    }

    /// <summary>Gets the counts that aren't zero, with what they count.</summary>
    public static IEnumerable<string> GetFacts(params IReadOnlyList<(long Count, string What)> counts)
        => counts.Where(static fact => fact.Count > 0).Select(static fact => $"{Units.Number(fact.Count)} {fact.What}");
}
