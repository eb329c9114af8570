namespace Transfer.Jobs;

/// <summary>The content of plan.json.</summary>
internal sealed record JobPlanDocument(JobPlan Plan, PlanExtra Extra);
