using Amazon.S3;
using Amazon.S3.Model;

namespace Transfer.S3.IntegrationTests.Stores;

/// <summary>The MinIO server at <c>S3_ENDPOINT</c>, with the credentials of the <c>AWS_*</c> variables.</summary>
public sealed class MinioStore : Store
{
    public static string? Endpoint => Environment.GetEnvironmentVariable("S3_ENDPOINT") is { Length: > 0 } endpoint ? endpoint : null;

    /// <summary>Gets the reason why tests of MinIO are skipped; null if they run.</summary>
    public static string? WhySkipped => Endpoint is null ? "Requires a MinIO server. Set S3_ENDPOINT to its URL." : null;

    public override AmazonS3Client S3 { get; } = new(new AmazonS3Config { ServiceURL = Endpoint, ForcePathStyle = true, AuthenticationRegion = "us-east-1" });

    public override async ValueTask DisposeAsync()
    {
        await DeleteObjectsAsync();
        await S3.DeleteBucketAsync(Bucket);
        await base.DisposeAsync();
    }

    /// <summary>Deletes all objects with their versions, also if they have a legal hold, or a retention in the mode that the owner of the bucket can bypass.</summary>
    private async Task DeleteObjectsAsync()
    {
        await foreach (S3ObjectVersion version in S3.Paginators.ListVersions(new ListVersionsRequest { BucketName = Bucket }).Versions)
        {
            DeleteObjectRequest deletion = new() { BucketName = Bucket, Key = version.Key, VersionId = version.VersionId };
            if (LocksObjects && version.IsDeleteMarker != true)
            {
                PutObjectLegalHoldRequest release = new() { BucketName = Bucket, Key = version.Key, VersionId = version.VersionId, LegalHold = new ObjectLockLegalHold { Status = ObjectLockLegalHoldStatus.Off } };
                await S3.PutObjectLegalHoldAsync(release);
                deletion.BypassGovernanceRetention = true;
            }

            await S3.DeleteObjectAsync(deletion);
        }
    }
}
