namespace Transfer.IntegrationTests.Stores;

/// <summary>A fact about MinIO alone, skipped where no server is named.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class MinioFactAttribute : FactAttribute
{
    public MinioFactAttribute() => Skip = MinioStore.WhySkipped;
}
