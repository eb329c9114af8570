using System.Net;
using Transfer.S3.Concurrency;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Resume;
using Transfer.S3.Wire;

namespace Transfer.S3.Upload;

/// <summary>Resumes the upload of an earlier run, finds that it was published, or abandons it.</summary>
internal sealed class UploadResumption(
    TransferRun run, UploadRequest request, UploadCalls calls, PartSet parts, UploadJournal journal, SourceReader reader, UploadPlan plan)
{
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The published object if the earlier run completed the upload; null if there are parts to send.</returns>
    public async Task<PublishedUpload?> RunAsync(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested(); // a canceled run must not abort an earlier upload
        string? reason = null;
        if (!journal.IsSame)
        {
            reason = journal.Former is null ? null : "the source or the options have changed";
            journal.Abandon();
        }

        await AbandonedUploads.AbortAsync(run, request.Address, journal).ConfigureAwait(false);
        if (journal.Former is { } former)
        {
            calls.Checksums.Use(former.Header.Checksum);
            parts.Resume(former, new ResumedParts(former, former.ToSentParts(), request.Copied is not null)); // until the store has listed them
            (bool isListed, bool isResumed) = await TryListAsync(former, cancellationToken).ConfigureAwait(false);
            if (isResumed)
            {
                return null;
            }

            // The upload may no longer exist because it was completed.
            if (await FindPublishedAsync(former, cancellationToken).ConfigureAwait(false) is { } published)
            {
                if (!isListed && await calls.AbortAsync(former.Header.UploadId).ConfigureAwait(false) is not null)
                {
                    journal.Abandon();
                }

                journal.Delete();
                return published;
            }

            if (!isListed && await TrySendFirstAsync(former, cancellationToken).ConfigureAwait(false))
            {
                return null;
            }

            reason = "the store does not have the earlier upload anymore";
            journal.Forget();
            parts.StartAgain();
        }

        if (reason is not null)
        {
            Log.UploadStartsAgain(run.Client.Logger, request.Address.Bucket, request.Address.Key, reason);
        }

        return null;
    }

    /// <summary>Lists the parts that the store has.</summary>
    /// <remarks>
    /// Some stores can't list parts, and some credentials allow sending parts but not listing them. Then the parts in the journal are used, and the store checks
    /// them when it completes the upload.
    /// </remarks>
    /// <returns>Whether the store responded, and whether it has the upload.</returns>
    private async Task<(bool IsListed, bool IsResumed)> TryListAsync(ResumedUpload former, CancellationToken cancellationToken)
    {
        try
        {
            if (await calls.ListPartsAsync(former.Header.UploadId, cancellationToken).ConfigureAwait(false) is not { } sent)
            {
                parts.StartAgain();
                return (true, false);
            }

            Log.UploadResumed(run.Client.Logger, request.Address.Bucket, request.Address.Key, sent.Count);
            parts.Resume(former, new ResumedParts(former, sent, request.Copied is not null), former.Header.UploadId);
            return (true, true);
        }
        catch (TransferException e) when (!ResumePolicy.CanResumeAfter(e) || e.InnerException is WireException { Kind: FailureKind.NotStore })
        {
            Log.PartsNotListed(run.Client.Logger, request.Address.Bucket, request.Address.Key, e.Message);
            return (false, false);
        }
    }

    /// <summary>Finds the object if the earlier run completed the upload and the source still has the same content.</summary>
    private async Task<PublishedUpload?> FindPublishedAsync(ResumedUpload former, CancellationToken cancellationToken)
    {
        if (former.Completing is not { } checksum
            || await calls.Publisher.FindFormerAsync(former, cancellationToken).ConfigureAwait(false) is not { } published
            || !await IsContentAsync(former, checksum, cancellationToken).ConfigureAwait(false))
        {
            return null;
        }

        run.Reporter.SetTotal(former.Header.Bytes, plan.TotalParts);
        run.Reporter.Bytes.AddResumed(former.Header.Bytes);
        run.Reporter.Bytes.Add(former.Header.Bytes);
        return published;
    }

    /// <summary>Returns whether the source has the checksum that the earlier run was about to publish.</summary>
    private async Task<bool> IsContentAsync(ResumedUpload former, string checksum, CancellationToken cancellationToken)
    {
        if (request.Copied is { } copied)
        {
            return checksum == UploadCalls.GetMark(copied); // the journal belongs to a source of the same state
        }

        if (reader.Source is not IPinnedSource pinned)
        {
            return await ReadAsync(former.Header.Checksum, cancellationToken).ConfigureAwait(false) == checksum;
        }

        // The bytes are the same, so the checksums of the journal are those of the source.
        PartChecksumValue?[] values = [.. Enumerable.Range(1, plan.TotalParts!.Value).Select(former.GetChecksum)];
        ObjectChecksum combined = new();
        foreach (PartChecksumValue value in values.OfType<PartChecksumValue>())
        {
            combined.Add(value);
        }

        PartChecksumValue?[] ofSource = [.. Enumerable.Range(1, values.Length).Select(former.GetSourceChecksum)];
        if (values.Contains(null) || ofSource.Contains(null) || combined.Expected != checksum)
        {
            return false;
        }

        for (int i = 0; i < values.Length; i++)
        {
            if (!await pinned.TrySkipAsync(i * plan.PartSizeBytes, ofSource[i]!.Value, cancellationToken).ConfigureAwait(false))
            {
                return false;
            }
        }

        await reader.CheckEndAsync(cancellationToken).ConfigureAwait(false);
        return true;
    }

    /// <summary>Reads the whole file, part by part. As when they are sent, this loop alone opens the parts, and each is read by a task of its own.</summary>
    /// <returns>The checksum of the object with these parts.</returns>
    private async Task<string?> ReadAsync(ChecksumAlgorithm algorithm, CancellationToken cancellationToken)
    {
        PartChecksumValue[] values = new PartChecksumValue[plan.TotalParts!.Value];
        using TaskGroup reads = new(cancellationToken);
        try
        {
            for (int i = 0; i < values.Length; i++)
            {
                PartBody body = await parts.OpenAsync(GetSize(i), reads.Stopping).ConfigureAwait(false);
                reads.Add(ReadAsync(i, body, values, reads.Stopping));
            }
        }
#pragma warning disable CA1031 // thrown where the group ends
        catch (Exception e)
#pragma warning restore CA1031
        {
            reads.Fail(e);
        }

        await reads.EndAsync().ConfigureAwait(false);
        await reader.CheckEndAsync(cancellationToken).ConfigureAwait(false);
        ObjectChecksum checksum = new();
        foreach (PartChecksumValue value in values)
        {
            checksum.Add(value);
        }

        return checksum.Algorithm == algorithm ? checksum.Expected : null;
    }

    private async Task ReadAsync(int index, PartBody body, PartChecksumValue[] values, CancellationToken cancellationToken)
    {
        await default(PoolTurn); // the caller has other parts to open
        try
        {
            await reader.FillAsync(index * plan.PartSizeBytes, body, cancellationToken).ConfigureAwait(false);
            values[index] = body.Checksum.ToValue();
        }
        finally
        {
            parts.Return(body);
        }
    }

    /// <summary>Sends the first part to find out whether the upload still exists. No other request shows that with the same permissions.</summary>
    private async Task<bool> TrySendFirstAsync(ResumedUpload former, CancellationToken cancellationToken)
    {
        PartBody body = await parts.OpenAsync(GetSize(0), cancellationToken).ConfigureAwait(false);
        try
        {
            await reader.FillAsync(0, body, cancellationToken).ConfigureAwait(false);
            await parts.SendFirstAsync(body, former.Header.UploadId).ConfigureAwait(false);
            return true;
        }
        catch (TransferException e) when (e.StatusCode == HttpStatusCode.NotFound && e.ErrorCode != "NoSuchBucket")
        {
            return false;
        }
        finally
        {
            parts.Return(body);
        }
    }

    private long GetSize(int index) => Math.Min(plan.PartSizeBytes, reader.Source.Length!.Value - (index * plan.PartSizeBytes));
}
