using Amazon.S3;
using Amazon.S3.Model;

namespace Transfer.S3.IntegrationTests.Stores;

/// <summary>A store for tests, with a bucket for each test.</summary>
public abstract class Store : IAsyncDisposable
{
    public const string Embedded = "embedded";
    public const string Minio = "minio";

    /// <summary>The suffix of a store's name that makes its requests use the SDK instead of the library's own connections.</summary>
    public const string BySdk = "-sdk";

    public abstract AmazonS3Client S3 { get; }

    public string Bucket { get; } = $"test-{Guid.NewGuid():N}";

    public TransferWire Wire { get; private set; }

    /// <summary>Gets a value that indicates whether the objects of the bucket can have a retention or a legal hold.</summary>
    protected bool LocksObjects { get; private set; }

    /// <summary>Starts or connects to a store.</summary>
    /// <param name="name">The name of the store.</param>
    /// <param name="folder">Where the embedded server stores objects; null for memory.</param>
    /// <param name="locksObjects">Whether the objects of the bucket can have a retention or a legal hold, which the embedded server allows in all buckets.</param>
    public static async Task<Store> StartAsync(string name, string? folder = null, bool locksObjects = false)
    {
        string plain = name.EndsWith(BySdk, StringComparison.Ordinal) ? name[..^BySdk.Length] : name;
        Store store = plain == Embedded ? await EmbeddedStore.StartAsync(folder) : plain == Minio ? new MinioStore() : new OtherStore(plain);
        store.Wire = name.EndsWith(BySdk, StringComparison.Ordinal) ? TransferWire.Sdk : TransferWire.Http;
        PutBucketRequest creation = new() { BucketName = store.Bucket };
        store.LocksObjects = locksObjects;
        if (locksObjects && store is MinioStore)
        {
            creation.ObjectLockEnabledForBucket = true;
        }

        await store.S3.PutBucketAsync(creation);
        return store;
    }

    /// <summary>Returns the multipart uploads that were neither completed nor aborted.</summary>
    public async Task<IReadOnlyList<MultipartUpload>> OpenUploadsAsync()
        => (await S3.ListMultipartUploadsAsync(new ListMultipartUploadsRequest { BucketName = Bucket })).MultipartUploads ?? [];

    /// <summary>Lets the bucket keep versions.</summary>
    public Task KeepVersionsAsync() => S3.PutBucketVersioningAsync(new PutBucketVersioningRequest
    {
        BucketName = Bucket,
        VersioningConfig = new S3BucketVersioningConfig { Status = VersionStatus.Enabled },
    });

    public virtual ValueTask DisposeAsync()
    {
        S3.Dispose();
        GC.SuppressFinalize(this);
        return ValueTask.CompletedTask;
    }
}
