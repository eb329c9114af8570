using Amazon.S3;

namespace Transfer.IntegrationTests.Stores;

/// <summary>The MinIO server that <c>S3_ENDPOINT</c> names, with the credentials of the <c>AWS_*</c> variables.</summary>
public sealed class MinioStore : Store
{
    public static string? Endpoint => Environment.GetEnvironmentVariable("S3_ENDPOINT") is { Length: > 0 } endpoint ? endpoint : null;

    public override AmazonS3Client S3 { get; } = new(new AmazonS3Config { ServiceURL = Endpoint, ForcePathStyle = true, AuthenticationRegion = "us-east-1" });
}
