using System.Collections.Concurrent;
using System.Runtime.ExceptionServices;
using Transfer.S3.Requests;
using Transfer.S3.Resume;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>
/// Publishes the objects of a synchronization all at once. Each is uploaded and staged. When all are there and none of their targets has changed, the publication is
/// committed: from then on, all are published, by this run or the next one. Before, all uploads are aborted if anything fails.
/// </summary>
/// <remarks>
/// A cancellation doesn't end a committed publication, which takes seconds: half of it would be what it is there to prevent. If the store doesn't answer either, it ends, and the next
/// run goes on.
/// </remarks>
internal sealed class Publication : IUploadListener, IDisposable
{
    private readonly Pairing _pair;
    private readonly TransferRun _whole;
    private readonly PublicationJournal _journal;
    private readonly StoreSide _target;
    private readonly StagedCompletion _completion;
    private readonly StagedSet<(long Number, StagedItem Item)> _items;
    private readonly ConcurrentDictionary<string, StagedUpload> _uploaded = new();
    private Exception? _firstFailure;

    private Publication(Pairing pair, TransferRun whole, PublicationJournal journal)
    {
        (_pair, _whole, _journal, _target) = (pair, whole, journal, (StoreSide)pair.Target);
        _completion = new StagedCompletion(pair, whole);
        _items = new(pair, pair.Sync.PublishLast, journal.ReadItems, static one => one.Item.Name, static one => one.Item.Target);
    }

    /// <summary>Gets a value that indicates whether the first object may have been published.</summary>
    public bool IsCommitted => _journal.IsCommitted;

    /// <summary>Gets the number of staged objects.</summary>
    public long Count => _journal.Count;

    /// <summary>Gets the time from the first request that published an object to the last response; null if nothing was published.</summary>
    public TimeSpan? Window { get; private set; }

    /// <summary>
    /// Opens the publication to the target, after its <see cref="Pairing.Begin"/>, and ends what an earlier run has left. From now on, nothing else is published there. A
    /// synchronization that publishes each object only ends what is left: what is older than its objects must not be published after them.
    /// </summary>
    /// <param name="pair">The sides.</param>
    /// <param name="whole">The synchronization.</param>
    /// <param name="ended">Receives what the earlier run was about to publish.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>Null if each object is published when it was uploaded.</returns>
    /// <exception cref="TransferException">Thrown when there can be no journal, or when another run publishes to the same target.</exception>
    public static async Task<Publication?> OpenAsync(Pairing pair, TransferRun whole, Action<Outcome, StagedItem> ended, CancellationToken cancellationToken)
    {
        bool publishes = pair.Sync.Publish == PublishMode.AllAtOnce;
        if (!publishes && !(pair.Target is StoreSide && PublicationJournal.Exists(whole.Client, pair.Address)))
        {
            return null;
        }

        Publication publication = new(pair, whole, PublicationJournal.Open(whole.Client, pair.Address));
        try
        {
            await publication.RecoverAsync(ended, cancellationToken).ConfigureAwait(false);
            if (publishes)
            {
                whole.Uploads = publication;
                return publication;
            }

            publication.End();
        }
        catch
        {
            publication.Dispose();
            throw;
        }

        publication.Dispose();
        return null;
    }

    /// <summary>Ends what an earlier run has left: completes it if it was committed, and otherwise aborts it. Then a new publication begins.</summary>
    /// <param name="ended">Receives what was published.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    private async Task RecoverAsync(Action<Outcome, StagedItem> ended, CancellationToken cancellationToken)
    {
        if (_journal.IsCommitted)
        {
            _whole.Reporter.AddUnpublished(_journal.Left);
            Log.PublicationGoesOn(_whole.Client.Logger, _target.Name);
            await foreach (((long number, StagedItem item), string change) in _items.ReviewAsync(cancellationToken).ConfigureAwait(false))
            {
                // It was published before, or somebody else has changed the target since then.
                StagedResult? there = await _completion.FindAsync(item.Name, item.Upload, cancellationToken).ConfigureAwait(false);
                await EndAsync(number, item, there, there is null ? Changed(item, change) : null, Ended).ConfigureAwait(false);
            }

            await CompleteAsync(Ended, cancellationToken).ConfigureAwait(false);
        }
        else if (await AbortAsync().ConfigureAwait(false) is { } error)
        {
            throw error;
        }

        void Ended(Outcome outcome, StagedItem item)
        {
            if (outcome.Error is null)
            {
                ended(outcome, item);
            }
            else
            {
                Log.NotPublished(_whole.Client.Logger, _target.GetAddress(item.Name).ToString(), outcome.Error.Message); // this run compares it again
            }
        }
    }

    bool IUploadListener.TakesUploads => true;

    void IUploadListener.Creating(ObjectAddress address) => _journal.Announce(address.Key, _whole.Client.Time.GetUtcNow());

    void IUploadListener.Created(ObjectAddress address, string uploadId) => _journal.Created(address.Key, uploadId);

    void IUploadListener.Take(ObjectAddress address, StagedUpload upload) => _uploaded[address.Key] = upload;

    /// <summary>Records that an object was uploaded.</summary>
    /// <returns>False if nothing has to be published, because the object had the content already.</returns>
    public async Task<bool> StageAsync(Outcome outcome, ItemCopy copy, TreeEntry? target, DateTimeOffset began)
    {
        ObjectAddress address = _target.GetAddress(outcome.Name);
        if (!_uploaded.TryRemove(address.Key, out StagedUpload? upload))
        {
            return false;
        }

        try
        {
            _journal.Stage(new StagedItem(outcome.Name, upload)
            {
                TargetETag = target?.ETag,
                TargetBytes = target?.Length,
                Operation = outcome.Operation,
                Reason = outcome.Reason,
                SourceETag = outcome.SourceETag,
                Lost = copy.Lost,
                Unverified = copy.Verdict is { IsVerified: false, Reason: { } reason } ? reason : null,
                SourceMark = copy.Source,
                IsProven = upload.Expected is not null || upload.SourceChecksum is not null,
                Content = copy.Content,
                Began = began,
            });
            _whole.Reporter.AddUnpublished(1);
            return true;
        }
        catch (TransferException e)
        {
            e.CleanupError ??= await MultipartAbort.RunAsync(_whole, address, upload.UploadId).ConfigureAwait(false); // the journal doesn't have it
            throw;
        }
    }

    /// <summary>Looks at all targets again, and commits the publication if they are as they were when they were listed.</summary>
    /// <param name="ended">Receives what has changed.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>Whether it was committed.</returns>
    public async Task<bool> TryCommitAsync(Action<Outcome> ended, CancellationToken cancellationToken)
    {
        bool isChanged = false;
        await foreach (((_, StagedItem item), string change) in _items.ReviewAsync(cancellationToken).ConfigureAwait(false))
        {
            isChanged = true;
            ended(Decide(item) with { Status = OutcomeStatus.Conflict, Error = Changed(item, change) });
        }

        if (!isChanged)
        {
            cancellationToken.ThrowIfCancellationRequested();
            _journal.Commit();
        }

        return !isChanged;
    }

    /// <summary>
    /// Publishes all objects of a committed publication, whatever happens to some of them, except that the last ones aren't published if another one failed. Then a new
    /// publication begins.
    /// </summary>
    /// <param name="ended">Receives how each has ended.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task CompleteAsync(Action<Outcome, StagedItem> ended, CancellationToken cancellationToken)
    {
        UsageLimit.ExceptCleanup(); // half of a publication would be left
        using CancellationTokenSource givenUp = new();
        ConcurrentQueue<Exception> left = [];
        long count = Count;
        TimeSpan window = await _items.PublishAsync(PublishAsync, () => !left.IsEmpty || _journal.HasFailed, givenUp.Token).ConfigureAwait(false);
        if (left.TryPeek(out Exception? cause))
        {
            cancellationToken.ThrowIfCancellationRequested();
            throw new TransferException(
                $"{_journal.Left} of {count} objects were not published: {cause.Message} Synchronize once more in the same way to publish them.", cause)
            {
                Bucket = _target.Address.Bucket,
                Key = _target.Address.Key,
            };
        }

        Window = count > 0 ? window : Window;
        ParallelOptions parallel = new() { MaxDegreeOfParallelism = _pair.MaxConcurrentObjects };
        await Parallel.ForEachAsync(_journal.ReadItems(), parallel, async (one, _) => await EndAsync(one.Number, one.Item, null, NotLast(one.Item), ended).ConfigureAwait(false)).ConfigureAwait(false);
        _journal.Begin();
        if (_firstFailure is { } failure)
        {
            ExceptionDispatchInfo.Throw(failure);
        }

        async Task PublishAsync((long Number, StagedItem Item) one, CancellationToken stopping)
        {
            StagedItem item = one.Item;
            try
            {
                StagedResult result = await _completion.RunAsync(item.Name, item.Upload, TargetState.Listed(item.Target), isReviewed: true, stopping).ConfigureAwait(false);
                await EndAsync(one.Number, item, result, null, ended).ConfigureAwait(false);
            }
            catch (Exception e) when (TreeSync.IsOfObject(e) && ResumePolicy.CanResumeAfter(e))
            {
                left.Enqueue(e);
                if (cancellationToken.IsCancellationRequested)
                {
                    await givenUp.CancelAsync().ConfigureAwait(false);
                }
            }
            catch (Exception e) when (TreeSync.IsOfObject(e))
            {
                await EndAsync(one.Number, item, null, e, ended).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Aborts all uploads, unless the publication was committed.</summary>
    /// <returns>The first error; null if no upload is open anymore.</returns>
    public async Task<Exception?> AbortAsync()
    {
        Exception? first = null;
        ParallelOptions parallel = new() { MaxDegreeOfParallelism = _pair.MaxConcurrentObjects };
        foreach ((string key, DateTimeOffset announced) in _journal.Announced)
        {
            try
            {
                if (await AbandonedUploads.FindAsync(_whole, _target.Address with { Key = key }, announced).ConfigureAwait(false) is { } uploadId)
                {
                    _journal.Created(key, uploadId);
                }
            }
            catch (Exception e) when (e is WireException or OperationCanceledException)
            {
                first ??= new TransferException($"{_target.Address with { Key = key }}: an upload of an earlier run could not be looked for: {e.Message}", e);
            }
        }

        await Parallel.ForEachAsync(_journal.ReadUploads(), parallel, async (upload, _) =>
        {
            if (await MultipartAbort.RunAsync(_whole, _target.Address with { Key = upload.Key }, upload.UploadId).ConfigureAwait(false) is { } error)
            {
                Interlocked.CompareExchange(ref first, error, null);
            }
        }).ConfigureAwait(false);
        if (first is null)
        {
            _journal.Begin();
        }

        return first;
    }

    /// <summary>Deletes the journal, because nothing is left to do.</summary>
    public void End() => _journal.Delete();

    public void Dispose() => _journal.Dispose();

    private async Task EndAsync(long number, StagedItem item, StagedResult? result, Exception? error, Action<Outcome, StagedItem> ended)
    {
        Outcome outcome = Decide(item);
        if (error is not null)
        {
            _ = await MultipartAbort.RunAsync(_whole, _target.GetAddress(item.Name), item.Upload.UploadId).ConfigureAwait(false);
            outcome = outcome with { Status = TreeSync.IsConflict(error) ? OutcomeStatus.Conflict : OutcomeStatus.Failed, Error = error };
            if (outcome.Status == OutcomeStatus.Failed)
            {
                _journal.Fail();
            }
        }
        else
        {
            ChecksumVerdict? verdict = result!.Verdict;
            outcome = outcome with
            {
                Status = OutcomeStatus.Done,
                TargetETag = result.ETag,
                LostProperties = [.. item.Lost, .. result.Lost],
                Verdict = verdict is { IsVerified: true } && item.Unverified is { } reason ? ChecksumVerdict.Unverified(reason, verdict.Algorithm, verdict.Value) : verdict,
            };
        }

        _journal.End(number);
        _whole.Reporter.AddUnpublished(-1);
        try
        {
            ended(outcome, item);
        }
#pragma warning disable CA1031 // thrown after all others were published
        catch (Exception e)
#pragma warning restore CA1031
        {
            Interlocked.CompareExchange(ref _firstFailure, e, null);
        }
    }

    private Outcome Decide(StagedItem item) => new()
    {
        Operation = item.Operation,
        Status = OutcomeStatus.Planned,
        Name = item.Name,
        Bytes = item.Upload.Bytes,
        Reason = item.Reason,
        From = _pair.Source.Place,
        To = _target.Place,
        SourceETag = item.SourceETag,
        TargetETagBefore = item.TargetETag,
    };

    private TransferException NotLast(StagedItem item) => NewError(item, "not published, because it comes after everything else, and something failed", TransferError.Other);

    private TransferException Changed(StagedItem item, string change) => NewError(item, $"{change} after it was listed", TransferError.PreconditionFailed);

    private TransferException NewError(StagedItem item, string what, TransferError error)
    {
        ObjectAddress address = _target.GetAddress(item.Name);
        return new TransferException($"{address} was {what}.") { Error = error, Bucket = address.Bucket, Key = address.Key };
    }
}
