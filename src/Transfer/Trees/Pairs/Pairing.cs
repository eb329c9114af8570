using Transfer.S3.Concurrency;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Stores;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>Two sides, and how one item of them is copied and compared. It depends on the kinds of the sides, and is chosen once.</summary>
internal abstract class Pairing : IDisposable
{
    private static readonly SyncOptions CopiesAll = new() { UseState = false };

    /// <param name="options">The options of a copy or of a synchronization.</param>
    /// <param name="client">The client of the target, which also runs the operation.</param>
    /// <param name="source">The source.</param>
    /// <param name="target">The target.</param>
    /// <param name="use">What the sides are used for.</param>
    protected Pairing(TreeTransferOptions options, ClientContext client, Side source, Side target, PairingUse use)
    {
        (Options, Client, Source, Target, Use) = (options, client, source, target, use);
        Sync = options as SyncOptions ?? CopiesAll;
        Filter = new PathFilter(options);
    }

    public TreeTransferOptions Options { get; }

    /// <summary>Gets how both sides are compared, and what is deleted. A copy compares nothing and deletes nothing.</summary>
    public SyncOptions Sync { get; }

    /// <summary>Gets a value that indicates whether sources are deleted after they were copied.</summary>
    public bool Moves => Options is DirectoryOptions { DeleteSource: true };

    public Side Source { get; }

    public Side Target { get; }

    /// <summary>Gets the client of the target, which runs the operation.</summary>
    public ClientContext Client { get; }

    /// <summary>Gets what is selected on both sides.</summary>
    public PathFilter Filter { get; }

    public abstract TransferDirection Direction { get; }

    /// <summary>Gets the side that the transfer is named after: the prefix that is written or, for a local target, read.</summary>
    public ObjectAddress Address => (Target as StoreSide ?? (StoreSide)Source).Address;

    /// <summary>Gets the size from which an item is transferred in parts.</summary>
    public abstract long LargeBytes { get; }

    /// <summary>Gets the number of small items to transfer concurrently.</summary>
    public virtual int MaxConcurrentObjects => Options.MaxConcurrentObjects ?? Client.Settings.MaxConcurrency;

    /// <summary>Gets a value that indicates whether exactly this number is used.</summary>
    public virtual bool IsConcurrencyFixed => Options.MaxConcurrentObjects is not null || Client.Settings.IsConcurrencyGiven;

    /// <summary>Gets a value that indicates whether a source must still be what was listed. Otherwise, what has replaced it is copied.</summary>
    protected bool PinsSource => Use != PairingUse.Copy;

    /// <summary>Gets a value that indicates whether someone recognizes the files again, so that their state is looked up. A plain copy saves these system calls.</summary>
    protected bool MarksFiles => Use == PairingUse.Sync;

    protected PairingUse Use { get; }

    /// <summary>Gets the current time.</summary>
    public DateTimeOffset Now => Client.Time.GetUtcNow();

    /// <summary>Gets the operation, which is a call at the target.</summary>
    protected TransferRun Whole { get; private set; } = null!;

    /// <summary>Validates the places and the options. The caller disposes the result.</summary>
    /// <param name="client">The client of the source, or of the only store.</param>
    /// <param name="other">The client of the target's store; null if there is only one store.</param>
    /// <param name="source">The source.</param>
    /// <param name="target">The target.</param>
    /// <param name="options">The options of a copy or of a synchronization.</param>
    /// <param name="use">What the sides are used for. Jobs use them as a synchronization, also for a copy.</param>
    public static Pairing Plan(ClientContext client, ClientContext? other, Place source, Place target, TreeTransferOptions options, PairingUse use)
    {
        TreeGuard.Check(options, isUpload: source is { IsLocal: true });
        Pairing pairing = Choose(client, other, source, target, options, use);
        if (pairing is StorePairing stores && use == PairingUse.Copy)
        {
            new CopyOverlap(stores).Check();
        }
        else if (pairing is StorePairing synchronized)
        {
            StoreOverlap.Check(synchronized);
        }

        return pairing;
    }

    /// <summary>Chooses how to copy between two sides, whose options are valid.</summary>
    public static Pairing Choose(ClientContext client, ClientContext? other, Place source, Place target, TreeTransferOptions options, PairingUse use)
    {
        ArgumentNullException.ThrowIfNull(source);
        ArgumentNullException.ThrowIfNull(target);
        return (source.Normalize(), target.Normalize()) switch
        {
            (_, { IsLocal: true }) when options is SyncOptions { Publish: PublishMode.AllAtOnce } => throw new ArgumentException(
                $"{nameof(SyncOptions.Publish)} is {nameof(PublishMode.AllAtOnce)}, and the target, {target}, is a folder. Only what is uploaded to a store can be published all at once."),
            ({ IsLocal: true }, { IsLocal: true }) => throw new ArgumentException($"The source, {source}, and the target, {target}, are folders. One of them must be in a store."),
            ({ IsLocal: true }, _) or (_, { IsLocal: true }) when other is not null => throw new ArgumentException("A folder and a prefix need one store. Specify no client of another store."),
            ({ Path: { } folder }, { Bucket: { } bucket, Prefix: { } prefix }) => new UploadPairing(client, folder, bucket, prefix, options, use),
            ({ Bucket: { } bucket, Prefix: { } prefix }, { Path: { } folder }) => new DownloadPairing(client, bucket, prefix, folder, options, use),
            var (from, to) => new StorePairing(client, other, new S3Uri(from.Bucket!, from.Prefix!), new S3Uri(to.Bucket!, to.Prefix!), options, use),
        };
    }

    /// <summary>Begins. Both calls are the same if only one store is used.</summary>
    /// <param name="reading">The call at the source.</param>
    /// <param name="whole">The operation, which is a call at the target.</param>
    public void Begin(TransferRun reading, TransferRun whole)
    {
        Whole = whole;
        (Source as StoreSide)?.Run = reading;
        (Target as StoreSide)?.Run = whole;
    }

    /// <summary>Checks what needs a request or the disk, before anything is compared.</summary>
    public virtual Task CheckAsync(CancellationToken cancellationToken)
    {
        Source.CheckSource();
        Target.CheckTarget();
        return Task.CompletedTask;
    }

    /// <summary>Reads the source and the target in the same order.</summary>
    /// <param name="outside">Receives objects whose keys don't begin with the prefix of their side; null to fail.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public IAsyncEnumerable<(TreeEntry? Source, TreeEntry? Target)> ReadAsync(Action<Side, ListedObject>? outside, CancellationToken cancellationToken)
    {
        bool isWithFolder = Source is FolderSide || Target is FolderSide;
        SideReading reading = new(Filter)
        {
            LeavesOutTransferFiles = isWithFolder,
            AsOf = Options.AsOf,
            IgnoresHidden = !Options.IncludeHidden,
            Outside = outside is null ? null : item => outside(Source, item),
        };
        SideReading targets = new(Sync.DeleteExcluded ? PathFilter.All : Filter)
        {
            LeavesOutTransferFiles = isWithFolder,
            AsOf = Source is FolderSide ? Options.AsOf : null,
            LogsLeftOut = !Sync.Delete,
            Outside = outside is null ? null : item => outside(Target, item),
        };
        return SortedMerge.MergeAsync(
            Source.ReadAsync(reading, cancellationToken), static entry => entry.Name, Target.ReadAsync(targets, cancellationToken), static entry => entry.Name, cancellationToken);
    }

    /// <summary>Creates the queue of the items.</summary>
    /// <param name="getLength">Gets the size of an item.</param>
    /// <param name="workAsync">Processes one item. An exception stops all items.</param>
    /// <param name="ahead">The maximum number of found items that wait.</param>
    public ObjectWorkQueue<T> CreateQueue<T>(Func<T, long> getLength, Func<T, CancellationToken, Task> workAsync, int ahead = ObjectWorkQueue.Ahead) => new(
        Client.Queue,
        Direction == TransferDirection.Download ? RequestDirection.Download : RequestDirection.Upload,
        MaxConcurrentObjects,
        IsConcurrencyFixed,
        item => getLength(item) >= LargeBytes,
        workAsync,
        Whole.Reporter.Limits,
        whole: !IsConcurrencyFixed || Options.MaxConcurrentObjects is not null || Client.Settings.IsConcurrencyGiven ? Whole.Reporter : null,
        ahead: ahead);

    /// <summary>Opens the state of the last run between the same two sides; null for none.</summary>
    public SyncState? OpenState() => KeepsState
        ? SyncState.TryOpen(Client, Source.Identity, Target.Identity)
        : null;

    /// <summary>Gets a value that indicates whether state is kept for the next run. Only Linux has marks of files.</summary>
    protected bool KeepsState => Sync is { UseState: true, Comparison: SyncComparison.Auto or SyncComparison.Content }
        && (OperatingSystem.IsLinux() || (Source is StoreSide && Target is StoreSide));

    /// <summary>Returns whether an entry is selected. If a name exists on both sides, the source decides.</summary>
    public bool IsSelected(TreeEntry entry) => Filter.Takes(entry.Name) && HasSelectedProperties(entry);

    /// <summary>Returns whether an entry has the properties to select.</summary>
    public bool HasSelectedProperties(TreeEntry entry) => entry.Listed is { } listed ? Filter.TakesProperties(listed)
        : Filter.TakesProperties(entry.IsFolder, entry.Length, entry.LastWrite == 0 ? null : new DateTimeOffset(entry.LastWrite, TimeSpan.Zero));

    /// <summary>Returns whether an entry that can't be read may be or contain something that is selected.</summary>
    public bool CanBeSelected(TreeEntry entry) => entry.HasFolderName ? !Filter.Prunes(entry.Name) : Filter.Takes(entry.Name);

    /// <summary>Compares a source and a target of the same size without a request or a read; null if that isn't conclusive.</summary>
    public virtual Outcome? TryCompare(TreeEntry source, TreeEntry target)
        => Sync.Comparison == SyncComparison.Size || source.Length == 0 ? Same(source, "size") : null;

    /// <summary>Compares a source and a target of the same size.</summary>
    public async Task<SyncDecision> CompareAsync(TreeEntry source, TreeEntry target, CancellationToken cancellationToken)
    {
        if (Sync.Comparison == SyncComparison.Time)
        {
            (ItemTimes from, ItemTimes to) = await FindTimesAsync(source, target, cancellationToken).ConfigureAwait(false);
            return new SyncDecision(
                from.Length != to.Length ? Replace($"size {to.Length} → {from.Length}")
                : from.Time is not { } time || to.Time is not { } recorded ? Replace(Outcome.NoEvidence)
                : (time - recorded).Duration() <= Sync.ModifyWindow ? Same(source, "time")
                : Replace("time"));
        }

        (VerifyResult result, _) = await VerifyAsync(source, target, readContent: Sync.Comparison == SyncComparison.Content, cancellationToken).ConfigureAwait(false);
        string? reason = result.Method switch
        {
            VerifyMethod.Size => "size",
            VerifyMethod.Checksum => "checksum",
            VerifyMethod.ETag => "etag",
            VerifyMethod.Content => "content",
            _ => null,
        };
        return result.IsSame
            ? new SyncDecision(Same(source, reason ?? "size"), ContentChecksum.From(result.Algorithm ?? ChecksumAlgorithm.None, result.Checksum))
            : new SyncDecision(Replace(reason ?? Outcome.NoEvidence));

        Outcome Replace(string why) => Decide(ObjectOperation.Replace, OutcomeStatus.Planned, source, why);
    }

    /// <summary>Compares the content of a source and of a target.</summary>
    /// <param name="source">The source.</param>
    /// <param name="target">The target.</param>
    /// <param name="readContent">Whether objects are read if nothing else is conclusive.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The result, and the number of bytes that were read from the stores.</returns>
    public abstract Task<(VerifyResult Result, long BytesRead)> VerifyAsync(TreeEntry source, TreeEntry target, bool readContent, CancellationToken cancellationToken);

    /// <summary>Returns whether the file of a pair still has the content that both sides had.</summary>
    public virtual Task<bool> HasContentAsync(TreeEntry source, TreeEntry target, ContentChecksum content, CancellationToken cancellationToken) => Task.FromResult(false);

    /// <summary>Warns of a source whose target can't be copied back.</summary>
    public virtual void CheckName(TreeEntry source)
    {
    }

    /// <summary>Copies a source if the target is in its state.</summary>
    public abstract Task<ItemCopy> CopyAsync(TreeEntry source, TargetState target, CancellationToken cancellationToken);

    /// <summary>Gets the requests and the content that the copy of a source takes: those that the copy decides by what is listed, and by what is known about the store.</summary>
    /// <param name="source">The source.</param>
    /// <param name="target">The target that is replaced; null for none.</param>
    protected abstract StoreUsage Estimate(TreeEntry source, TreeEntry? target);

    /// <summary>Adds to a planned copy what it takes.</summary>
    public Outcome WithUsage(Outcome action, TreeEntry source, TreeEntry? target)
        => action is { Status: OutcomeStatus.Planned, Operation: ObjectOperation.Copy or ObjectOperation.Replace } ? action with { Usage = GetUsage(source, target) } : action;

    /// <summary>Gets what the copy of a source takes, with the lookups of its target.</summary>
    public StoreUsage GetUsage(TreeEntry source, TreeEntry? target) => Estimate(source, target)
        + (Target is StoreSide store && Use != PairingUse.Copy ? EstimateLookups(store, source, target) : default); // a copy has no condition, or the target was already looked up

    /// <summary>Gets what the deletion of a target takes. The first one of a batch has the requests of the batch.</summary>
    /// <param name="target">The target.</param>
    /// <param name="number">Its number, from 0.</param>
    /// <param name="count">The number of all targets that are deleted.</param>
    public StoreUsage GetDeletionUsage(TreeEntry target, long number, long count)
    {
        StoreUsage backup = (Target as StoreSide)?.EstimateBackup(target) ?? default;
        if (number % SourceReview.BatchSize > 0)
        {
            return backup;
        }

        int batch = (int)Math.Min(SourceReview.BatchSize, count - number);
        return backup + Target.EstimateDeletion(batch) + (Options.AsOf is null ? Source.EstimateFinding(batch) : default);
    }

    /// <summary>
    /// Gets what the first new object takes to prove that the store honors conditions, which saves the next ones their lookups, if what was estimated has one: it is looked up, and sent twice.
    /// </summary>
    public StoreUsage Proof { get; private set; }

    /// <summary>Gets the lookups of a target before it is written, and its backup.</summary>
    protected virtual StoreUsage EstimateLookups(StoreSide store, TreeEntry source, TreeEntry? target)
    {
        if (target is not null)
        {
            return store.EstimateReview(target, isProven: Proof.Requests > 0);
        }

        if (IsStaged)
        {
            return default; // the targets are looked at together, with a page of a listing for many of them
        }

        (StoreProfile profile, string bucket) = (store.Client.Profile, store.Address.Bucket);
        return source.Length >= LargeBytes ? ConditionalWrite.EstimateLookup(profile, bucket, StoreTrait.CompleteCondition)
            : Proof.Requests == 0 ? Proof = ConditionalWrite.EstimateProof(profile, bucket, source.Length)
            : default;
    }

    /// <summary>Gets a value that indicates whether objects are published all at once, so that each is an upload of parts.</summary>
    protected bool IsStaged => Sync.Publish == PublishMode.AllAtOnce;

    /// <summary>Opens a range of a source in its pinned state, to copy it as parts of an upload that others share.</summary>
    /// <param name="source">The source.</param>
    /// <param name="offset">The offset of the range.</param>
    /// <param name="count">The number of bytes of the range.</param>
    /// <param name="partBytes">The size of the parts.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public virtual Task<UploadRange> OpenRangeAsync(TreeEntry source, long offset, long count, long partBytes, CancellationToken cancellationToken)
        => throw new NotSupportedException("A file has no multipart upload.");

    /// <summary>Creates a decision about an entry.</summary>
    public Outcome Decide(ObjectOperation? operation, OutcomeStatus status, TreeEntry entry, string? reason, Exception? error = null)
        => new() { Operation = operation, Status = status, Name = entry.Name, Bytes = entry.Length, Reason = reason, Error = error, From = Source.Place, To = Target.Place };

    /// <summary>Gets the error of an entry that can't be read.</summary>
    public TransferException NotRead(TreeEntry entry, Exception error)
        => error as TransferException ?? new TransferException($"'{entry.Path}' could not be read: {error.Message}", error) { Bucket = Address.Bucket, Key = Address.Key + entry.Name };

    /// <summary>Decides that both sides are the same.</summary>
    public Outcome Same(TreeEntry source, string reason) => Decide(null, OutcomeStatus.Same, source, reason);

    public virtual void Dispose()
    {
        (Source as IDisposable)?.Dispose();
        (Target as IDisposable)?.Dispose();
    }

    /// <summary>Finds the sizes and times that are compared.</summary>
    protected abstract Task<(ItemTimes Source, ItemTimes Target)> FindTimesAsync(TreeEntry source, TreeEntry target, CancellationToken cancellationToken);
}
