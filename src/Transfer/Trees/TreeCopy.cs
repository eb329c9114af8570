using System.Runtime.CompilerServices;
using Transfer.S3.Requests;
using Transfer.S3.Upload;

namespace Transfer.S3.Trees;

/// <summary>Copies what is selected at the source while it is being read. The target isn't read.</summary>
/// <param name="pair">The sides.</param>
internal sealed class TreeCopy(Pairing pair)
{
    private readonly DirectoryOptions _options = (DirectoryOptions)pair.Options;
    private readonly ArchivedSources _archived = CreateArchived((DirectoryOptions)pair.Options);
    private readonly CopyOverlap? _overlap = pair is StorePairing stores ? new CopyOverlap(stores) : null;

    /// <param name="reading">The call at the source; the same as <paramref name="whole"/> if only one store is used.</param>
    /// <param name="whole">The operation.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task<DirectoryResult> RunAsync(TransferRun reading, TransferRun whole, CancellationToken cancellationToken)
    {
        pair.Begin(reading, whole);
        await pair.CheckAsync(cancellationToken).ConfigureAwait(false);
        ManyTally tally = new(_options.OnFailure, _options.ObjectEnded, whole.Reporter, hasSizes: _options.Keys is null);
        ObjectWorkQueue<TreeEntry> queue = pair.CreateQueue<TreeEntry>(static entry => entry.Length, (entry, token) => WorkAsync(entry, tally, token));
        await queue.RunAsync(FindAsync(tally, cancellationToken), tally.FoundAll, cancellationToken).ConfigureAwait(false);
        return tally.ToResult(reading.Reporter);
    }

    private async IAsyncEnumerable<TreeEntry> FindAsync(ManyTally tally, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        SideReading all = new(pair.Filter) { IsOrdered = false, AsOf = _options.AsOf, Keys = _options.Keys, WithRestoreStates = true, Outside = item => tally.Refused(NotUnder(item)) };
        await foreach (TreeEntry entry in pair.Source.ReadAsync(all, cancellationToken).ConfigureAwait(false))
        {
            if (entry.Error is { } error)
            {
                if (pair.CanBeSelected(entry))
                {
                    tally.Refused(Begin(entry).Failed(pair.NotRead(entry, error)));
                }
            }
            else if (entry.LeftOut == LeftOut.None && pair.IsSelected(entry) && (!entry.IsFolder || _options.EmptyFolders))
            {
                if (await RefuseAsync(entry, cancellationToken).ConfigureAwait(false) is { } refused)
                {
                    tally.Refused(refused);
                }
                else if (entry.HasFolderName && pair.Target is FolderSide)
                {
                    await CreateFolderAsync(entry, tally, cancellationToken).ConfigureAwait(false);
                }
                else
                {
                    tally.Found(entry.Length);
                    yield return entry;
                }
            }
        }
    }

    private async ValueTask<Outcome?> RefuseAsync(TreeEntry source, CancellationToken cancellationToken)
    {
        if (_overlap is not null)
        {
            return await _overlap.RefuseAsync(source, cancellationToken).ConfigureAwait(false) is { } error ? Begin(source).Failed(error) : null;
        }

        return pair.Target.RefuseName(source, isThere: false) is not { } reason ? null : (Begin(source) with { To = null }).Failed(
            new TransferException($"{pair.Source.Place.GetAddress(source.Name)} can't be a file under {pair.Target.Name}: {reason}.")
            {
                Bucket = pair.Address.Bucket,
                Key = pair.Address.Key + source.Name,
                Hint = !_options.AllowSpecialNames && KeyPath.IsOnlySpecial(source.Name) ? $"use {nameof(TreeTransferOptions.AllowSpecialNames)} to write it" : null,
            });
    }

    private async Task CreateFolderAsync(TreeEntry source, ManyTally tally, CancellationToken cancellationToken)
    {
        try
        {
            if (!_options.DryRun)
            {
                await pair.CopyAsync(source, TargetState.Any, cancellationToken).ConfigureAwait(false);
            }
        }
        catch (TransferException e)
        {
            tally.Refused(Begin(source).Failed(e));
        }
    }

    private async Task WorkAsync(TreeEntry source, ManyTally tally, CancellationToken cancellationToken)
    {
        Outcome outcome = Begin(source);
        try
        {
            outcome = await CopyAsync(source, outcome, cancellationToken).ConfigureAwait(false);
            if (outcome.Status == OutcomeStatus.Done && outcome.Bytes != source.Length)
            {
                tally.Resized(outcome.Bytes - source.Length);
            }
        }
        catch (Exception e) when (TreeSync.IsOfObject(e))
        {
            outcome = outcome.Failed(e);
        }

        tally.Ended(outcome);
    }

    private async Task<Outcome> CopyAsync(TreeEntry source, Outcome outcome, CancellationToken cancellationToken)
    {
        // A small file is sent without a lookup if the store refuses it when the object exists: that takes only one request, too.
        bool isCheap = pair is UploadPairing && !_options.DryRun && source.Length < pair.LargeBytes;
        ObjectPresence? presence = _options.SkipExisting ? await pair.Target.LookAsync(source.Name, isCheap, createsFolders: !_options.DryRun, cancellationToken).ConfigureAwait(false) : null;
        if (presence == ObjectPresence.Present || _overlap?.IsInPlace(source) == true)
        {
            return outcome with { Status = OutcomeStatus.Skipped };
        }

        if (pair.Source is StoreSide store && await _archived.CheckAsync(store, source, outcome, cancellationToken).ConfigureAwait(false) is { } ended)
        {
            return ended;
        }

        if (_options.DryRun)
        {
            pair.CheckName(source);
            return pair.WithUsage(outcome, source, null);
        }

        try
        {
            TargetState target = _options.SkipExisting ? TargetState.Absent(presence) : TargetState.Any;
            ItemCopy copy = await pair.CopyAsync(source, target, cancellationToken).ConfigureAwait(false);
            return outcome with
            {
                Status = OutcomeStatus.Done,
                Bytes = copy.Bytes,
                Verdict = copy.Verdict,
                LostProperties = copy.Lost,
                SourceETag = copy.SourceETag,
                TargetETag = copy.ETag,
            };
        }
        catch (TransferException e) when (e.Error == TransferError.Archived && pair.Source is StoreSide from)
        {
            return await _archived.EndAsync(from, source, outcome, e, cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException e) when (e.Error == TransferError.PreconditionFailed && _options.SkipExisting)
        {
            return outcome with { Status = OutcomeStatus.Skipped };
        }
    }

    private Outcome Begin(TreeEntry source) => pair.Decide(ObjectOperation.Copy, OutcomeStatus.Planned, source, null);

    private Outcome NotUnder(ListedObject item)
        => SelectedObjects.NotUnder(((StoreSide)pair.Source).Query, item, isInList: _options.Keys is not null);

    private static ArchivedSources CreateArchived(DirectoryOptions options) => new(options.Archived, options.RestoreDays, options.DryRun);
}
