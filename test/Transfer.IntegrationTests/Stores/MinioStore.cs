using Amazon.S3;

namespace Transfer.IntegrationTests.Stores;

/// <summary>The MinIO server that <c>S3_ENDPOINT</c> names, with the credentials of the <c>AWS_*</c> variables.</summary>
public sealed class MinioStore : Store
{
    public static string? Endpoint => Environment.GetEnvironmentVariable("S3_ENDPOINT") is { Length: > 0 } endpoint ? endpoint : null;

    /// <summary>Why what is about MinIO is not run; null where it is.</summary>
    public static string? WhySkipped => Endpoint is null ? "S3_ENDPOINT is not set: nothing was run on MinIO." : null;

    public override AmazonS3Client S3 { get; } = new(new AmazonS3Config { ServiceURL = Endpoint, ForcePathStyle = true, AuthenticationRegion = "us-east-1" });
}
