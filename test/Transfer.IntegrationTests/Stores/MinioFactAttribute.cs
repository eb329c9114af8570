namespace Transfer.S3.IntegrationTests.Stores;

/// <summary>A fact that applies only to MinIO. It is skipped if no server is configured.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class MinioFactAttribute : FactAttribute
{
    public MinioFactAttribute() => Skip = MinioStore.WhySkipped;
}
