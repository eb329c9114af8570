using System.Diagnostics;
using Amazon.Runtime;
using Amazon.S3;
using Transfer.S3.Bench.Measuring;
using Transfer.S3.Bench.Operations;

namespace Transfer.S3.Bench.Demo;

/// <summary>Measures one library of the demonstration: warms up, and transfers one object.</summary>
internal static class Contender
{
    private static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(1);

    /// <param name="task">What to measure.</param>
    /// <param name="options">The options of the client of this library.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static async Task<ContenderResult> MeasureAsync(ContenderTask task, TransferClientOptions options, CancellationToken cancellationToken)
    {
        using AmazonS3Client s3 = Connect(task);
        IEngine engine = CreateEngine(task, options, s3);
        await using (engine.ConfigureAwait(false))
        {
            long warm = Stopwatch.GetTimestamp();
            do
            {
                await TransferAsync(engine, task.Uploads, task.WarmUpKey, task.WarmUpPath, cancellationToken).ConfigureAwait(false);
            }
            while (Stopwatch.GetElapsedTime(warm) < WarmUp);

            TimeSpan cpu = Environment.CpuUsage.TotalTime;
            long started = Stopwatch.GetTimestamp();
            await TransferAsync(engine, task.Uploads, task.Key, task.Path, cancellationToken).ConfigureAwait(false);
            TimeSpan elapsed = Stopwatch.GetElapsedTime(started);
            cpu = Environment.CpuUsage.TotalTime - cpu;
            return new ContenderResult(elapsed.TotalSeconds, cpu.TotalSeconds, PeakMemory.Bytes(), GetVerified(engine, task.Uploads));
        }
    }

    /// <summary>
    /// Gets what was compared. TransferUtility sends a checksum of each part, which the store compares, and nobody compares that of the whole object. It downloads ranges, for
    /// which the store has no checksum.
    /// </summary>
    private static string GetVerified(IEngine engine, bool uploads) => engine is TransferEngine own ? (own.IsVerified ? "yes" : "no") : uploads ? "parts" : "no";

    private static Task TransferAsync(IEngine engine, bool uploads, string key, string path, CancellationToken cancellationToken)
        => uploads ? engine.PutAsync(key, path, cancellationToken) : engine.GetAsync(key, null, cancellationToken);

    private static IEngine CreateEngine(ContenderTask task, TransferClientOptions options, AmazonS3Client s3)
        => task.Engine == EngineKind.Sdk
            ? new SdkEngine(_ => s3, task.Bucket, task.PartSizeBytes, task.Concurrency, TimeProvider.System) // nobody asks for the times of its requests
            : new TransferEngine(given => new TransferClient(s3, given), options, task.Bucket, ChecksumAlgorithm.Auto);

    /// <summary>Creates a client with the defaults of the SDK.</summary>
    private static AmazonS3Client Connect(ContenderTask task) => new(
        new BasicAWSCredentials(task.AccessKeyId, task.SecretAccessKey),
        new AmazonS3Config
        {
            ServiceURL = task.Endpoint.ToString(),
            AuthenticationRegion = task.Region,
            ForcePathStyle = true,
            IgnoreConfiguredEndpointUrls = true,
        });
}
