namespace Transfer.S3.Cli.Rendering;

/// <summary>The result of plan with --json. Scripts rely on its names.</summary>
internal sealed record JobPlanJson(string Operation, string Id, int Shards, long Objects, int SplitObjects, long UnsplitObjects, long Pieces, long Bytes, long Kept, long Refused, long Deletions, long Withheld, IReadOnlyList<string> Lost, StoreUsageJson Estimate, bool DryRun)
{
    public static JobPlanJson From(JobPlan plan, StoreUsageJson estimate, bool isDryRun)
        => new("plan", plan.Id, plan.Shards.Count, plan.Objects, plan.SplitObjects, plan.UnsplitObjects, plan.Pieces, plan.Bytes, plan.Kept, plan.Refused, plan.Deletions, plan.Withheld, plan.Lost, estimate, isDryRun);
}
