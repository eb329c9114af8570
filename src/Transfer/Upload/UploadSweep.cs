using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>Aborts the incomplete uploads under a prefix concurrently. All are listed before the first one is aborted.</summary>
internal sealed class UploadSweep(TransferRun run, string bucket, string prefix)
{
    private readonly UploadListing _listing = new(run, bucket, prefix);

    public async Task<AbortUploadsResult> RunAsync(AbortUploadsOptions options, CancellationToken cancellationToken)
    {
        List<UnfinishedUpload> found = await Pages.CollectAsync(_listing.ReadAsync(cancellationToken), cancellationToken).ConfigureAwait(false);
        List<UnfinishedUpload> old = options.OlderThan is { } age ? found.FindAll(upload => GetAge(upload) >= age) : found;

        // One element for each upload, to keep the order.
        AbortOutcome[] outcomes = new AbortOutcome[old.Count];
        if (!options.DryRun)
        {
            ParallelOptions parallel = new() { MaxDegreeOfParallelism = run.Client.Settings.MaxConcurrency, CancellationToken = cancellationToken };
            await Parallel.ForAsync(0, old.Count, parallel, async (i, stopping) => outcomes[i] = await AbortAsync(old[i], stopping).ConfigureAwait(false)).ConfigureAwait(false);
            await CheckMissingAsync(old, outcomes, cancellationToken).ConfigureAwait(false);
        }

        return new AbortUploadsResult
        {
            Aborted = [.. old.Where((_, i) => outcomes[i] is { Error: null } outcome && (outcome.Missing is null || outcome.WasTried))],
            Failures = [.. old.Select((upload, i) => upload with { Error = outcomes[i].Error }).Where(upload => upload.Error is not null)],
            KeptCount = found.Count - old.Count,
            Statistics = run.Reporter.GetStatistics(),
        };
    }

    /// <summary>
    /// Gets the age of an upload by the clock of the store. The clock of this machine can be wrong by days without being noticed, because requests are corrected for
    /// that. Dates of responses are whole seconds, so an upload that was just created can seem to be in the future.
    /// </summary>
    private TimeSpan? GetAge(UnfinishedUpload upload)
        => ((_listing.StoreTime ?? run.Client.Time.GetUtcNow()) - upload.Initiated) is { } age ? TimeSpan.FromTicks(Math.Max(0, age.Ticks)) : null;

    /// <summary>
    /// Checks that the uploads that the store reported as missing are not listed anymore. Otherwise, the store lists them under a key that it doesn't accept, and
    /// they were not aborted.
    /// </summary>
    private async Task CheckMissingAsync(List<UnfinishedUpload> uploads, AbortOutcome[] outcomes, CancellationToken cancellationToken)
    {
        if (!outcomes.Any(static outcome => outcome.Missing is not null))
        {
            return;
        }

        HashSet<(string Key, string UploadId)>? left = null;
        try
        {
            left = [.. (await Pages.CollectAsync(_listing.ReadAsync(cancellationToken), cancellationToken).ConfigureAwait(false)).Select(static upload => (upload.Key, upload.UploadId))];
        }
        catch (TransferException)
        {
            // It isn't known whether they are gone, so they are failures.
        }

        for (int i = 0; i < outcomes.Length; i++)
        {
            if (outcomes[i].Missing is { } missing && left?.Contains((uploads[i].Key, uploads[i].UploadId)) != false)
            {
                outcomes[i] = outcomes[i] with { Error = missing };
            }
        }
    }

    private async Task<AbortOutcome> AbortAsync(UnfinishedUpload upload, CancellationToken cancellationToken)
    {
        ObjectAddress address = new(bucket, upload.Key);
        try
        {
            await run.SendAsync(
                async token =>
                {
                    await run.Client.Wire.AbortMultipartUploadAsync(address, upload.UploadId, token).ConfigureAwait(false);
                    return true;
                },
                cancellationToken).ConfigureAwait(false);
            return default;
        }
        catch (WireException e)
        {
            TransferException failure = Failures.Create(address, $"abort the multipart upload {upload.UploadId}", null, e);

            // It may have been completed or aborted after it was listed, or by an earlier attempt whose response was lost.
            return e.ErrorCode == "NoSuchUpload" ? new AbortOutcome(null, failure, e.Attempts > 1) : new AbortOutcome(failure);
        }
    }

    /// <summary>The result of the abort of one upload.</summary>
    /// <param name="Error">The error; null if there is none.</param>
    /// <param name="Missing">The response that there is no such upload; null if there was none.</param>
    /// <param name="WasTried">Whether an earlier attempt may have aborted the missing upload.</param>
    private readonly record struct AbortOutcome(TransferException? Error, TransferException? Missing = null, bool WasTried = false);
}
