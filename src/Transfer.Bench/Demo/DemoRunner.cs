using Amazon.S3;
using Microsoft.Win32.SafeHandles;
using Transfer.S3.Bench.Measuring;
using Transfer.S3.Bench.Operations;
using Transfer.S3.Server;

namespace Transfer.S3.Bench.Demo;

/// <summary>Runs the server of the demonstration, and one measurement after the other.</summary>
/// <param name="plan">What to measure.</param>
/// <param name="connect">Creates the client that stores the objects to download.</param>
/// <param name="measureAsync">Runs <see cref="Contender"/> in a process of its own, so that processor time and memory are those of one library.</param>
/// <param name="showAsync">Runs a step, and shows the progress that it reports under a name.</param>
/// <param name="time">The clock of the progress.</param>
internal sealed class DemoRunner(
    DemoPlan plan,
    Func<IAmazonS3, TransferClient> connect,
    Func<ContenderTask, CancellationToken, Task<ContenderResult>> measureAsync,
    Func<string, Func<IProgress<TransferProgress>, Task>, Task> showAsync,
    TimeProvider time)
{
    private const string Bucket = "demo";
    private const string Key = "object";
    private const string WarmUpKey = "warm-up";
    private const long MaxWarmUpBytes = 64L << 20;
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(100);

    /// <summary>This library goes first, when the server is the coldest.</summary>
    private static readonly (EngineKind Engine, bool Uploads)[] Order = [(EngineKind.Transfer, false), (EngineKind.Sdk, false), (EngineKind.Transfer, true), (EngineKind.Sdk, true)];

    private readonly string _path = Path.Combine(plan.Folder, Key);
    private readonly string _warmUpPath = Path.Combine(plan.Folder, WarmUpKey);

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
            Create(_path, plan.SizeBytes);
            Create(_warmUpPath, Math.Min(plan.SizeBytes, MaxWarmUpBytes));
            await StoreAsync(server, cancellationToken).ConfigureAwait(false);
            List<DemoMeasurement> measurements = [];
            foreach ((EngineKind engine, bool uploads) in Order)
            {
                measurements.Add(await MeasureAsync(server, engine, uploads, measurements.Count + 1, cancellationToken).ConfigureAwait(false));
            }

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
        TransferClient client = connect(s3);
        await using (client.ConfigureAwait(false))
        {
            await showAsync("prepare", async progress =>
            {
                await client.UploadAsync(_warmUpPath, Bucket, WarmUpKey, new UploadOptions { Resume = false }, cancellationToken: cancellationToken).ConfigureAwait(false);
                await client.UploadAsync(_path, Bucket, Key, new UploadOptions { Resume = false }, progress, cancellationToken).ConfigureAwait(false);
            }).ConfigureAwait(false);
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
            Concurrency = plan.Concurrency,
            PartSizeBytes = plan.PartSizeBytes,
            MemoryBytes = engine == EngineKind.Transfer ? plan.MemoryBytes : null,
        };
        ContenderResult? result = null;
        await showAsync($"{number}/{Order.Length} {(uploads ? "upload" : "download")}, {DemoMeasurement.GetName(engine)}", async progress =>
        {
            using CancellationTokenSource ended = new();
            Task reporting = ReportAsync(progress, server.Statistics, uploads, ended.Token);
            try
            {
                result = await measureAsync(task, cancellationToken).ConfigureAwait(false);
            }
            finally
            {
                await ended.CancelAsync().ConfigureAwait(false);
                await reporting.ConfigureAwait(false);
            }
        }).ConfigureAwait(false);
        return new DemoMeasurement(engine, uploads, plan.SizeBytes, result!);
    }

    /// <summary>Reports what the server sends or receives, including the warm-up.</summary>
    private async Task ReportAsync(IProgress<TransferProgress> progress, ServerStatistics statistics, bool uploads, CancellationToken cancellationToken)
    {
        RecentRate rate = new();
        long before = Moved();
        long started = time.GetTimestamp();
        using PeriodicTimer timer = new(Interval, time);
        try
        {
            while (await timer.WaitForNextTickAsync(cancellationToken).ConfigureAwait(false))
            {
                long bytes = Moved() - before;
                progress.Report(new TransferProgress { BytesTransferred = bytes, BytesPerSecond = rate.Update(time.GetElapsedTime(started), bytes) });
            }
        }
        catch (OperationCanceledException)
        {
            // The measurement has ended.
        }

        long Moved() => uploads ? statistics.BytesReceived : statistics.BytesSent;
    }
}
