using System.IO.Pipelines;
using System.Net;
using Transfer.Cli.Connections;
using Transfer.Cli.Execution;
using Transfer.Cli.Options;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Commands;

/// <summary>Asks the library for one copy, shows its progress and tells its outcome.</summary>
internal sealed class CopyRunner(CopyPlan plan, CopySettings copy, Connection connection, Invocation invocation)
{
    private readonly TransferSettings _settings = copy.Transfer;

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        TransferClient client = new(connection.TransferClient, _settings.ToClientOptions(new WarningLog(invocation)));
        await using (client.ConfigureAwait(false))
        {
            if (_settings.NoClobber && await TargetExistsAsync(client, cancellationToken).ConfigureAwait(false))
            {
                Skip();
                return;
            }

            if (_settings.DryRun)
            {
                await DryRunAsync(client, cancellationToken).ConfigureAwait(false);
                return;
            }

            ChecksumVerdict verdict;
            try
            {
                using IProgressView view = CreateView();
                invocation.View = view;
                verdict = await CopyAsync(client, new TransferWatch(view, invocation.Tally), cancellationToken).ConfigureAwait(false);
            }
            catch (TransferException e) when (_settings.NoClobber && IsTargetThere(e))
            {
                // It came between the question and the end of the transfer.
                invocation.Tally.Bytes = 0;
                Skip();
                return;
            }
            finally
            {
                invocation.Tally.PeakBufferBytes = client.PeakRentedBytes;
                invocation.Tally.Concurrency = ConcurrencyJson.Of(client);
            }

            Tally tally = invocation.Tally;
            tally.Objects = 1;
            tally.Checksum = ChecksumJson.Of(verdict);
            string resumed = tally.ResumedBytes > 0 ? $", {Units.Size(tally.ResumedBytes)} of it from before" : string.Empty;
            invocation.Summary($"{Units.Size(tally.Bytes)} in {Units.Duration(tally.Elapsed)} ({Units.Rate(tally.Bytes - tally.ResumedBytes, tally.Elapsed)}){resumed}, {verdict}");
            invocation.SummarizeBottleneck();
        }
    }

    // A bar amid the content that is being shown on the same terminal would spoil both.
    private IProgressView CreateView()
        => invocation.IsOutputTaken && invocation.Console.OutputIsTerminal && invocation.Output.Progress == ProgressMode.Auto
            ? NoProgress.Instance
            : ProgressViews.Create(invocation.Output, invocation.Console, plan.Name, invocation.Time);

    private Task<ChecksumVerdict> CopyAsync(TransferClient client, IProgress<TransferProgress> progress, CancellationToken cancellationToken)
        => (plan.Source.Kind, plan.Target.Kind) switch
        {
            (LocationKind.S3, LocationKind.S3) when copy.IsInsideTheStore => CopyInsideAsync(client, progress, cancellationToken),
            (LocationKind.S3, LocationKind.S3) => CopyThroughAsync(client, progress, cancellationToken),
            (LocationKind.S3, _) => DownloadAsync(client, progress, cancellationToken),
            _ => UploadAsync(client, progress, cancellationToken),
        };

    private async Task<ChecksumVerdict> DownloadAsync(TransferClient client, IProgress<TransferProgress> progress, CancellationToken cancellationToken)
    {
        (string bucket, string key) = (plan.Source.Bucket, plan.Source.Key);
        DownloadResult result;
        if (plan.Target.Kind == LocationKind.Standard)
        {
            Stream output = StandardStreams.OpenOutput();
            await using (output.ConfigureAwait(false))
            {
                result = await client.DownloadAsync(bucket, key, output, copy.Download, progress, cancellationToken).ConfigureAwait(false);
            }
        }
        else
        {
            result = await client.DownloadAsync(bucket, key, plan.Target.Text, copy.Download, progress, cancellationToken).ConfigureAwait(false);
        }

        Count(result.BytesTransferred, result.Elapsed, result.Requests, result.Retries, result.Times);
        invocation.Tally.ResumedBytes = result.BytesResumed;
        return result.Verdict;
    }

    private async Task<ChecksumVerdict> UploadAsync(TransferClient client, IProgress<TransferProgress> progress, CancellationToken cancellationToken)
    {
        (string bucket, string key) = (plan.Target.Bucket, plan.Target.Key);
        UploadResult result;
        if (plan.Source.Kind == LocationKind.Standard)
        {
            Stream input = StandardStreams.OpenInput();
            await using (input.ConfigureAwait(false))
            {
                result = input.CanSeek
                    ? await client.UploadAsync(input, bucket, key, copy.Upload, progress, cancellationToken).ConfigureAwait(false)
                    : await UploadPipeAsync(client, input, progress, cancellationToken).ConfigureAwait(false);
            }
        }
        else
        {
            result = await client.UploadAsync(plan.Source.Text, bucket, key, copy.Upload, progress, cancellationToken).ConfigureAwait(false);
        }

        Count(result.BytesTransferred, result.Elapsed, result.Requests, result.Retries, result.Times);
        invocation.Tally.ResumedBytes = result.BytesResumed;
        return result.Verdict;
    }

    private async Task<UploadResult> UploadPipeAsync(TransferClient client, Stream input, IProgress<TransferProgress> progress, CancellationToken cancellationToken)
    {
        PipeReader reader = InputPump.Start(input);
        try
        {
            return await client.UploadAsync(reader, plan.Target.Bucket, plan.Target.Key, copy.Upload, progress, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            await reader.CompleteAsync().ConfigureAwait(false);
        }
    }

    private async Task<ChecksumVerdict> CopyInsideAsync(TransferClient client, IProgress<TransferProgress> progress, CancellationToken cancellationToken)
    {
        CopyResult result = await client.CopyAsync(
            plan.Source.Bucket, plan.Source.Key, plan.Target.Bucket, plan.Target.Key, copy.Copy, progress, cancellationToken).ConfigureAwait(false);
        Count(result.BytesCopied, result.Elapsed, result.Requests, result.Retries, result.Times);
        return result.Verdict;
    }

    private async Task<ChecksumVerdict> CopyThroughAsync(TransferClient client, IProgress<TransferProgress> progress, CancellationToken cancellationToken)
    {
        TransferProgress down = default;
        TransferEvents events = new();
        events.Progressed += (_, e) => down = e.Progress;
        UploadResult result;
        TransferTimes times;
        ObjectReadStream source = await client.OpenReadAsync(plan.Source.Bucket, plan.Source.Key, copy.Download with { Events = events }, cancellationToken).ConfigureAwait(false);
        await using (source.ConfigureAwait(false))
        {
            UploadOptions upload = await new SourceProperties(plan.Source, copy.Read, connection.Client, invocation)
                .AddToAsync(copy.Upload with { CustomerKey = null }, source.Info, cancellationToken).ConfigureAwait(false); // the key is the source's
            result = await client.UploadAsync(source, plan.Target.Bucket, plan.Target.Key, upload, new KnownTotal(progress, source.Length), cancellationToken)
                .ConfigureAwait(false);
            times = result.Times.Bottleneck == Bottleneck.Source ? source.Times : result.Times; // the source is the download
        }

        Count(result.BytesTransferred, result.Elapsed, down.Requests + result.Requests, down.Retries + result.Retries, times);
        return result.Verdict;
    }

    private void Count(long bytes, TimeSpan elapsed, int requests, int retries, TransferTimes times)
    {
        Tally tally = invocation.Tally;
        tally.Bytes = bytes;
        tally.Elapsed = elapsed;
        tally.Requests = requests;
        tally.Retries = retries;
        tally.Times = times;
    }

    private async Task<bool> TargetExistsAsync(TransferClient client, CancellationToken cancellationToken)
    {
        if (plan.Target.Kind != LocationKind.S3)
        {
            return plan.Target.Kind == LocationKind.Local && File.Exists(plan.Target.Text);
        }

        try
        {
            // The key is the source's where that is an object, too.
            ObjectInfoOptions options = new() { RequesterPays = copy.Read.RequesterPays, CustomerKey = plan.Source.Kind == LocationKind.S3 ? null : copy.Read.CustomerKey };
            return await FindAsync(client, plan.Target, options, cancellationToken).ConfigureAwait(false) is not null;
        }
        catch (TransferException e) when (e.StatusCode is HttpStatusCode.Forbidden or HttpStatusCode.BadRequest)
        {
            // Credentials that may only write can't see the object, and nobody sees one that is encrypted with another customer key: If-None-Match decides.
            return false;
        }
    }

    private async Task DryRunAsync(TransferClient client, CancellationToken cancellationToken)
    {
        ObjectInfoOptions options = new() { VersionId = copy.Read.VersionId, RequesterPays = copy.Read.RequesterPays, CustomerKey = copy.Read.CustomerKey };
        long? size = plan.Source.Kind switch
        {
            LocationKind.S3 => (await FindAsync(client, plan.Source, options, cancellationToken).ConfigureAwait(false)
                ?? throw new TransferException($"{plan.Source}: there is no such object or bucket") { Bucket = plan.Source.Bucket, Key = plan.Source.Key }).Length,
            LocationKind.Local => new FileInfo(plan.Source.Text).Length,
            _ => null,
        };
        string text = $"would copy {plan.Source} to {plan.Target}" + (size is { } bytes ? $" ({Units.Size(bytes)})" : string.Empty);
        TextWriter writer = invocation.Output.Json || invocation.IsOutputTaken ? invocation.Console.Error : invocation.Console.Output;
        await writer.WriteLineAsync(Printable.Text(text)).ConfigureAwait(false);
    }

    /// <summary>An object's headers; null where it is not there.</summary>
    private static async Task<ObjectInfo?> FindAsync(TransferClient client, Location location, ObjectInfoOptions options, CancellationToken cancellationToken)
    {
        try
        {
            return await client.GetInfoAsync(location.Bucket, location.Key, options, cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException e) when (e.StatusCode == HttpStatusCode.NotFound)
        {
            return null;
        }
    }

    private bool IsTargetThere(TransferException e)
        => plan.Target.Kind == LocationKind.S3 ? e.StatusCode == HttpStatusCode.PreconditionFailed && e is not ObjectChangedException : File.Exists(plan.Target.Text);

    private void Skip() => invocation.Summary($"skipped: {plan.Target} exists already (--no-clobber)");
}
