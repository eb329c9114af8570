using System.Diagnostics;
using System.Text.Json;
using Amazon.Runtime;
using Amazon.S3;
using Transfer.S3.Cli.Bench.Operations;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Demo;

/// <summary>The program of a process of the demonstration: warms up, transfers one object, and writes what it has measured.</summary>
internal static class ContenderProgram
{
    /// <summary>The command line that runs this program.</summary>
    public const string Directive = "[contender]";

    private static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(1);

    /// <summary>Runs the program. It ends early if its standard input does, because then the process that started it has ended.</summary>
    /// <returns>The exit code.</returns>
    public static async Task<int> RunAsync(TextReader input, ToolConsole console)
    {
        if (await input.ReadLineAsync().ConfigureAwait(false) is not { } line || JsonSerializer.Deserialize(line, DemoJsonContext.Default.ContenderTask) is not { } task)
        {
            return ExitCode.Usage;
        }

        using CancellationTokenSource orphaned = new();
        _ = CancelAtEndAsync(input, orphaned);
        try
        {
            ContenderResult result = await MeasureAsync(task, orphaned.Token).ConfigureAwait(false);
            await console.Output.WriteLineAsync(JsonSerializer.Serialize(result, DemoJsonContext.Default.ContenderResult)).ConfigureAwait(false);
            console.Flush();
            return ExitCode.Done;
        }
#pragma warning disable CA1031 // the last place that can report it
        catch (Exception e)
#pragma warning restore CA1031
        {
            await console.Error.WriteLineAsync(Failure.Of(e, null, orphaned.Token).Message).ConfigureAwait(false);
            return ExitCode.Failed;
        }
    }

    private static async Task CancelAtEndAsync(TextReader input, CancellationTokenSource orphaned)
    {
        // Reading standard input blocks its thread.
        await Task.Run(input.ReadToEnd).ConfigureAwait(false);
        await orphaned.CancelAsync().ConfigureAwait(false);
    }

    private static async Task<ContenderResult> MeasureAsync(ContenderTask task, CancellationToken cancellationToken)
    {
        using AmazonS3Client s3 = Connect(task);
        IEngine engine = CreateEngine(task, s3);
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
            return new ContenderResult(elapsed.TotalSeconds, cpu.TotalSeconds, PeakMemory.Bytes());
        }
    }

    private static Task TransferAsync(IEngine engine, bool uploads, string key, string path, CancellationToken cancellationToken)
        => uploads ? engine.PutAsync(key, path, cancellationToken) : engine.GetAsync(key, null, cancellationToken);

    private static IEngine CreateEngine(ContenderTask task, AmazonS3Client s3)
        => task.Engine == EngineKind.Sdk
            ? new SdkEngine(_ => s3, task.Bucket, task.PartSizeBytes, task.Concurrency, TimeProvider.System) // nobody asks for the times of its requests
            : new TransferEngine(options => new TransferClient(s3, options), new ClientLimits(task.Concurrency, task.PartSizeBytes, task.MemoryBytes).ToClientOptions(), task.Bucket, ChecksumAlgorithm.Auto);

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
