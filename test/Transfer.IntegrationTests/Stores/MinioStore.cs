using Amazon.S3;

namespace Transfer.IntegrationTests.Stores;

/// <summary>The MinIO server at <c>S3_ENDPOINT</c>, with the credentials of the <c>AWS_*</c> variables.</summary>
public sealed class MinioStore : Store
{
    public static string? Endpoint => Environment.GetEnvironmentVariable("S3_ENDPOINT") is { Length: > 0 } endpoint ? endpoint : null;

    /// <summary>Gets the reason why tests of MinIO are skipped; null if they run.</summary>
    public static string? WhySkipped => Endpoint is null ? "Requires a MinIO server. Set S3_ENDPOINT to its URL." : null;

    public override AmazonS3Client S3 { get; } = new(new AmazonS3Config { ServiceURL = Endpoint, ForcePathStyle = true, AuthenticationRegion = "us-east-1" });
}
