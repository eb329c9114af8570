using Transfer.Observability;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Upload;

/// <summary>Aborts the incomplete uploads under a prefix concurrently. All are listed before the first one is aborted.</summary>
internal sealed class UploadSweep(ClientContext context, string bucket, string prefix, TransferReporter reporter)
{
    private DateTimeOffset? _storeTime;

    /// <param name="olderThan">The minimum age of the uploads; null for any.</param>
    /// <param name="dryRun">Whether to only list the uploads.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task<AbortUploadsResult> RunAsync(TimeSpan? olderThan, bool dryRun, CancellationToken cancellationToken)
    {
        List<UnfinishedUpload> found = await FindAsync(cancellationToken).ConfigureAwait(false);
        List<UnfinishedUpload> old = olderThan is { } age ? found.FindAll(upload => AgeOf(upload) >= age) : found;

        // One element for each upload, to keep the order: the error, or whether the upload existed.
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
    /// Gets the age of an upload by the clock of the store. The clock of this machine can be wrong by days without being noticed, because requests are corrected for
    /// that. Dates of responses are whole seconds, so an upload that was just created can seem to be in the future.
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
            // MinIO takes the prefix for a full key, and lists the whole bucket without one.
            return await ListAsync(string.Empty, cancellationToken).ConfigureAwait(false);
        }
        catch (WireException)
        {
            return []; // credentials that can list the prefix may not be able to list the bucket
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

            // Filtered again, because a store that ignores the prefix must not cause other uploads to be aborted.
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
            // It was completed or aborted after it was listed, or by an earlier attempt whose response was lost.
            return (e.Attempts == 1, null);
        }
        catch (WireException e)
        {
            return (false, Failures.Of(address, $"abort the multipart upload {upload.UploadId}", null, e));
        }
    }
}
