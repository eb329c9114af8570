namespace Transfer.IntegrationTests.Stores;

/// <summary>A theory about MinIO alone, skipped where no server is named.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class MinioTheoryAttribute : TheoryAttribute
{
    public MinioTheoryAttribute() => Skip = MinioStore.WhySkipped;
}
