using System.Runtime.CompilerServices;
using Transfer.S3.Delete;
using Transfer.S3.Download;
using Transfer.S3.Files;
using Transfer.S3.Requests;
using Transfer.S3.Stores;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>A prefix, of which objects are read or written.</summary>
/// <param name="client">The client of the store.</param>
/// <param name="prefix">The prefix, with the access options of the side.</param>
internal sealed class StoreSide(ClientContext client, ObjectAddress prefix) : Side
{
    public ObjectAddress Address => prefix;

    public ClientContext Client => client;

    public override Place Place => field ??= Place.Of(prefix);

    public override string Name => prefix.ToString();

    public override string Identity => $"{client.Store} {prefix}";

    public override bool NeedsObjects => prefix.Key.Length > 0;

    /// <summary>Gets the backup of objects that are replaced or deleted; null for none.</summary>
    public ObjectBackup? Backup { get; init; }

    /// <summary>Gets or sets the call that the requests belong to.</summary>
    public TransferRun Run { get; set; } = null!;

    /// <summary>Gets the listing of all objects.</summary>
    public ListQuery Query => new(prefix.Bucket, prefix.Key, prefix.Access);

    public ObjectAddress GetAddress(TreeEntry entry) => prefix with { Key = prefix.Key + entry.Name, VersionId = entry.VersionId };

    public ObjectAddress GetAddress(string name) => prefix with { Key = prefix.Key + name };

    public override async IAsyncEnumerable<TreeEntry> ReadAsync(SideReading reading, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        ListQuery query = Query with { AsOf = reading.AsOf, WithRestoreStates = reading.WithRestoreStates };
        Action<ListedObject> outside = reading.Outside ?? (item => throw ObjectListing.NotUnder(query, item));
        if (reading.Keys is { } keys)
        {
            await foreach ((ListedObject listed, bool hasLength) in SelectedObjects.ReadListAsync(query, keys, takesVersions: false, outside, cancellationToken).ConfigureAwait(false))
            {
                if (IsBelow(listed))
                {
                    yield return ToEntry(listed, hasLength, leftOut: null, reading);
                }
            }

            yield break;
        }

        IAsyncEnumerable<ListedObject> objects = reading.IsOrdered
            ? OrderedListing.ReadAsync(Run, query, reading.Filter, outside, cancellationToken)
            : SelectedListing.ReadAsync(Run, query, reading.Filter, prefix.Key.Length, outside, cancellationToken);
        LeftOutFiles? leftOut = reading.LeavesOutTransferFiles ? new LeftOutFiles(client.Logger) : null;
        await foreach (ListedObject listed in objects.ConfigureAwait(false))
        {
            if (IsBelow(listed))
            {
                yield return ToEntry(listed, hasLength: true, leftOut, reading);
            }
        }

        leftOut?.LogCount();
    }

    public override Task<TreeEntry?[]> FindAsync(IReadOnlyList<string> names, CancellationToken cancellationToken) => FindAsync(new ObjectFinder(Run, prefix), names, cancellationToken);

    public override Func<IReadOnlyList<string>, CancellationToken, Task<TreeEntry?[]>> StartFinding()
    {
        ObjectFinder finder = new(Run, prefix);
        return (names, cancellationToken) => FindAsync(finder, names, cancellationToken);
    }

    public override async Task<TreeEntry?> FindAgainAsync(TreeEntry entry, CancellationToken cancellationToken)
        => Single(await FindAsync(new ObjectFinder(Run, prefix with { VersionId = entry.VersionId }), [entry.Name], cancellationToken).ConfigureAwait(false));

    public override SyncMark? MarkOf(TreeEntry entry) => SyncMark.OfObject(entry.Length, entry.ETag);

    public override async ValueTask<ObjectPresence?> LookAsync(string name, bool isCheap, bool createsFolders, CancellationToken cancellationToken)
    {
        if (isCheap && HonorsConditions)
        {
            return null;
        }

        ObjectAddress address = GetAddress(name);
        try
        {
            return await PresenceLookup.RunAsync(Run, address, cancellationToken).ConfigureAwait(false);
        }
        catch (WireException e)
        {
            throw Upload.Failures.Create(address, "check whether the object exists", null, e);
        }
    }

    public override (string Reason, bool CanHave) DescribeMissing(TreeEntry entry) => ("there is no such object", CanHave: true);

    public override string DescribeDeleted() => "the object was deleted after it was listed";

    /// <summary>Writes an object under its condition, also in stores that don't know If-Match: there, the target is looked up immediately before.</summary>
    /// <param name="run">The transfer of the object.</param>
    /// <param name="address">The object.</param>
    /// <param name="target">What the object must be now.</param>
    /// <param name="sendAsync">Writes it. It can be called a second time.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <param name="isReviewed">Whether the target was looked up and backed up a moment ago, so that only the store's own condition is needed.</param>
    public async Task<T> WriteAsync<T>(
        TransferRun run, ObjectAddress address, TargetState target, Func<WriteCondition, Task<T>> sendAsync, CancellationToken cancellationToken, bool isReviewed = false)
    {
        WriteCondition condition = GetCondition(target);
        if (target.Entry is not { } listed)
        {
            return await sendAsync(condition).ConfigureAwait(false);
        }

        if (!isReviewed && (condition == default || !await HonorsConditionsAsync(cancellationToken).ConfigureAwait(false)))
        {
            await CheckUnchangedAsync(run, address, listed, cancellationToken).ConfigureAwait(false);
        }

        if (Backup is not null && !isReviewed)
        {
            await Backup.RunAsync(Run, listed, cancellationToken).ConfigureAwait(false);
        }

        try
        {
            return await sendAsync(condition).ConfigureAwait(false);
        }
        catch (TransferException e) when (condition.IfMatch is not null && Refusals.IsOfValue(e.StatusCode, e.ErrorCode))
        {
            await CheckUnchangedAsync(run, address, listed, cancellationToken).ConfigureAwait(false);
            run.Reporter.StartAgain();
            T result = await sendAsync(default).ConfigureAwait(false);
            client.Profile.Learn(StoreTrait.AnyMatch, prefix.Bucket, StoreSupport.Refused, e.Message);
            return result;
        }
    }

    public override Task DeleteAsync(IEnumerable<TreeEntry> targets, SourceReview? review, Action<TreeEntry, Exception?> ended, CancellationToken cancellationToken)
        => new ObjectRemover(Run, prefix, Backup, review).RunAsync(targets, ended, cancellationToken);

    public override StoreUsage EstimateDeletion(int count) => ObjectDeleter.Estimate(client.Profile, prefix.Bucket, count, isBound: true);

    public override StoreUsage EstimateFinding(int count) => ObjectFinder.Estimate(count);

    /// <summary>Gets the lookup and the backup of a target before it is written.</summary>
    /// <param name="target">The target.</param>
    /// <param name="isProven">Whether another object is going to prove that the store honors conditions.</param>
    public StoreUsage EstimateReview(TreeEntry target, bool isProven)
    {
        bool canBind = GetCondition(TargetState.Listed(target)) != default && (isProven || HonorsConditions);
        return EstimateBackup(target) + (canBind ? default : RequestKind.HeadObject.ToUsage());
    }

    /// <summary>Gets the requests that keep a target before it is replaced or deleted.</summary>
    public StoreUsage EstimateBackup(TreeEntry target) => Backup?.Estimate(client, target.Length) ?? default;

    private bool HonorsConditions => client.Profile.GetSupport(StoreTrait.PutCondition, prefix.Bucket) == StoreSupport.Supported;

    /// <summary>Returns whether an object is under the prefix. The prefix itself is an object that consoles create to show a folder.</summary>
    private bool IsBelow(ListedObject listed) => listed.Key.Length > prefix.Key.Length;

    private TreeEntry ToEntry(ListedObject listed, bool hasLength, LeftOutFiles? leftOut, SideReading reading)
    {
        string name = listed.Key[prefix.Key.Length..];
        bool isLeftOut = leftOut is not null && HiddenFileName.IsMatch(name.AsSpan(name.LastIndexOf('/') + 1));
        if (isLeftOut && reading.Filter.Takes(name))
        {
            leftOut!.Note(LeftOut.TransferFile, listed.Key);
        }

        return new TreeEntry(name, listed.Length)
        {
            HasLength = hasLength,
            ETag = listed.ETag,
            VersionId = listed.VersionId,
            Listed = listed,
            LeftOut = isLeftOut ? LeftOut.TransferFile : LeftOut.None,
        };
    }

    private async Task<TreeEntry?[]> FindAsync(ObjectFinder finder, IReadOnlyList<string> names, CancellationToken cancellationToken)
    {
        FoundObject[] found = await finder.FindAsync([.. names.Select(name => prefix.Key + name)], cancellationToken).ConfigureAwait(false);
        TreeEntry?[] entries = new TreeEntry?[names.Count];
        for (int i = 0; i < entries.Length; i++)
        {
            entries[i] = found[i] switch
            {
                { Error: { } error } => new TreeEntry(names[i], 0) { Error = error },
                { Object: { } listed } => new TreeEntry(names[i], listed.Length) { ETag = listed.ETag, Listed = listed },
                _ => null,
            };
        }

        return entries;
    }

    /// <summary>Gets the condition under which a target is written: it must not exist, or must have the ETag of the listing.</summary>
    private WriteCondition GetCondition(TargetState target)
        => target.IsAny ? default
            : target.Entry is not { } entry ? new WriteCondition(true)
            : entry.ETag is null || ETags.IsWeak(entry.ETag) || client.Profile.GetSupport(StoreTrait.AnyMatch, prefix.Bucket) == StoreSupport.Refused ? default
            : new WriteCondition(false, ETags.Quoted(entry.ETag)) { IsTrusted = true }; // WriteAsync looks first

    private async ValueTask<bool> HonorsConditionsAsync(CancellationToken cancellationToken)
    {
        await client.Profile.WhenProvenAsync(StoreTrait.PutCondition, prefix.Bucket, cancellationToken).ConfigureAwait(false);
        return HonorsConditions;
    }

    /// <summary>Checks that an object is still the one in the listing.</summary>
    /// <exception cref="TransferException">Thrown when it isn't (<see cref="TransferError.PreconditionFailed"/>).</exception>
    private static async Task CheckUnchangedAsync(TransferRun run, ObjectAddress address, TreeEntry target, CancellationToken cancellationToken)
    {
        ObjectInfo now = await ObjectLookup.RunAsync(run, address, cancellationToken).ConfigureAwait(false);
        if (now.Length != target.Length || !ETags.AreSame(now.ETag, target.ETag))
        {
            throw new TransferException($"{address} was replaced after it was listed.") { Error = TransferError.PreconditionFailed, Bucket = address.Bucket, Key = address.Key };
        }
    }
}
