using Amazon.S3;
using Amazon.S3.Model;

namespace Transfer.IntegrationTests.Stores;

/// <summary>A store for tests, with a bucket for each test.</summary>
public abstract class Store : IAsyncDisposable
{
    public const string Embedded = "embedded";
    public const string Minio = "minio";

    /// <summary>The suffix of a store's name that makes its requests use the SDK instead of the library's own connections.</summary>
    public const string BySdk = "-sdk";

    private bool _hasVersions;

    public abstract AmazonS3Client S3 { get; }

    public string Bucket { get; } = $"test-{Guid.NewGuid():N}";

    public TransferWire Wire { get; private set; }

    public static async Task<Store> StartAsync(string name)
    {
        Store store = name.StartsWith(Embedded, StringComparison.Ordinal) ? await EmbeddedStore.StartAsync() : new MinioStore();
        store.Wire = name.EndsWith(BySdk, StringComparison.Ordinal) ? TransferWire.Sdk : TransferWire.Http;
        await store.S3.PutBucketAsync(store.Bucket);
        return store;
    }

    /// <summary>Returns the multipart uploads that were neither completed nor aborted.</summary>
    public async Task<IReadOnlyList<MultipartUpload>> OpenUploadsAsync()
        => (await S3.ListMultipartUploadsAsync(new ListMultipartUploadsRequest { BucketName = Bucket })).MultipartUploads ?? [];

    /// <summary>Lets the bucket keep versions.</summary>
    public async Task KeepVersionsAsync()
    {
        await S3.PutBucketVersioningAsync(new PutBucketVersioningRequest { BucketName = Bucket, VersioningConfig = new S3BucketVersioningConfig { Status = VersionStatus.Enabled } });
        _hasVersions = true;
    }

    public virtual async ValueTask DisposeAsync()
    {
        if (_hasVersions)
        {
            await foreach (S3ObjectVersion version in S3.Paginators.ListVersions(new ListVersionsRequest { BucketName = Bucket }).Versions)
            {
                await S3.DeleteObjectAsync(Bucket, version.Key, version.VersionId);
            }
        }

        await foreach (S3Object item in S3.Paginators.ListObjectsV2(new ListObjectsV2Request { BucketName = Bucket }).S3Objects)
        {
            await S3.DeleteObjectAsync(Bucket, item.Key);
        }

        await S3.DeleteBucketAsync(Bucket);
        S3.Dispose();
        GC.SuppressFinalize(this);
    }
}
