namespace Transfer.S3.Jobs;

/// <summary>The content of plan.json.</summary>
/// <param name="Plan">What users see of it.</param>
/// <param name="Extra">What only workers and the end of the job need.</param>
internal sealed record JobPlanDocument(JobPlan Plan, PlanExtra Extra);
