using System.Globalization;
using System.Runtime.CompilerServices;
using Transfer.S3.Concurrency;
using Transfer.S3.Delete;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>
/// Deletes the objects under a prefix in batches, while the listing or the list of keys is being read. Memory holds a few pages of the listing, the batches in flight, and a few that wait.
/// </summary>
internal sealed class TreeDelete
{
    /// <summary>The number of batches in flight. Stores delete the objects of a batch concurrently, so few are enough.</summary>
    private const int BatchesAtOnce = 16;

    /// <summary>The number of batches that wait.</summary>
    private const int BatchesAhead = 4;

    private readonly string _prefix;
    private readonly string _folder;
    private readonly DeleteDirectoryOptions _options;
    private readonly PathFilter _filter;
    private readonly Place _place;
    private long _mostObjects = long.MaxValue;

    private TreeDelete(string bucket, string prefix, DeleteDirectoryOptions options)
    {
        _prefix = options.AnyPrefix ? prefix : KeyPrefix.Normalize(prefix);
        _folder = _prefix[..(_prefix.LastIndexOf('/') + 1)];
        _options = options;
        _filter = new PathFilter(options.Include, options.Exclude, options.Filter);
        Address = new ObjectAddress(bucket, _prefix, null, new ReadAccess(options.RequesterPays, null));
        _place = Place.Of(Address with { Key = _folder });
    }

    public ObjectAddress Address { get; }

    /// <summary>Validates the arguments and options.</summary>
    public static TreeDelete Plan(string bucket, string prefix, DeleteDirectoryOptions options)
    {
        OptionGuard.Bucket(bucket);
        ArgumentNullException.ThrowIfNull(prefix);
        if (prefix.Length == 0 && !options.WholeBucket && options.Keys is null)
        {
            throw new ArgumentException(
                $"The prefix is empty, so all objects of the bucket {bucket} would be deleted. Set {nameof(options.WholeBucket)} if that is intended.", nameof(prefix));
        }

        PathFilter.Check(options.Include, options.Exclude, options.Filter);
        SelectedObjects.Check(options.Keys is not null, options.Filter, asOf: null);
        if (options is { Keys: not null, MaxDelete: not null })
        {
            throw new ArgumentException($"{nameof(options.Keys)} can't be combined with {nameof(options.MaxDelete)}.", nameof(options));
        }

        if (options.Versions && options is not { Keys: null, OnlyIfUnchanged: false })
        {
            throw new ArgumentException($"{nameof(options.Versions)} can't be combined with {nameof(options.Keys)} or {nameof(options.OnlyIfUnchanged)}.", nameof(options));
        }

        OptionGuard.Choice(nameof(options.OnFailure), options.OnFailure);
        if (options.MaxConcurrency is { } concurrency)
        {
            OptionGuard.Number(nameof(options.MaxConcurrency), concurrency, 1, TransferDefaults.MaxConcurrency);
        }

        return new TreeDelete(bucket, prefix, options);
    }

    public async Task<DirectoryResult> RunAsync(TransferRun whole, CancellationToken cancellationToken)
    {
        await CheckLimitsAsync(whole, cancellationToken).ConfigureAwait(false);
        ManyTally totals = new(_options.OnFailure, _options.ObjectEnded, whole.Reporter, hasSizes: _options.Keys is null);
        ObjectDeleter deleter = new(whole, Address.Bucket, Address.Access);
        ObjectWorkQueue<Batch> workQueue = new(
            whole.Client.Queue,
            RequestDirection.Upload,
            _options.MaxConcurrency ?? Math.Min(BatchesAtOnce, whole.Client.Settings.MaxConcurrency),
            isFixed: true,
            static _ => false,
            (batch, token) => DeleteAsync(batch, deleter, totals, token),
            ahead: BatchesAhead);
        await workQueue.RunAsync(FindAsync(totals, whole, cancellationToken), totals.FoundAll, cancellationToken).ConfigureAwait(false);
        return totals.ToResult();
    }

    /// <summary>Counts the objects before the first one is deleted, if there is a limit.</summary>
    private async Task CheckLimitsAsync(TransferRun whole, CancellationToken cancellationToken)
    {
        if (_options.MaxDelete is not { } limit)
        {
            return;
        }

        long all = 0;
        long selected = 0;
        await foreach (ListedObject listed in ObjectListing.ReadAsync(whole, Query, static _ => { }, cancellationToken).ConfigureAwait(false))
        {
            all++;
            selected += _filter.Takes(listed, _folder.Length) ? 1 : 0;
        }

        _mostObjects = limit.GetMost(all);
        if (selected > _mostObjects)
        {
            throw Exceeded(string.Create(CultureInfo.InvariantCulture, $"{selected} of {all} objects would be deleted, and the limit is {limit}. Nothing was deleted."));
        }
    }

    private ListQuery Query => new(Address.Bucket, _prefix, Address.Access) { Versions = _options.Versions };

    private async IAsyncEnumerable<Batch> FindAsync(ManyTally totals, TransferRun whole, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        Batch batch = NewBatch();
        long found = 0;
        await foreach ((ListedObject listed, _) in SelectedObjects.ReadAsync(whole, Query, _options.Keys, _filter, _folder.Length, item => totals.Refused(NotUnder(item)), cancellationToken).ConfigureAwait(false))
        {
            if (!_filter.Takes(listed, _folder.Length))
            {
                continue;
            }

            if (++found > _mostObjects)
            {
                throw Exceeded($"objects were added after they were counted, and more than {_options.MaxDelete} would be deleted. {found - 1} others were already deleted.");
            }

            totals.Found(0);
            if (_options.DryRun)
            {
                bool isOfBatch = batch.TryAdd(listed, GetDeletion(listed));
                if (!isOfBatch)
                {
                    batch = NewBatch();
                    batch.TryAdd(listed, GetDeletion(listed));
                }

                bool isFirst = batch.Listed.Count == 1;
                StoreUsage usage = isFirst ? ObjectDeleter.Estimate(whole.Client.Profile, Address.Bucket, DeletionBatch.MaxObjects, _options.OnlyIfUnchanged) : default;
                totals.Ended(GetOutcome(listed, OutcomeStatus.Planned) with { Usage = usage });
                continue;
            }

            if (_options.OnlyIfUnchanged && string.IsNullOrEmpty(listed.ETag))
            {
                totals.Ended(GetOutcome(listed, OutcomeStatus.Planned).Failed(WithoutETag(listed)));
                continue;
            }

            ObjectDeletion deletion = GetDeletion(listed);
            if (!batch.TryAdd(listed, deletion))
            {
                yield return batch;
                batch = NewBatch();
                batch.TryAdd(listed, deletion);
            }
        }

        if (batch.Listed.Count > 0 && !_options.DryRun)
        {
            yield return batch;
        }
    }

    /// <summary>Gets the deletion of an object. What a list says of it is why it is in the list.</summary>
    private ObjectDeletion GetDeletion(ListedObject listed) => new(listed.Key, _options.OnlyIfUnchanged || _options.Keys is not null ? listed.ETag : null, listed.VersionId);

    private Batch NewBatch() => new(mayRepeat: _options.Keys is not null);

    private TransferException WithoutETag(ListedObject listed) => new(
        $"{GetAddress(listed)} was not deleted, because {(_options.Keys is null ? "the store lists no ETag for it" : "the list of keys has no ETag for it")}, so that it isn't known whether it has changed.")
    {
        Bucket = Address.Bucket,
        Key = listed.Key,
    };

    private Outcome GetOutcome(ListedObject listed, OutcomeStatus status) => new()
    {
        Operation = ObjectOperation.Delete,
        Status = status,
        Name = listed.Key[_folder.Length..],
        Bytes = listed.Length,
        VersionId = listed.VersionId,
        TargetETagBefore = listed.ETag,
        To = _place,
    };

    private Outcome NotUnder(ListedObject item)
    {
        Outcome outcome = SelectedObjects.NotUnder(Query, item, isInList: _options.Keys is not null);
        return outcome with { Operation = ObjectOperation.Delete, From = null, To = outcome.From };
    }

    private ObjectAddress GetAddress(ListedObject listed) => Address with { Key = listed.Key };

    private async Task DeleteAsync(Batch batch, ObjectDeleter deleter, ManyTally totals, CancellationToken cancellationToken)
    {
        TransferException?[] errors = await deleter.DeleteAsync(batch.Deletions.Objects, cancellationToken).ConfigureAwait(false);
        for (int i = 0; i < errors.Length; i++)
        {
            if (errors[i] is null)
            {
                totals.Ended(GetOutcome(batch.Listed[i], OutcomeStatus.Done));
            }
        }

        // The first failure can end the call, so what was deleted is reported first.
        for (int i = 0; i < errors.Length; i++)
        {
            if (errors[i] is { } error)
            {
                totals.Ended(GetOutcome(batch.Listed[i], OutcomeStatus.Planned).Failed(error));
            }
        }
    }

    private TransferException Exceeded(string what) => new($"{Address}: {what}") { Error = TransferError.DeletionLimit, Bucket = Address.Bucket, Key = Address.Key };

    /// <summary>The objects of one request, as they were listed.</summary>
    /// <param name="mayRepeat">Whether a key can come twice, as in a list of keys. The second one belongs to another request, so that each answer has one key.</param>
    private sealed class Batch(bool mayRepeat)
    {
        private readonly HashSet<string>? _keys = mayRepeat ? new HashSet<string>(StringComparer.Ordinal) : null;

        public DeletionBatch Deletions { get; } = new();

        public List<ListedObject> Listed { get; } = [];

        public bool TryAdd(ListedObject listed, ObjectDeletion deletion)
        {
            bool isAdded = (_keys?.Contains(listed.Key) is not true) && Deletions.TryAdd(deletion);
            if (isAdded)
            {
                Listed.Add(listed);
                _keys?.Add(listed.Key);
            }

            return isAdded;
        }
    }
}
