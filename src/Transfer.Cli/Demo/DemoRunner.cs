using Amazon.S3;
using Microsoft.Win32.SafeHandles;
using Transfer.S3.Cli.Bench.Operations;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;
using Transfer.S3.Server;

namespace Transfer.S3.Cli.Demo;

/// <summary>Runs the server of the demonstration, and one measurement after the other.</summary>
internal sealed class DemoRunner(ClientLimits limits, long size, string folder, Invocation invocation)
{
    private const string Bucket = "demo";
    private const string Key = "object";
    private const string WarmUpKey = "warm-up";
    private const long MaxWarmUpBytes = 64L << 20;
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(100);

    /// <summary>This library goes first, when the server is the coldest.</summary>
    private static readonly (EngineKind Engine, bool Uploads)[] Order = [(EngineKind.Transfer, false), (EngineKind.Sdk, false), (EngineKind.Transfer, true), (EngineKind.Sdk, true)];

    private readonly string _path = Path.Combine(folder, Key);
    private readonly string _warmUpPath = Path.Combine(folder, WarmUpKey);

    public async Task<IReadOnlyList<DemoMeasurement>> RunAsync(CancellationToken cancellationToken)
    {
        EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(
            new EmbeddedS3ServerOptions
            {
                Buckets = [Bucket],
                Discard = true,
                Md5ETags = false, // otherwise, uploads would mostly measure the MD5 of the server
                AccessKeyId = Guid.NewGuid().ToString("N"),
                SecretAccessKey = Guid.NewGuid().ToString("N"),
            },
            cancellationToken).ConfigureAwait(false);
        await using (server.ConfigureAwait(false))
        {
            Create(_path, size);
            Create(_warmUpPath, Math.Min(size, MaxWarmUpBytes));
            await StoreAsync(server, cancellationToken).ConfigureAwait(false);
            List<DemoMeasurement> measurements = [];
            foreach ((EngineKind engine, bool uploads) in Order)
            {
                measurements.Add(await MeasureAsync(server, engine, uploads, measurements.Count + 1, cancellationToken).ConfigureAwait(false));
            }

            Tally tally = invocation.Tally;
            tally.Bytes = measurements.Sum(one => one.Bytes);
            tally.Objects = measurements.Count;
            tally.Elapsed = TimeSpan.FromSeconds(measurements.Sum(one => one.Result.Seconds));
            return [.. measurements.OrderBy(one => one.Uploads).ThenByDescending(one => one.Engine)]; // the TransferUtility is what is compared with
        }
    }

    /// <summary>Creates a file of zeros, which takes no space in most file systems.</summary>
    private static void Create(string path, long size)
    {
        using SafeFileHandle file = File.OpenHandle(path, FileMode.CreateNew, FileAccess.Write);
        RandomAccess.SetLength(file, size);
    }

    /// <summary>Stores the objects to download, which warms the server up, too.</summary>
    private async Task StoreAsync(EmbeddedS3Server server, CancellationToken cancellationToken)
    {
        using AmazonS3Client s3 = server.CreateClient(config => config.MaxErrorRetry = 0);
        TransferClient client = new(s3, new ClientLimits(MemoryBytes: limits.MemoryBytes).ToClientOptions());
        await using (client.ConfigureAwait(false))
        {
            using IProgressView view = ProgressViews.Create(invocation.Output, invocation.Console, "prepare", invocation.Time);
            await client.UploadAsync(_warmUpPath, Bucket, WarmUpKey, new UploadOptions { Resume = false }, cancellationToken: cancellationToken).ConfigureAwait(false);
            await client.UploadAsync(_path, Bucket, Key, new UploadOptions { Resume = false }, view, cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task<DemoMeasurement> MeasureAsync(EmbeddedS3Server server, EngineKind engine, bool uploads, int number, CancellationToken cancellationToken)
    {
        ContenderTask task = new()
        {
            Engine = engine,
            Uploads = uploads,
            Endpoint = server.Endpoint,
            Region = server.Region,
            AccessKeyId = server.AccessKeyId,
            SecretAccessKey = server.SecretAccessKey,
            Bucket = Bucket,
            Key = uploads ? $"{Key}-{engine}" : Key,
            WarmUpKey = uploads ? $"{WarmUpKey}-{engine}" : WarmUpKey,
            Path = _path,
            WarmUpPath = _warmUpPath,
            Concurrency = limits.Concurrency,
            PartSizeBytes = limits.PartSizeBytes,
            MemoryBytes = engine == EngineKind.Transfer ? limits.MemoryBytes : null,
        };
        using CancellationTokenSource ended = new();
        Task showing = ShowAsync(server.Statistics, $"{number}/{Order.Length} {(uploads ? "upload" : "download")}, {DemoMeasurement.NameOf(engine)}", uploads, ended.Token);
        try
        {
            return new DemoMeasurement(engine, uploads, size, await ContenderProcess.RunAsync(task, cancellationToken).ConfigureAwait(false));
        }
        finally
        {
            await ended.CancelAsync().ConfigureAwait(false);
            await showing.ConfigureAwait(false);
        }
    }

    /// <summary>Shows what the server sends or receives, including the warm-up.</summary>
    private async Task ShowAsync(ServerStatistics statistics, string name, bool uploads, CancellationToken cancellationToken)
    {
        using IProgressView view = ProgressViews.Create(invocation.Output, invocation.Console, name, invocation.Time);
        RecentRate rate = new();
        long before = Moved();
        long started = invocation.Time.GetTimestamp();
        using PeriodicTimer timer = new(Interval, invocation.Time);
        try
        {
            while (await timer.WaitForNextTickAsync(cancellationToken).ConfigureAwait(false))
            {
                long bytes = Moved() - before;
                view.Report(new TransferProgress { BytesTransferred = bytes, BytesPerSecond = rate.Update(invocation.Time.GetElapsedTime(started), bytes) });
            }
        }
        catch (OperationCanceledException)
        {
            // The measurement has ended.
        }

        long Moved() => uploads ? statistics.BytesReceived : statistics.BytesSent;
    }
}
