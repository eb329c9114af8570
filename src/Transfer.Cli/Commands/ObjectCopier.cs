using System.IO.Pipelines;
using System.Net;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Copies single objects: upload, download, or copy inside the store or to another one.</summary>
internal sealed class ObjectCopier(CopyClients clients, CopySettings copy)
{
    /// <summary>Copies an object.</summary>
    /// <returns>How it ended, or would end in a dry run, and the statistics if it was transferred.</returns>
    public async Task<(Outcome Ended, TransferStatistics? Statistics)> CopyAsync(CopyPlan plan, IProgress<TransferProgress> progress, CancellationToken cancellationToken)
    {
        if (await IsSkippedAsync(plan, cancellationToken).ConfigureAwait(false))
        {
            return (plan.CreateOutcome(OutcomeStatus.Skipped), null);
        }

        if (copy.DryRun)
        {
            return (plan.CreateOutcome(OutcomeStatus.Planned) with { Bytes = await GetSizeAsync(plan, cancellationToken).ConfigureAwait(false) ?? 0 }, null);
        }

        if (await FindPastAsync(plan, cancellationToken).ConfigureAwait(false) is { } past)
        {
            return await past.CopyAsync(plan, progress, cancellationToken).ConfigureAwait(false);
        }

        try
        {
            return await ((plan.Source.Kind, plan.Target.Kind, copy.IsInsideTheStore) switch
            {
                (LocationKind.S3, LocationKind.S3, _) when clients.Other is { } other => CopyToStoreAsync(other, plan, progress, cancellationToken),
                (LocationKind.S3, LocationKind.S3, true) => CopyInsideAsync(plan, progress, cancellationToken),
                (LocationKind.S3, LocationKind.S3, _) => CopyToStoreAsync(clients.Source, plan, progress, cancellationToken),
                (LocationKind.S3, _, _) => DownloadAsync(plan, progress, cancellationToken),
                _ => UploadAsync(plan, progress, cancellationToken),
            }).ConfigureAwait(false);
        }
        catch (TransferException e) when (copy.NoClobber && !copy.Moves && IsTargetThere(plan, e))
        {
            return (plan.CreateOutcome(OutcomeStatus.Skipped), null); // another writer created the target during the copy
        }
        catch (TransferException e) when (copy.Archived == ArchivedObjects.Skip && e.Error == TransferError.Archived)
        {
            return (plan.CreateOutcome(OutcomeStatus.Archived), null);
        }
        catch (TransferException e) when (copy.Archived == ArchivedObjects.Restore && e.Error == TransferError.Archived)
        {
            await clients.Source.RestoreAsync(plan.Source.Bucket, plan.Source.Key, copy.Restore, cancellationToken).ConfigureAwait(false);
            return (plan.CreateOutcome(OutcomeStatus.Restoring), null);
        }
    }

    /// <summary>Gets whether <c>--no-clobber</c> skips an object because its target exists.</summary>
    private async Task<bool> IsSkippedAsync(CopyPlan plan, CancellationToken cancellationToken)
    {
        if (!copy.NoClobber || plan.Target.Kind != LocationKind.S3)
        {
            return copy.NoClobber && plan.Target.Kind == LocationKind.Local && File.Exists(plan.Target.Text);
        }

        try
        {
            // If the source is an object, the key given on the command line is for the source.
            ObjectAccessOptions options = new() { RequesterPays = copy.RequesterPays, CustomerKey = plan.Source.Kind == LocationKind.S3 ? null : copy.CustomerKey };
            return await FindAsync(clients.Target, plan.Target, options, cancellationToken).ConfigureAwait(false) is not null;
        }
        catch (TransferException e) when (e.StatusCode is HttpStatusCode.Forbidden or HttpStatusCode.BadRequest)
        {
            // Write-only credentials can't see the object, and neither can a request with another customer key. If-None-Match decides during the upload.
            return false;
        }
    }

    /// <summary>Gets the size of a source; null if it is standard input.</summary>
    public async Task<long?> GetSizeAsync(CopyPlan plan, CancellationToken cancellationToken)
    {
        if (await FindPastAsync(plan, cancellationToken).ConfigureAwait(false) is { } past)
        {
            return await past.GetSizeAsync(plan, cancellationToken).ConfigureAwait(false);
        }

        ObjectAccessOptions options = new() { VersionId = copy.VersionId, RequesterPays = copy.RequesterPays, CustomerKey = copy.CustomerKey };
        return plan.Source.Kind switch
        {
            LocationKind.S3 => (await FindAsync(clients.Source, plan.Source, options, cancellationToken).ConfigureAwait(false)
                ?? throw new TransferException($"{plan.Source}: there is no such object or bucket") { Bucket = plan.Source.Bucket, Key = plan.Source.Key, StatusCode = HttpStatusCode.NotFound }).Length,
            LocationKind.Local => new FileInfo(plan.Source.Text).Length,
            _ => null,
        };
    }

    /// <summary>Gets a copier of the version that the source had at the time of the copy; null if the current one is copied.</summary>
    private async Task<ObjectCopier?> FindPastAsync(CopyPlan plan, CancellationToken cancellationToken)
    {
        if (copy.AsOf is not { } time || plan.Source.Kind != LocationKind.S3)
        {
            return null;
        }

        ObjectAccessOptions options = new() { RequesterPays = copy.RequesterPays };
        ListedObject version = await clients.Source.FindVersionAsync(plan.Source.Bucket, plan.Source.Key, time, options, cancellationToken).ConfigureAwait(false);
        return new ObjectCopier(clients, copy.WithVersion(version.VersionId));
    }

    private async Task<(Outcome Ended, TransferStatistics? Statistics)> DownloadAsync(CopyPlan plan, IProgress<TransferProgress> progress, CancellationToken cancellationToken)
    {
        (string bucket, string key) = (plan.Source.Bucket, plan.Source.Key);
        DownloadResult result;
        if (plan.Target.Kind == LocationKind.Standard)
        {
            Stream output = StandardStreams.OpenOutput();
            await using (output.ConfigureAwait(false))
            {
                result = await clients.Source.DownloadAsync(bucket, key, output, copy.Download, progress, cancellationToken).ConfigureAwait(false);
            }
        }
        else
        {
            result = await (copy.Moves
                ? clients.Source.MoveToFileAsync(bucket, key, plan.Target.Text, copy.Download, progress, cancellationToken)
                : clients.Source.DownloadAsync(bucket, key, plan.Target.Text, copy.Download, progress, cancellationToken)).ConfigureAwait(false);
        }

        return (Succeed(plan, result.Statistics, result.Verdict) with { SourceETag = result.Info.ETag }, result.Statistics);
    }

    private async Task<(Outcome Ended, TransferStatistics? Statistics)> UploadAsync(CopyPlan plan, IProgress<TransferProgress> progress, CancellationToken cancellationToken)
    {
        (string bucket, string key) = (plan.Target.Bucket, plan.Target.Key);
        UploadResult result;
        if (plan.Source.Kind == LocationKind.Standard)
        {
            Stream input = StandardStreams.OpenInput();
            await using (input.ConfigureAwait(false))
            {
                result = input.CanSeek
                    ? await clients.Source.UploadAsync(input, bucket, key, copy.Upload, progress, cancellationToken).ConfigureAwait(false)
                    : await UploadPipeAsync(plan, input, progress, cancellationToken).ConfigureAwait(false);
            }
        }
        else
        {
            result = await (copy.Moves
                ? clients.Source.MoveToStoreAsync(plan.Source.Text, bucket, key, copy.Upload, progress, cancellationToken)
                : clients.Source.UploadAsync(plan.Source.Text, bucket, key, copy.Upload, progress, cancellationToken)).ConfigureAwait(false);
        }

        return (Succeed(plan, result.Statistics, result.Verdict) with { TargetETag = result.ETag }, result.Statistics);
    }

    private async Task<UploadResult> UploadPipeAsync(CopyPlan plan, Stream input, IProgress<TransferProgress> progress, CancellationToken cancellationToken)
    {
        PipeReader reader = InputPump.Start(input);
        try
        {
            return await clients.Source.UploadAsync(reader, plan.Target.Bucket, plan.Target.Key, copy.Upload, progress, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            await reader.CompleteAsync().ConfigureAwait(false);
        }
    }

    private async Task<(Outcome Ended, TransferStatistics? Statistics)> CopyInsideAsync(CopyPlan plan, IProgress<TransferProgress> progress, CancellationToken cancellationToken)
    {
        (Location from, Location to) = (plan.Source, plan.Target);
        return Succeed(plan, await (copy.Moves
            ? clients.Source.MoveAsync(from.Uri, to.Uri, copy.Copy, progress, cancellationToken)
            : clients.Source.CopyAsync(from.Uri, to.Uri, copy.Copy, progress, cancellationToken)).ConfigureAwait(false));
    }

    private async Task<(Outcome Ended, TransferStatistics? Statistics)> CopyToStoreAsync(TransferClient other, CopyPlan plan, IProgress<TransferProgress> progress, CancellationToken cancellationToken)
    {
        (Location from, Location to) = (plan.Source, plan.Target);
        return Succeed(plan, await (copy.Moves
            ? clients.Source.MoveAsync(from.Uri, other, to.Uri, copy.StoreCopy, progress, cancellationToken)
            : clients.Source.CopyAsync(from.Uri, other, to.Uri, copy.StoreCopy, progress, cancellationToken)).ConfigureAwait(false));
    }

    private static (Outcome Ended, TransferStatistics? Statistics) Succeed(CopyPlan plan, CopyResult result) => (
        Succeed(plan, result.Statistics, result.Verdict) with { LostProperties = result.LostProperties, SourceETag = result.SourceETag, TargetETag = result.ETag }, result.Statistics);

    private static Outcome Succeed(CopyPlan plan, TransferStatistics statistics, ChecksumVerdict verdict)
        => plan.CreateOutcome(OutcomeStatus.Done) with { Bytes = statistics.BytesTransferred, Verdict = verdict };

    /// <summary>Gets an object's properties; null if there is no such object.</summary>
    private static async Task<ObjectInfo?> FindAsync(TransferClient store, Location location, ObjectAccessOptions options, CancellationToken cancellationToken)
    {
        try
        {
            return await store.GetInfoAsync(location.Bucket, location.Key, options, cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException e) when (e.StatusCode == HttpStatusCode.NotFound)
        {
            return null;
        }
    }

    private static bool IsTargetThere(CopyPlan plan, TransferException e)
        => plan.Target.Kind == LocationKind.S3 ? e is TransferException { Error: TransferError.PreconditionFailed } : File.Exists(plan.Target.Text);
}
