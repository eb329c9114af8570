using System.Runtime.CompilerServices;
using Transfer.S3.Concurrency;
using Transfer.S3.Copy;
using Transfer.S3.Delete;
using Transfer.S3.Requests;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Directories;

/// <summary>Copies the objects under a prefix, within a store or to another one. Objects are copied while the listing is being read.</summary>
internal sealed class DirectoryCopy
{
    private readonly StoreCopy? _storeCopy;
    private readonly string _sourcePrefix;
    private readonly string _prefix;
    private readonly DirectoryOptions _options;
    private readonly CopyOptions _each;
    private readonly CopyPlan _plan;
    private readonly PathFilter _filter;
    private readonly ArchivedSources _archived;
    private readonly Place _from;
    private readonly Place _to;
    private bool _isSameStore;

    private DirectoryCopy(ClientContext context, ClientContext? other, S3Uri source, S3Uri target, DirectoryOptions options)
    {
        _sourcePrefix = KeyPrefix.Normalize(source.Key);
        _prefix = KeyPrefix.Normalize(target.Key);
        _options = options;
        _each = (options.Copy ?? new CopyOptions()) with { Overwrite = !options.SkipExisting };
        _plan = CopyPlan.ForPrefix(source with { Key = _sourcePrefix }, target with { Key = _prefix }, _each, context.Settings);
        _filter = new PathFilter(options);
        _archived = new ArchivedSources(options);
        _isSameStore = other is null || other.Store == context.Store;
        (_from, _to) = (Place.Of(Source), Place.Of(Address));
        if (other is not null)
        {
            UploadOptions upload = (options.Upload ?? new UploadOptions()) with { Overwrite = !options.SkipExisting, Handle = null };
            _storeCopy = new StoreCopy(context, other, new StoreCopyOptions
            {
                SourceCustomerKey = options.Download?.CustomerKey,
                SourceRequesterPays = options.Download?.RequesterPays ?? false,
                VerifySource = options.Download?.Verify ?? true,
                Target = upload,
            });
            _plan = _plan with
            {
                Source = _plan.Source with { Reading = new ReadAccess(options.Download?.RequesterPays ?? false, options.Download?.CustomerKey) },
                Target = _plan.Target with { Reading = new ReadAccess(upload.RequesterPays, upload.CustomerKey) },
            };
            _storeCopy.Check(source, target);
        }
    }

    public ObjectAddress Address => _plan.Target with { Key = _prefix };

    public ObjectAddress Source => _plan.Source with { Key = _sourcePrefix };

    /// <summary>Validates the arguments and options.</summary>
    /// <param name="context">The client of the source.</param>
    /// <param name="other">The client of the target; null to copy within the store.</param>
    /// <param name="source">The prefix of the source.</param>
    /// <param name="target">The prefix of the target.</param>
    /// <param name="options">The options.</param>
    public static DirectoryCopy Plan(ClientContext context, ClientContext? other, S3Uri source, S3Uri target, DirectoryOptions options)
    {
        DirectoryGuard.Check(options);
        DirectoryCopy copy = new(context, other, source, target, options);
        return copy.IsSource(copy._prefix)
            ? throw new ArgumentException($"{copy.Address} is {copy.Source} or under it, so the copies would be copied again.", nameof(target))
            : copy;
    }

    /// <param name="reading">The call at the source; the same as <paramref name="whole"/> within a store.</param>
    /// <param name="whole">The transfer, which is a call at the target.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task<DirectoryResult> RunAsync(TransferRun reading, TransferRun whole, CancellationToken cancellationToken)
    {
        ManyTally totals = new(_options.OnFailure, _options.ObjectEnded, whole.Reporter, hasSizes: _options.Keys is null);

        // Copies within a store need no memory and little network throughput, so as many run as there are requests allowed.
        ObjectWorkQueue<SelectedObject> workQueue = new(
            whole.Client.Queue,
            RequestDirection.Upload,
            _options.MaxConcurrentObjects ?? (_storeCopy is null ? whole.Client.Settings.MaxConcurrency : whole.Client.Settings.MaxUploadConcurrency),
            isFixed: _storeCopy is null || _options.MaxConcurrentObjects is not null || whole.Client.Settings.IsUploadConcurrencyGiven,
            item => item.Listed.Length > (_storeCopy is null ? _plan.MultipartThresholdBytes : whole.Client.Settings.MultipartThresholdBytes),
            (item, token) => CopyAsync(item.Listed, item.Length, totals, reading, whole, token),
            whole: _options.MaxConcurrentObjects is not null || whole.Client.Settings.IsConcurrencyGiven ? whole.Reporter : null);
        await workQueue.RunAsync(FindAsync(totals, reading, whole, cancellationToken), totals.FoundAll, cancellationToken).ConfigureAwait(false);
        return totals.ToResult();
    }

    private async IAsyncEnumerable<SelectedObject> FindAsync(
        ManyTally totals, TransferRun reading, TransferRun whole, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        ListQuery query = new(Source.Bucket, _sourcePrefix, Source.Access) { AsOf = _options.AsOf, WithRestoreStates = true };
        bool isFirst = true;
        bool isFirstBelowTarget = true;
        await foreach (SelectedObject selected in SelectedObjects.ReadAsync(reading, query, _options.Keys, _filter, _sourcePrefix.Length, item => totals.Refused(NotUnder(query, item)), cancellationToken).ConfigureAwait(false))
        {
            ListedObject listed = selected.Listed;

            // The second look is for the case that the first object was replaced at that moment.
            bool isBelowTarget = IsUnderSource(_prefix) && listed.Key.StartsWith(_prefix, StringComparison.Ordinal);
            if ((isFirst || (isFirstBelowTarget && isBelowTarget)) && await TryCheckIsOtherBucketAsync(listed, reading, whole, cancellationToken).ConfigureAwait(false))
            {
                (isFirst, isFirstBelowTarget) = (false, isFirstBelowTarget && !isBelowTarget);
            }

            string relative = listed.Key[_sourcePrefix.Length..];
            if (relative.Length == 0 || !_filter.Takes(listed, _sourcePrefix.Length))
            {
                continue; // the prefix itself, which consoles create to show a folder
            }

            string target = _prefix + relative;
            if (IsSource(target))
            {
                totals.Refused(Begin(listed).Failed(Refused(listed.Key, target)));
                continue;
            }

            totals.Found(listed.Length);
            yield return selected;
        }
    }

    private async Task CopyAsync(ListedObject item, long? length, ManyTally totals, TransferRun reading, TransferRun whole, CancellationToken cancellationToken)
    {
        Outcome outcome = Begin(item);
        CopyPlan plan = _plan with
        {
            Source = _plan.Source with { Key = item.Key, VersionId = item.VersionId },
            Target = _plan.Target with { Key = _prefix + item.Key[_sourcePrefix.Length..] },
        };
        try
        {
            ObjectPresence? presence = _options.SkipExisting ? await LookAsync(plan.Target, whole, cancellationToken).ConfigureAwait(false) : null;
            if (presence == ObjectPresence.Present || (item.IsLatest && IsInPlace))
            {
                outcome = outcome with { Status = OutcomeStatus.Skipped };
            }
            else if (await _archived.CheckAsync(reading, plan.Source, item.StorageClass, item.Restore, outcome, cancellationToken).ConfigureAwait(false) is { } ended)
            {
                outcome = ended;
            }
            else if (!_options.DryRun)
            {
                bool isOther = !_options.DeleteSource || await SourceRemoval
                    .IsOtherAsync(reading, plan.Source, () => AsListedAsync(item, reading, cancellationToken), whole, plan.Target, cancellationToken).ConfigureAwait(false);
                outcome = await CopyAsync(plan with { Presence = presence }, isOther, outcome, length, reading, whole, cancellationToken).ConfigureAwait(false);
            }
        }
        catch (TransferException e)
        {
            outcome = outcome.Failed(e);
        }

        totals.Ended(outcome);
    }

    private static async Task<ObjectPresence> LookAsync(ObjectAddress target, TransferRun whole, CancellationToken cancellationToken)
    {
        try
        {
            return await PresenceLookup.RunAsync(whole, target, cancellationToken).ConfigureAwait(false);
        }
        catch (WireException e)
        {
            throw Failures.Create(target, "check whether the object exists", null, e);
        }
    }

    private async Task<Outcome> CopyAsync(
        CopyPlan plan, bool isOther, Outcome outcome, long? length, TransferRun reading, TransferRun whole, CancellationToken cancellationToken)
    {
        TransferRun run = _storeCopy is null
            ? whole.Client.Begin(TransferDirection.Copy, plan.Target, null, _each.Events, whole)
            : whole.Client.Begin(TransferDirection.Upload, plan.Target, null, _options.Upload?.Events, whole);
        try
        {
            Task<CompletedCopy> copy = _storeCopy is null
                ? new CopyCoordinator(run, plan).RunAsync(cancellationToken)
                : _storeCopy.RunAsync(plan, length, reading, run, cancellationToken);
            CompletedCopy completed = await run.EndAfterAsync(copy).ConfigureAwait(false);
            if (_options.DeleteSource)
            {
                await SourceRemoval.RemoveAsync(reading, plan.Source, completed, whole, plan.Target, isOther, _each.AllowedLosses, cancellationToken).ConfigureAwait(false);
            }

            CopyResult result = completed.Result;
            return outcome with { Status = OutcomeStatus.Done, Bytes = result.Statistics.BytesTransferred, Verdict = result.Verdict, LostProperties = result.LostProperties, TargetETag = result.ETag, SourceETag = result.SourceETag };
        }
        catch (TransferException e) when (e.Error == TransferError.Archived)
        {
            return await _archived.EndAsync(reading, plan.Source, outcome, e, cancellationToken).ConfigureAwait(false);
        }
        catch (PreconditionFailedException) when (_options.SkipExisting)
        {
            return outcome with { Status = OutcomeStatus.Skipped };
        }
    }

    /// <summary>Gets a value that indicates whether earlier versions become the current ones. These copies have the keys of their sources, so none is copied again.</summary>
    private bool IsInPlace => _options.AsOf is not null && _isSameStore && Source.Bucket == Address.Bucket && _prefix == _sourcePrefix;

    /// <summary>Returns whether a key of the target is under the source prefix, so that it could be copied again.</summary>
    private bool IsSource(string key) => _isSameStore && !IsInPlace && Source.Bucket == Address.Bucket && IsUnderSource(key);

    private bool IsUnderSource(string key) => Overlap.Contains(_sourcePrefix, key);

    /// <summary>Checks that buckets of the same name in stores with different addresses are different buckets, if the copies would otherwise be copied again.</summary>
    /// <returns>False if an object of a list doesn't exist, so that it tells nothing.</returns>
    private async Task<bool> TryCheckIsOtherBucketAsync(ListedObject listed, TransferRun reading, TransferRun whole, CancellationToken cancellationToken)
    {
        if (_options is { Keys: not null, DeleteSource: false } || _isSameStore || Source.Bucket != Address.Bucket || !Overlap.Exists(_sourcePrefix, _prefix))
        {
            return true; // a list doesn't grow by the copies
        }

        try
        {
            listed = await AsListedAsync(listed, reading, cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException e) when (e.IsOfMissingObject)
        {
            return false;
        }

        bool? isSame = await SameBucket.HasAsync(whole, _plan.Target, listed, cancellationToken).ConfigureAwait(false);
        if (isSame == true && IsUnderSource(_prefix))
        {
            throw new TransferException(
                $"{Address} is {Source} or under it, so the copies would be copied again. Both stores have the object {listed.Key} with the same ETag and date, so they are the same store under two names.")
            {
                Bucket = Address.Bucket,
                Key = listed.Key,
            };
        }

        if (isSame is null && IsUnderSource(_prefix) && _prefix != _sourcePrefix)
        {
            throw new TransferException(
                $"{Address} is under {Source}, and the target doesn't tell whether it is another store, so the copies could be copied again and again. Allow HEAD requests at the target, or copy to another prefix or bucket.")
            {
                Bucket = Address.Bucket,
                Key = listed.Key,
            };
        }

        _isSameStore = isSame == true;
        return true;
    }

    /// <summary>Gets the properties that a listing would have now, because those in a list can be old.</summary>
    private async Task<ListedObject> AsListedAsync(ListedObject item, TransferRun reading, CancellationToken cancellationToken)
    {
        if (_options.Keys is null)
        {
            return item;
        }

        ObjectAddress source = _plan.Source with { Key = item.Key };
        try
        {
            ObjectInfo info = (await reading.SendAsync(token => reading.Client.Wire.HeadAsync(source, token), cancellationToken).ConfigureAwait(false)).Info;
            return new ListedObject { Key = item.Key, Length = info.Length, ETag = info.ETag, LastModified = info.LastModified };
        }
        catch (WireException e)
        {
            throw Failures.Create(source, "read the headers", null, e);
        }
    }

    private Outcome Begin(ListedObject item) => new()
    {
        Operation = ObjectOperation.Copy,
        Status = OutcomeStatus.Planned,
        Name = item.Key[_sourcePrefix.Length..],
        Bytes = item.Length,
        From = _from,
        To = _to,
    };

    private Outcome NotUnder(ListQuery query, ListedObject item) => SelectedObjects.NotUnder(query, item, isInList: _options.Keys is not null);

    private TransferException Refused(string key, string target)
        => new($"{_plan.Source with { Key = key }} can't be copied to {target}, because that key is under the source prefix.") { Bucket = Source.Bucket, Key = key };
}
