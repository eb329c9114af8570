namespace Transfer.IntegrationTests.Stores;

/// <summary>A theory about MinIO alone, skipped where no server is named.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class MinioTheoryAttribute : TheoryAttribute
{
    public MinioTheoryAttribute()
    {
        if (MinioStore.Endpoint is null)
        {
            Skip = "S3_ENDPOINT is not set: nothing was run on MinIO.";
        }
    }
}
