using Amazon.S3;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.S3.Buffers;
using Transfer.S3.Concurrency;
using Transfer.S3.Requests;
using Transfer.S3.Stores;

namespace Transfer.S3.Tests.Infrastructure;

/// <summary>A test that fails if a chunk is still rented, memory is still reserved, or an array was returned twice.</summary>
#pragma warning disable CA1001 // xUnit calls DisposeAsync
public abstract class TransferTest : IAsyncLifetime
#pragma warning restore CA1001
{
    private readonly List<ChunkPool> _pools = [];
    private readonly List<TransferClient> _clients = [];
    private TemporaryFolder? _folder;

    internal RecordingArrayPool Arrays { get; } = new();

    internal SteppedClock Time { get; } = new();

    internal FakeS3 S3 { get; } = new();

    /// <summary>Gets a folder for this test only.</summary>
    internal TemporaryFolder Folder => _folder ??= new TemporaryFolder();

    public virtual Task InitializeAsync() => Task.CompletedTask;

    public virtual async Task DisposeAsync()
    {
        _folder?.Dispose();
        foreach (ChunkPool pool in _pools)
        {
            Assert.True(pool.RentedBytes == 0 && pool.Budget.ReservedBytes == 0, pool.DescribeRented());
        }

        Assert.Empty(Arrays.Violations);
        Assert.Equal(0, Arrays.Outstanding);
        foreach (TransferClient client in _clients)
        {
            await client.DisposeAsync().Within();
        }
    }

    internal ChunkPool NewPool(int chunkSize = 16, long capacityBytes = 64 * 1024)
    {
        ChunkPool pool = new(chunkSize, new MemoryBudget(capacityBytes), Arrays);
        _pools.Add(pool);
        return pool;
    }

    /// <summary>Creates a reporter without listeners.</summary>
    internal TransferReporter NewReporter(TransferReporter? whole = null, RequestQueue? queue = null)
        => new(new TransferSubject(TransferDirection.Download, FakeS3.Bucket, FakeS3.Key), Time, NullLogger.Instance, whole, queue: queue);

    /// <summary>Creates a client of the fake store with small parts. Short retry delays are skipped.</summary>
    internal TransferClient NewClient(Action<TransferClientOptions>? configure = null) => NewClient(S3.Client, configure);

    /// <summary>Creates a client of another store with small parts. Short retry delays are skipped.</summary>
    internal TransferClient NewClient(IAmazonS3 s3, Action<TransferClientOptions>? configure = null)
    {
        Time.SkipDelaysBelow = TimeSpan.FromSeconds(10);
        Time.ShortGuard = StoreProfile.MostWaitForProof;
        TransferClientOptions options = new()
        {
            MaxConcurrency = 8,
            Advanced = { ChunkSizeBytes = 4 * 1024, ArrayPool = Arrays, TimeProvider = Time },
            DownloadPartSizeBytes = 64 * 1024,
            UploadPartSizeBytes = 5 * 1024 * 1024,
            MultipartThresholdBytes = 5 * 1024 * 1024,
            MemoryBytes = 64 * 1024 * 1024,
            HedgeRequests = false, // its timers are shorter than the skipped delays
            StateDirectory = string.Empty, // concurrent tests upload to the same key,
        };
        configure?.Invoke(options);
        TransferClient client = new(s3, options);
        _clients.Add(client);
        _pools.Add(client.Context.Pool);
        return client;
    }

    /// <summary>Waits until all memory is returned, for cleanup that can't be awaited, such as that of a synchronous dispose.</summary>
    internal static Task UntilReturned(ChunkPool pool) => Deadline.Until(() => pool.RentedBytes == 0 && pool.Budget.ReservedBytes == 0);
}
