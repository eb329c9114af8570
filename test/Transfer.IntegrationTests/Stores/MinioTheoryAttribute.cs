namespace Transfer.S3.IntegrationTests.Stores;

/// <summary>A theory that applies only to MinIO. It is skipped if no server is configured.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class MinioTheoryAttribute : TheoryAttribute
{
    public MinioTheoryAttribute() => Skip = MinioStore.WhySkipped;
}
