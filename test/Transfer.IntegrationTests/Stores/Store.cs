using Amazon.S3;
using Amazon.S3.Model;

namespace Transfer.IntegrationTests.Stores;

/// <summary>A store that tests run against, with a bucket of the test's own.</summary>
public abstract class Store : IAsyncDisposable
{
    public const string Embedded = "embedded";
    public const string Minio = "minio";

    /// <summary>Behind a store's name: its requests go through the SDK's calls, not through our own connections.</summary>
    public const string BySdk = "-sdk";

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

    /// <summary>The multipart uploads that nobody completed or aborted.</summary>
    public async Task<IReadOnlyList<MultipartUpload>> OpenUploadsAsync()
        => (await S3.ListMultipartUploadsAsync(new ListMultipartUploadsRequest { BucketName = Bucket })).MultipartUploads ?? [];

    public virtual async ValueTask DisposeAsync()
    {
        await foreach (S3Object item in S3.Paginators.ListObjectsV2(new ListObjectsV2Request { BucketName = Bucket }).S3Objects)
        {
            await S3.DeleteObjectAsync(Bucket, item.Key);
        }

        await S3.DeleteBucketAsync(Bucket);
        S3.Dispose();
        GC.SuppressFinalize(this);
    }
}
