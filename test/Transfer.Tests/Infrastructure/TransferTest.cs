using Amazon.S3;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Buffers;
using Transfer.Observability;

namespace Transfer.Tests.Infrastructure;

/// <summary>A test that ends with everything returned: no chunk rented, no byte reserved, no array given back twice.</summary>
#pragma warning disable CA1001 // xunit calls the asynchronous dispose
public abstract class TransferTest : IAsyncLifetime
#pragma warning restore CA1001
{
    private readonly List<ChunkPool> _pools = [];
    private readonly List<TransferClient> _clients = [];
    private TemporaryFolder? _folder;

    internal RecordingArrayPool Arrays { get; } = new();

    internal FakeTimeProvider Time { get; } = new();

    internal FakeS3 S3 { get; } = new();

    /// <summary>A folder of this test's own.</summary>
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

    /// <summary>Counts a transfer that nobody listens to.</summary>
    internal TransferReporter NewReporter(TransferReporter? whole = null)
        => new(TransferDirection.Download, FakeS3.Bucket, FakeS3.Key, null, null, null, TimeSpan.FromSeconds(1), Time, NullLogger.Instance, whole);

    /// <summary>A client of the fake store with small parts; short delays of retries are skipped.</summary>
    internal TransferClient NewClient(Action<TransferClientOptions>? configure = null) => NewClient(S3.Client, configure);

    /// <summary>The same for another store.</summary>
    internal TransferClient NewClient(IAmazonS3 s3, Action<TransferClientOptions>? configure = null)
    {
        Time.SkipDelaysBelow = TimeSpan.FromSeconds(10);
        TransferClientOptions options = new()
        {
            Concurrency = 8,
            ChunkSizeBytes = 4 * 1024,
            DownloadPartSizeBytes = 64 * 1024,
            UploadPartSizeBytes = 5 * 1024 * 1024,
            MultipartThresholdBytes = 5 * 1024 * 1024,
            MemoryBytes = 64 * 1024 * 1024,
            ArrayPool = Arrays,
            TimeProvider = Time,
            HedgeRequests = false, // its timers are shorter than the delays that are skipped
            StateDirectory = string.Empty, // tests that run at once upload to the same key
        };
        configure?.Invoke(options);
        TransferClient client = new(s3, options);
        _clients.Add(client);
        _pools.Add(client.Context.Pool);
        return client;
    }

    /// <summary>Waits until nothing is out: for ends that nobody can await, as that of a synchronous dispose.</summary>
    internal static Task UntilReturned(ChunkPool pool) => Deadline.Until(() => pool.RentedBytes == 0 && pool.Budget.ReservedBytes == 0);
}
