using Transfer.Observability;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>Aborts the unfinished uploads under a prefix, side by side. All are listed before the first is aborted.</summary>
internal sealed class UploadSweep(ClientContext context, string bucket, string prefix, TransferReporter reporter)
{
    private DateTimeOffset? _storeTime;

    /// <param name="olderThan">How long ago an upload must have been begun; null for any.</param>
    /// <param name="dryRun">Whether to list them alone.</param>
    /// <param name="cancellationToken">Ends it.</param>
    public async Task<AbortUploadsResult> RunAsync(TimeSpan? olderThan, bool dryRun, CancellationToken cancellationToken)
    {
        List<UnfinishedUpload> found = await FindAsync(cancellationToken).ConfigureAwait(false);
        List<UnfinishedUpload> old = olderThan is { } age ? found.FindAll(upload => AgeOf(upload) >= age) : found;

        // One place for each, so that what comes back is in order: the error, or whether it was there to be aborted.
        (bool IsGone, TransferException? Error)[] outcomes = new (bool, TransferException?)[old.Count];
        if (!dryRun)
        {
            ParallelOptions options = new() { MaxDegreeOfParallelism = context.Settings.Concurrency, CancellationToken = cancellationToken };
            await Parallel.ForAsync(0, old.Count, options, async (i, stopping) => outcomes[i] = await AbortAsync(old[i], stopping).ConfigureAwait(false)).ConfigureAwait(false);
        }

        return new AbortUploadsResult
        {
            Aborted = [.. old.Where((_, i) => outcomes[i] is { IsGone: false, Error: null })],
            Failures = [.. old.Select((upload, i) => (Upload: upload, outcomes[i].Error)).Where(pair => pair.Error is not null).Select(pair => new UploadAbortFailure(pair.Upload, pair.Error!))],
            Kept = found.Count - old.Count,
            Elapsed = reporter.Elapsed,
            Requests = reporter.Requests,
            Retries = reporter.Retries,
        };
    }

    /// <summary>
    /// How old an upload is by the store's clock. The clock of this machine can be wrong by days unnoticed, since requests are corrected for that. Dates of answers have
    /// whole seconds, so an upload that has just begun can seem to be in the future.
    /// </summary>
    private TimeSpan? AgeOf(UnfinishedUpload upload)
        => ((_storeTime ?? context.Time.GetUtcNow()) - upload.Initiated) is { } age ? TimeSpan.FromTicks(Math.Max(0, age.Ticks)) : null;

    private async Task<List<UnfinishedUpload>> FindAsync(CancellationToken cancellationToken)
    {
        try
        {
            List<UnfinishedUpload> found = await ListAsync(prefix, cancellationToken).ConfigureAwait(false);
            if (found.Count > 0 || prefix.Length == 0)
            {
                return found;
            }
        }
        catch (WireException e)
        {
            throw Failures.Of(new ObjectAddress(bucket, prefix), "list the incomplete uploads", null, e);
        }

        try
        {
            // MinIO takes a prefix for a whole key, and lists all of a bucket where there is none.
            return await ListAsync(string.Empty, cancellationToken).ConfigureAwait(false);
        }
        catch (WireException)
        {
            return []; // not everybody who may list the prefix may list the bucket
        }
    }

    private async Task<List<UnfinishedUpload>> ListAsync(string under, CancellationToken cancellationToken)
    {
        List<UnfinishedUpload> found = [];
        UploadMarker? after = null;
        do
        {
            UploadPage page = await context.Scheduler.SendAsync(
                token => context.Wire.ListUploadsAsync(bucket, under, after, token), reporter, cancellationToken).ConfigureAwait(false);

            // Looked at again here: a store that does not read the prefix must not cost others their uploads.
            found.AddRange(page.Uploads.Where(upload => upload.Key.StartsWith(prefix, StringComparison.Ordinal)));
            _storeTime = page.StoreTime ?? _storeTime;
            after = page.Next;
        }
        while (after is not null);
        return found;
    }

    private async Task<(bool IsGone, TransferException? Error)> AbortAsync(UnfinishedUpload upload, CancellationToken cancellationToken)
    {
        ObjectAddress address = new(bucket, upload.Key);
        try
        {
            await context.Scheduler.SendAsync(
                async token =>
                {
                    await context.Wire.AbortMultipartUploadAsync(address, upload.UploadId, token).ConfigureAwait(false);
                    return true;
                },
                reporter,
                cancellationToken).ConfigureAwait(false);
            return (false, null);
        }
        catch (WireException e) when (e.ErrorCode == "NoSuchUpload")
        {
            // Somebody has completed or aborted it since it was listed; or a first attempt of ours has, whose answer was lost.
            return (e.Attempts == 1, null);
        }
        catch (WireException e)
        {
            return (false, Failures.Of(address, $"abort the multipart upload {upload.UploadId}", null, e));
        }
    }
}
