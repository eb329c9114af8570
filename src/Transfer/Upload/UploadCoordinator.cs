using System.Runtime.ExceptionServices;
using Transfer.S3.Concurrency;
using Transfer.S3.Requests;

namespace Transfer.S3.Upload;

/// <summary>
/// Uploads one object from a source: with one PUT request, or in parts that are read and sent concurrently. An upload that fails or is canceled is aborted, unless
/// it can be resumed.
/// </summary>
/// <remarks>
/// One loop opens the parts in order, and waits for their memory. Each part is sent by its own task. A source that can be read concurrently is read
/// by these tasks, any other source by the loop.
/// </remarks>
internal sealed class UploadCoordinator(TransferRun run, UploadRequest request, IUploadSource source)
{
    private readonly SourceReader _reader = new(source);

    // What is published later is a multipart upload, however small it is. Whoever receives it knows which ones are open, so it isn't resumed.
    private readonly bool _isStaged = run.Uploads is { TakesUploads: true };

    // The parts of a copy are never filled.
    public Task<PublishedUpload> RunAsync(CancellationToken cancellationToken)
        => request.ReusesParts ? new PartReuse(run, request, source).RunAsync(cancellationToken)
        : source is FileSource ? PausableRun.RunAsync(run.Reporter.Pause, RunAsync, run.Reporter.StartAgain, cancellationToken) : RunAsync(null, cancellationToken);

    private async Task<PublishedUpload> RunAsync(PausableRun? pausable, CancellationToken cancellationToken)
    {
        UploadRequest one = _isStaged && source.Length == 0 ? request.WithEmptyPart() : request;
        using PartSet parts = new(run, source is IRandomAccessSource ? one.WithPartsInChunks() : one, source.PartMemory, cancellationToken);
        try
        {
            return await UploadAsync(parts, pausable, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            Exception first = await parts.AbandonAsync(e).ConfigureAwait(false);
            (first as TransferException)?.BelongsTo(request.Address);
            ExceptionDispatchInfo.Throw(first);
            throw;
        }
    }

    private async Task<PublishedUpload> UploadAsync(PartSet parts, PausableRun? pausable, CancellationToken cancellationToken)
    {
        SourceLength.CheckIsGiven(request.Length, source.Length);
        PartBody? first = null;
        UploadPlan plan;
        if (source.Length is { } length)
        {
            if (!_isStaged && request.TakesOnePut(length))
            {
                await DiscardFormerAsync().ConfigureAwait(false);
                run.Reporter.SetTotal(length, 0);
                return await PutAsync(parts, await ReadFirstAsync(parts, length).ConfigureAwait(false), cancellationToken).ConfigureAwait(false);
            }

            plan = request.Plan(length);
            if (plan.PartSizeBytes > request.PartSizeBytes)
            {
                Log.PartsGrown(run.Client.Logger, request.Address.Bucket, request.Address.Key, plan.PartSizeBytes, request.PartSizeBytes, request.MaxParts);
            }

            run.Reporter.SetTotal(length, plan.TotalParts);
            if (!request.Resumes || _isStaged)
            {
                await DiscardFormerAsync().ConfigureAwait(false);
            }
            else if (source is IResumableSource resumable && UploadJournal.TryOpen(run.Client, request, resumable, plan) is { } journal)
            {
                pausable?.AllowRestart();
                if (await parts.UseAsync(journal, _reader, plan).ConfigureAwait(false) is { } published)
                {
                    return published;
                }
            }
        }
        else
        {
            // An object that fits into the first part is uploaded with one PUT request.
            plan = request.PlanForSource();
            first = await ReadFirstAsync(parts, plan.PartSizeBytes).ConfigureAwait(false);
            if (!first.IsFull && !_isStaged)
            {
                run.Reporter.SetTotal(first.Length, 0);
                return await PutAsync(parts, first, cancellationToken).ConfigureAwait(false);
            }
        }

        await SendPartsAsync(parts, plan, first).ConfigureAwait(false);
        await parts.WhenSentAsync().ConfigureAwait(false);
        await _reader.CheckEndAsync(parts.Stopping).ConfigureAwait(false);
        return await parts.CompleteAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Aborts the upload of an earlier run that isn't resumed.</summary>
    private Task DiscardFormerAsync() => source is IResumableSource ? AbandonedUploads.DiscardAsync(run, request.Address) : Task.CompletedTask;

    private async Task<PublishedUpload> PutAsync(PartSet parts, PartBody body, CancellationToken cancellationToken)
    {
        try
        {
            await _reader.CheckEndAsync(parts.Stopping).ConfigureAwait(false);
        }
        catch
        {
            parts.Return(body);
            throw;
        }

        return await parts.PutAsync(body, cancellationToken).ConfigureAwait(false);
    }

    private async Task<PartBody> ReadFirstAsync(PartSet parts, long size)
    {
        PartBody body = await parts.OpenAsync(size, parts.Stopping).ConfigureAwait(false);
        try
        {
            await _reader.FillAsync(0, body, parts.Stopping).ConfigureAwait(false);
            return body;
        }
        catch
        {
            parts.Return(body);
            throw;
        }
    }

    private async Task SendPartsAsync(PartSet parts, UploadPlan plan, PartBody? first)
    {
        long offset = Math.Min(parts.Begun * plan.PartSizeBytes, source.Length ?? 0); // the first part may have been sent already
        if (first is not null)
        {
            offset = first.Length;
            parts.Send(first);
        }

        await parts.CreateAsync().ConfigureAwait(false);
        await parts.TryReuseAsync(plan).ConfigureAwait(false);
        bool ended = false;
        while (!ended && (source.Length is not { } length || offset < length || parts.Begun == 0))
        {
            if (source.Length is null)
            {
                parts.LogLimit(plan, offset);
            }

            // After the maximum number of parts, only the end of the source is checked.
            bool isBeyond = parts.Begun == request.MaxParts;
            long size = isBeyond ? 1 : plan.GetSize(parts.Begun + 1);
            if (source.Length is { } total)
            {
                parts.SetLeft(plan.TotalParts!.Value - parts.Begun);
                size = Math.Min(size, total - offset);
            }

            PartBody body = await parts.OpenAsync(size, parts.Stopping).ConfigureAwait(false);
            if (source is IConcurrentSource)
            {
                parts.Send(body, _reader, offset);
                offset += size;
                continue;
            }

            try
            {
                await _reader.FillAsync(offset, body, parts.Stopping).ConfigureAwait(false);
            }
            catch
            {
                parts.Return(body);
                throw;
            }

            if (isBeyond && body.IsFull)
            {
                parts.Return(body);
                throw request.TooManyParts(offset);
            }

            ended = !body.IsFull;
            offset += body.Length;
            if (body.Length == 0 && parts.Begun > 0)
            {
                parts.Return(body);
            }
            else
            {
                parts.Send(body);
            }
        }

        run.Reporter.SetTotal(offset, parts.Begun);
    }
}
