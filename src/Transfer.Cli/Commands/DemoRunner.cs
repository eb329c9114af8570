using System.Diagnostics;
using System.IO.Pipelines;
using Amazon.S3;
using Transfer.Cli.Execution;
using Transfer.Cli.Options;
using Transfer.Cli.Rendering;
using Transfer.Server;

namespace Transfer.Cli.Commands;

/// <summary>Runs the steps of the demonstration. Each has its own client, so that peaks are those of one step.</summary>
internal sealed class DemoRunner(TransferSettings settings, long size, string folder, Invocation invocation)
{
    private const string Bucket = "demo";
    private const string Key = "data.bin";
    private readonly string _source = Path.Combine(folder, "source.bin");
    private readonly string _target = Path.Combine(folder, "target.bin");

    public async Task<IReadOnlyList<DemoStep>> RunAsync(CancellationToken cancellationToken)
    {
        // Objects are stored in a folder, so that the memory that is shown doesn't include them.
        EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(
            new EmbeddedS3ServerOptions { Directory = Path.Combine(folder, "server"), Buckets = [Bucket] }, cancellationToken).ConfigureAwait(false);
        await using (server.ConfigureAwait(false))
        {
            using AmazonS3Client s3 = server.CreateClient(config => config.MaxErrorRetry = 0);
            DemoStep[] steps =
            [
                await StepAsync("generate", GenerateAsync, cancellationToken).ConfigureAwait(false),
                await StepAsync(s3, "upload a file", UploadAsync, cancellationToken).ConfigureAwait(false),
                await StepAsync(s3, "read in order", ReadAsync, cancellationToken).ConfigureAwait(false),
                await StepAsync(s3, "download a file", DownloadAsync, cancellationToken).ConfigureAwait(false),
                await StepAsync("compare", CompareAsync, cancellationToken).ConfigureAwait(false),
            ];
            invocation.Tally.Elapsed = steps.Where(step => step.Checksum is not null).Aggregate(TimeSpan.Zero, (sum, step) => sum + step.Elapsed);
            return steps;
        }
    }

    private async Task<DemoStep> StepAsync(
        AmazonS3Client s3, string name, Func<TransferClient, IProgress<TransferProgress>, CancellationToken, Task<ChecksumVerdict>> run, CancellationToken cancellationToken)
    {
        TransferClient client = new(s3, settings.ToClientOptions());
        await using (client.ConfigureAwait(false))
        {
            DemoStep step = await StepAsync(
                name,
                async (progress, token) =>
                {
                    ChecksumVerdict verdict = await run(client, progress, token).ConfigureAwait(false);
                    Tally tally = invocation.Tally;
                    tally.Bytes += size;
                    tally.Checksum = ChecksumJson.Of(verdict);
                    tally.PeakBufferBytes = Math.Max(tally.PeakBufferBytes, client.PeakRentedBytes);
                    return (verdict.IsVerified ? "verified" : "unverified", verdict);
                },
                cancellationToken).ConfigureAwait(false);
            return step with { PeakBufferBytes = client.PeakRentedBytes };
        }
    }

    private async Task<DemoStep> StepAsync(
        string name, Func<IProgress<TransferProgress>, CancellationToken, Task<(string Verdict, ChecksumVerdict? Checksum)>> run, CancellationToken cancellationToken)
    {
        using IProgressView view = ProgressViews.Create(invocation.Output, invocation.Console, name, invocation.Time);
        MemoryWatch memory = new(view);
        long started = invocation.Time.GetTimestamp();
        (string verdict, ChecksumVerdict? checksum) = await run(memory, cancellationToken).ConfigureAwait(false);
        return new DemoStep(name, size, invocation.Time.GetElapsedTime(started), null, memory.Sample(), verdict, checksum);
    }

    private async Task<(string Verdict, ChecksumVerdict? Checksum)> GenerateAsync(IProgress<TransferProgress> progress, CancellationToken cancellationToken)
    {
        await DemoData.WriteAsync(_source, size, progress, cancellationToken).ConfigureAwait(false);
        return ("", null);
    }

    private async Task<ChecksumVerdict> UploadAsync(TransferClient client, IProgress<TransferProgress> progress, CancellationToken cancellationToken)
    {
        UploadResult result = await client.UploadAsync(_source, Bucket, Key, new UploadOptions { Checksum = settings.Checksum }, progress, cancellationToken).ConfigureAwait(false);
        Count(result.Requests, result.Retries);
        invocation.Tally.Objects = 1;
        return result.Verdict;
    }

    private async Task<ChecksumVerdict> ReadAsync(TransferClient client, IProgress<TransferProgress> progress, CancellationToken cancellationToken)
    {
        TransferProgress last = default;
        TransferEvents events = new();
        events.Progressed += (_, e) =>
        {
            last = e.Progress;
            progress.Report(e.Progress);
        };
        ObjectReadStream stream = await client.OpenReadAsync(Bucket, Key, Options() with { Events = events }, cancellationToken).ConfigureAwait(false);
        ChecksumVerdict verdict;
        await using (stream.ConfigureAwait(false))
        {
            using DemoData expected = new(_source);
            ReadResult read;
            do
            {
                read = await stream.Reader.ReadAsync(cancellationToken).ConfigureAwait(false);
                foreach (ReadOnlyMemory<byte> memory in read.Buffer)
                {
                    expected.Compare(memory.Span);
                }

                stream.Reader.AdvanceTo(read.Buffer.End);
            }
            while (!read.IsCompleted);
            expected.CompareEnd();
            verdict = stream.Verdict ?? throw new UnreachableException("The stream ended without a verdict.");
        }

        Count(last.Requests, last.Retries);
        return verdict;
    }

    private async Task<ChecksumVerdict> DownloadAsync(TransferClient client, IProgress<TransferProgress> progress, CancellationToken cancellationToken)
    {
        DownloadResult result = await client.DownloadAsync(Bucket, Key, _target, Options(), progress, cancellationToken).ConfigureAwait(false);
        Count(result.Requests, result.Retries);
        return result.Verdict;
    }

    private Task<(string Verdict, ChecksumVerdict? Checksum)> CompareAsync(IProgress<TransferProgress> progress, CancellationToken cancellationToken)
    {
        DemoData.CompareFiles(_source, _target, progress, cancellationToken);
        return Task.FromResult<(string, ChecksumVerdict?)>(("identical", null));
    }

    private DownloadOptions Options() => new() { Verify = settings.Checksum != ChecksumAlgorithm.None };

    private void Count(int requests, int retries)
    {
        invocation.Tally.Requests += requests;
        invocation.Tally.Retries += retries;
    }
}
