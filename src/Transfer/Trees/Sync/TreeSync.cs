using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using Transfer.S3.Concurrency;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Upload;

namespace Transfer.S3.Trees;

/// <summary>Runs a synchronization, or plans it. Deletions come last, and only if everything before them succeeded.</summary>
internal sealed class TreeSync(Pairing pair)
{
    /// <summary>The number of comparisons of a plan that run ahead of its reader.</summary>
    private const int PlanAhead = 64;

    private readonly SyncOptions _options = pair.Sync;

    /// <param name="reading">The call at the source; the same as <paramref name="whole"/> if only one store is used.</param>
    /// <param name="whole">The synchronization.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task<DirectoryResult> RunAsync(TransferRun reading, TransferRun whole, CancellationToken cancellationToken)
    {
        pair.Begin(reading, whole);
        await pair.CheckAsync(cancellationToken).ConfigureAwait(false);
        ManyTally summary = new(_options.OnFailure, _options.ObjectEnded, whole.Reporter);
        LeftUploads? left = pair.Direction == TransferDirection.Download ? null : new LeftUploads(whole, pair.Address);
        using EntrySpool spool = new(whole.Client.Settings.StateDirectory);
        using SyncState? state = pair.OpenState();
        using Publication? publication = await Publication.OpenAsync(pair, whole, Published, cancellationToken).ConfigureAwait(false);
        SyncPlanner planner = new(pair, spool, state, records: true);
        bool isRead = false;
        try
        {
            ObjectWorkQueue<SyncItem> queue = pair.CreateQueue<SyncItem>(static item => item.Length, (item, token) => WorkAsync(item, summary, left, state, publication, token));
            await queue.RunAsync(FindAsync(planner, summary, left, cancellationToken), summary.FoundAll, cancellationToken).ConfigureAwait(false);
            isRead = true;
            if (publication is not null)
            {
                await PublishAsync(publication, planner, spool, summary, Published, cancellationToken).ConfigureAwait(false);
            }
        }
        catch (Exception e) when (publication is { IsCommitted: false })
        {
            ExceptionDispatchInfo.Throw(Failures.WithCleanup(e, await AbortAsync(publication).ConfigureAwait(false)));
        }
        finally
        {
            state?.Save(isRead);
        }

        await DeleteAsync(planner, spool, summary, cancellationToken).ConfigureAwait(false);
        return summary.ToResult(reading.Reporter);

        void Published(Outcome outcome, StagedItem item)
        {
            if (outcome.Status == OutcomeStatus.Done)
            {
                Record(state, item.Name, item.SourceMark, item.IsProven ? SyncMark.OfObject(item.Upload.Bytes, outcome.TargetETag) : null, item.Content, item.Began);
            }

            summary.Ended(outcome);
        }
    }

    /// <summary>Determines the actions without carrying them out. Deletions come last, as they would be carried out, and then the limit is checked.</summary>
    public async IAsyncEnumerable<Outcome> PlanAsync(TransferRun reading, TransferRun whole, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        pair.Begin(reading, whole);
        await pair.CheckAsync(cancellationToken).ConfigureAwait(false);
        using EntrySpool spool = new(whole.Client.Settings.StateDirectory);
        using SyncState? state = pair.OpenState();
        SyncPlanner planner = new(pair, spool, state, records: false);
        bool hasFailures = false;
        await foreach (SyncItem item in DecideAsync(planner, cancellationToken).ConfigureAwait(false))
        {
            Outcome action = item.Source is null ? item.Action! : pair.WithUsage(item.Action!, item.Source, item.Target);
            hasFailures |= action.Error is not null;
            yield return action;
        }

        long all = spool.Read().LongCount(entry => !entry.IsFolder && !planner.Clashes.Covers(entry.Name));
        long count = 0;
        foreach (TreeEntry entry in spool.Read())
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (!entry.IsFolder)
            {
                Outcome action = planner.Clashes.Covers(entry.Name) ? Shield(entry) : Deletion(entry) with { Usage = pair.GetDeletionUsage(entry, count, all) };
                count += action.Status == OutcomeStatus.Planned ? 1 : 0;
                yield return action;
            }
        }

        if (!hasFailures || _options.DeleteDespiteFailures)
        {
            planner.CheckLimit(count);
        }
    }

    /// <summary>Reads both sides and compares what has to be compared, several at once. Each item has its action, in the order of the names.</summary>
    public IAsyncEnumerable<SyncItem> DecideAsync(SyncPlanner planner, CancellationToken cancellationToken) => Ahead.SelectAsync(
        planner.ReadAsync(cancellationToken),
        PlanAhead,
        (item, token) => item.Action is not null ? Task.FromResult(item)
            : Task.Run(async () => item with { Action = (await PlanAsync(item, token).ConfigureAwait(false)).Action }, token),
        cancellationToken);

    /// <summary>Returns whether an error is about one name, so that others can continue.</summary>
    public static bool IsOfObject(Exception e) => (e is TransferException or IOException or UnauthorizedAccessException) && !UsageLimit.IsCauseOf(e);

    /// <summary>Returns whether an error says that the source or the target had changed since it was listed.</summary>
    public static bool IsConflict(Exception e) => e is TransferException { Error: TransferError.PreconditionFailed or TransferError.ObjectChanged }
        || e is TransferException { IsOfMissingObject: true }; // deleted after it was listed

    private static async IAsyncEnumerable<SyncItem> FindAsync(SyncPlanner planner, ManyTally summary, LeftUploads? left, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding); // the caller must not wait for the disk
        await foreach (SyncItem item in planner.ReadAsync(cancellationToken).ConfigureAwait(false))
        {
            switch (item.Action?.Status)
            {
                case OutcomeStatus.Same:
                    await KeepAsync(item.Action, summary, left).ConfigureAwait(false);
                    break;
                case null or OutcomeStatus.Planned:
                    yield return item;
                    break;
                default:
                    summary.Note(item.Action with { SourceETag = item.Source?.ETag });
                    break;
            }
        }
    }

    private static async Task KeepAsync(Outcome action, ManyTally summary, LeftUploads? left)
    {
        if (left is not null)
        {
            await left.DiscardAsync(action.Name).ConfigureAwait(false);
        }

        summary.Note(action);
    }

    private async Task<SyncDecision> PlanAsync(SyncItem item, CancellationToken cancellationToken)
    {
        try
        {
            (TreeEntry source, TreeEntry target) = (item.Source!, item.Target!);
            if (item.Former is { Content: { } content } && await pair.HasContentAsync(source, target, content, cancellationToken).ConfigureAwait(false))
            {
                return new SyncDecision(pair.Same(source, SyncPlanner.LastRun), content);
            }

            return await pair.CompareAsync(source, target, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (IsOfObject(e))
        {
            return new SyncDecision(pair.Decide(null, OutcomeStatus.Failed, item.Source!, e.Message, e));
        }
    }

    /// <summary>Publishes everything that was uploaded, if nothing has failed and nothing would.</summary>
    private static async Task PublishAsync(
        Publication publication, SyncPlanner planner, EntrySpool spool, ManyTally summary, Action<Outcome, StagedItem> ended, CancellationToken cancellationToken)
    {
        if (!summary.HasFailures)
        {
            planner.CheckLimit(CountDeletions(planner, spool, cancellationToken));
            if (await publication.TryCommitAsync(summary.Ended, cancellationToken).ConfigureAwait(false))
            {
                await publication.CompleteAsync(ended, cancellationToken).ConfigureAwait(false);
                summary.PublishWindow = publication.Window;
                publication.End();
                return;
            }
        }

        summary.Unpublished = publication.Count;
        if (await AbortAsync(publication).ConfigureAwait(false) is { } error)
        {
            throw error;
        }
    }

    private static async Task<Exception?> AbortAsync(Publication publication)
    {
        Exception? error = await publication.AbortAsync().ConfigureAwait(false);
        if (error is null)
        {
            publication.End();
        }

        return error;
    }

    private async Task WorkAsync(SyncItem item, ManyTally summary, LeftUploads? left, SyncState? state, Publication? publication, CancellationToken cancellationToken)
    {
        (TreeEntry source, TreeEntry? target) = (item.Source!, item.Target);
        DateTimeOffset began = pair.Now;
        Outcome action = item.Action ?? await CompareAsync(item, state, began, cancellationToken).ConfigureAwait(false);
        if (action.Status == OutcomeStatus.Same)
        {
            await KeepAsync(action, summary, left).ConfigureAwait(false);
            return;
        }

        Outcome outcome = action with { SourceETag = source.ETag, TargetETagBefore = target?.ETag };
        if (action.Error is not null)
        {
            summary.Note(outcome);
            return;
        }

        summary.Found(action.Bytes);
        ItemCopy? copied = null;
        Outcome ended = await CopyAsync(outcome, source, target, copy => copied = copy, cancellationToken).ConfigureAwait(false);
        if (copied is not null)
        {
            if (publication is not null && await publication.StageAsync(ended, copied, target, began).ConfigureAwait(false))
            {
                return; // it ends when it is published
            }

            Record(state, source.Name, copied.Source, copied.Target, copied.Content, began);
        }

        summary.Ended(ended);
    }

    /// <summary>Compares both sides, and records that they are the same if they still have the marks that they had before.</summary>
    private async Task<Outcome> CompareAsync(SyncItem item, SyncState? state, DateTimeOffset began, CancellationToken cancellationToken)
    {
        (TreeEntry source, TreeEntry target) = (item.Source!, item.Target!);
        SyncMark? sourceMark = state is null ? null : pair.Source.MarkOf(source);
        SyncMark? targetMark = state is null ? null : pair.Target.MarkOf(target);
        (Outcome action, ContentChecksum? content) = await PlanAsync(item, cancellationToken).ConfigureAwait(false);
        if (action.Status == OutcomeStatus.Same && state is not null && pair.Source.MarkOf(source) == sourceMark && pair.Target.MarkOf(target) == targetMark)
        {
            Record(state, source.Name, sourceMark, targetMark, content, began);
        }

        return action;
    }

    /// <summary>
    /// Records that both sides have the same content: by their marks, if neither could have changed since before it was read without another mark, or else by the
    /// content too.
    /// </summary>
    private static void Record(SyncState? state, string name, SyncMark? source, SyncMark? target, ContentChecksum? content, DateTimeOffset began)
    {
        if (state is null || source is not { } from || target is not { } to || from.Length != to.Length)
        {
            return;
        }

        bool isSettled = from.IsSettledAt(began) && to.IsSettledAt(began);
        if (isSettled || content is not null)
        {
            state.Add(new SyncStateEntry(name, from, to, isSettled ? null : content));
        }
    }

    private async Task<Outcome> CopyAsync(Outcome outcome, TreeEntry source, TreeEntry? target, Action<ItemCopy> copied, CancellationToken cancellationToken)
    {
        try
        {
            ItemCopy copy = await pair.CopyAsync(source, TargetState.Listed(target), cancellationToken).ConfigureAwait(false);
            copied(copy);
            return outcome with { Status = OutcomeStatus.Done, Bytes = copy.Bytes, Verdict = copy.Verdict, LostProperties = copy.Lost, TargetETag = copy.ETag };
        }
        catch (Exception e) when (IsOfObject(e))
        {
            return outcome with { Status = IsConflict(e) ? OutcomeStatus.Conflict : OutcomeStatus.Failed, Error = e };
        }
    }

    /// <summary>Deletes the candidates, if both sides were read to their ends, everything else succeeded, and the limit holds.</summary>
    private async Task DeleteAsync(SyncPlanner planner, EntrySpool spool, ManyTally summary, CancellationToken cancellationToken)
    {
        if (spool.IsEmpty)
        {
            return;
        }

        long count = CountDeletions(planner, spool, cancellationToken);
        if (planner.Clashes.IsFull || (summary.HasFailures && !_options.DeleteDespiteFailures))
        {
            summary.Withheld = count;
            return;
        }

        planner.CheckLimit(count);

        // What a source had at an earlier time doesn't change.
        SourceReview? review = _options.AsOf is null ? new SourceReview(pair, _options.DeleteExcluded) : null;
        await pair.Target.DeleteAsync(Candidates(), review, Ended, cancellationToken).ConfigureAwait(false);

        IEnumerable<TreeEntry> Candidates()
        {
            foreach (TreeEntry entry in spool.Read())
            {
                if (!planner.Clashes.Covers(entry.Name))
                {
                    yield return entry;
                }
                else if (!entry.IsFolder)
                {
                    summary.Note(Shield(entry) with { TargetETagBefore = entry.ETag });
                }
            }
        }

        void Ended(TreeEntry entry, Exception? error)
            => summary.Note(Deletion(entry) with
            {
                Status = error is null ? OutcomeStatus.Done : error is TransferException { Error: TransferError.PreconditionFailed } ? OutcomeStatus.Conflict : OutcomeStatus.Failed,
                Error = error,
                TargetETagBefore = entry.ETag,
            });
    }

    /// <summary>Counts the files and objects that would be deleted.</summary>
    private static long CountDeletions(SyncPlanner planner, EntrySpool spool, CancellationToken cancellationToken)
    {
        long count = 0;
        foreach (TreeEntry entry in spool.Read())
        {
            cancellationToken.ThrowIfCancellationRequested();
            count += entry.IsFolder || planner.Clashes.Covers(entry.Name) ? 0 : 1;
        }

        return count;
    }

    private Outcome Deletion(TreeEntry entry) => pair.Decide(ObjectOperation.Delete, OutcomeStatus.Planned, entry, "not at the source");

    private Outcome Shield(TreeEntry entry) => pair.Decide(ObjectOperation.Delete, OutcomeStatus.Shielded, entry, "is in the place of something that could not be written");
}
