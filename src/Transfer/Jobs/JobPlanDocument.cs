namespace Transfer.S3.Jobs;

/// <summary>The content of plan.json.</summary>
internal sealed record JobPlanDocument(JobPlan Plan, PlanExtra Extra);
