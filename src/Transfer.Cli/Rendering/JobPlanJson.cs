namespace Transfer.Cli.Rendering;

/// <summary>The result of plan with --json. Scripts rely on its names.</summary>
internal sealed record JobPlanJson(string Operation, string Id, int Shards, long Objects, long Bytes, long Kept, long Refused, long Deletions, long Withheld, IReadOnlyList<string> Lost)
{
    public static JobPlanJson Of(JobPlan plan)
        => new("plan", plan.Id, plan.Shards.Count, plan.Items, plan.Bytes, plan.Kept, plan.Refused, plan.Deletions, plan.Withheld, plan.Lost);
}
