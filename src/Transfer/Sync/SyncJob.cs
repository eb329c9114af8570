using Transfer.S3.Directories;
using Transfer.S3.Files;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Stores;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Sync;

/// <summary>What differs between the directions of a synchronization: how sides are read, compared, copied, and deleted.</summary>
internal abstract class SyncJob
{
    private readonly ClientContext _target;

    /// <param name="options">The options.</param>
    /// <param name="target">The client of the target, which also runs the synchronization.</param>
    protected SyncJob(SyncOptions options, ClientContext target)
    {
        Options = options;
        _target = target;
        Filter = new PathFilter(options.Directory);
    }

    public SyncOptions Options { get; }

    /// <summary>Gets what is selected on both sides.</summary>
    public PathFilter Filter { get; }

    /// <summary>Gets what is read of the target: excluded folders too if they are deleted.</summary>
    protected PathFilter TargetFilter => Options.DeleteExcluded ? new PathFilter(new DirectoryOptions()) : Filter;

    public abstract TransferDirection Direction { get; }

    /// <summary>Gets the side that the transfer is named after: the prefix that is written or, for a local target, read.</summary>
    public abstract ObjectAddress Address { get; }

    /// <summary>Gets the name of the source in messages.</summary>
    public abstract string SourceName { get; }

    /// <summary>Gets the name of the target in messages.</summary>
    public abstract string TargetName { get; }

    /// <summary>Gets a value that indicates whether the source is a prefix that isn't empty, so that it exists only if there is an object under it.</summary>
    public virtual bool IsSourcePrefix => false;

    /// <summary>Gets the size from which an object is transferred in parts.</summary>
    public abstract long LargeBytes { get; }

    /// <summary>Gets the number of small objects to transfer concurrently.</summary>
    public virtual int MaxConcurrentObjects => Options.Directory.MaxConcurrentObjects ?? _target.Settings.MaxConcurrency;

    /// <summary>Gets a value that indicates whether exactly this number is used.</summary>
    public virtual bool IsConcurrencyFixed => Options.Directory.MaxConcurrentObjects is not null || _target.Settings.IsConcurrencyGiven;

    /// <summary>Gets the current time.</summary>
    public DateTimeOffset Now => _target.Time.GetUtcNow();

    /// <summary>Gets the call at the source.</summary>
    protected TransferRun Reading { get; private set; } = null!;

    /// <summary>Gets the synchronization, which is a call at the target.</summary>
    protected TransferRun Whole { get; private set; } = null!;

    /// <summary>Validates the places and options, and chooses how to copy between the sides. The caller disposes the result if it can be disposed.</summary>
    /// <param name="client">The client of the source, or of the only store.</param>
    /// <param name="other">The client of the target's store; null if there is only one store.</param>
    /// <param name="source">The source.</param>
    /// <param name="target">The target.</param>
    /// <param name="options">The options.</param>
    public static SyncJob Plan(ClientContext client, ClientContext? other, Place source, Place target, SyncOptions options)
    {
        ArgumentNullException.ThrowIfNull(source);
        ArgumentNullException.ThrowIfNull(target);
        return (source.Normalize(), target.Normalize()) switch
        {
            ({ IsLocal: true }, { IsLocal: true }) => throw new ArgumentException($"The source, {source}, and the target, {target}, are folders. One of them must be in a store."),
            ({ IsLocal: true }, _) or (_, { IsLocal: true }) when other is not null => throw new ArgumentException("A folder and a prefix need one store. Specify no client of another store."),
            ({ Path: { } folder }, { Bucket: { } bucket, Prefix: { } prefix }) => SyncUpload.Plan(client, folder, bucket, prefix, options),
            ({ Bucket: { } bucket, Prefix: { } prefix }, { Path: { } folder }) => SyncDownload.Plan(client, bucket, prefix, folder, options),
            var (from, to) => SyncStores.Plan(client, other, new S3Uri(from.Bucket!, from.Prefix!), new S3Uri(to.Bucket!, to.Prefix!), options),
        };
    }

    /// <summary>Begins. Both calls are the same if only one store is used.</summary>
    public void Begin(TransferRun reading, TransferRun whole) => (Reading, Whole) = (reading, whole);

    /// <summary>Checks what needs a request or the disk, before anything is compared.</summary>
    public virtual Task CheckAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public abstract IAsyncEnumerable<SyncEntry> ReadSourceAsync(CancellationToken cancellationToken);

    public abstract IAsyncEnumerable<SyncEntry> ReadTargetAsync(CancellationToken cancellationToken);

    /// <summary>Returns the reason why a source can't have its name at the target; null if it can. It is called for each source in order.</summary>
    /// <param name="source">The source.</param>
    /// <param name="isThere">Whether the target has the name.</param>
    public virtual string? RefuseName(SyncEntry source, bool isThere) => null;

    /// <summary>Returns what is in the place of a source that has no target in the listing; null if nothing is.</summary>
    public virtual string? FindClash(SyncEntry source) => null;

    /// <summary>Compares a source and a target of the same size without a request or a read; null if that isn't conclusive.</summary>
    public virtual Outcome? TryCompare(SyncEntry source, SyncEntry target)
        => Options.Comparison == SyncComparison.Size || source.Length == 0 ? Same(source, "size") : null;

    /// <summary>Opens the state of the last run between the same two sides; null for none.</summary>
    public SyncState? OpenState() => KeepsState
        ? SyncState.TryOpen(_target, SourceIdentity, TargetIdentity)
        : null;

    /// <summary>Gets a value that indicates whether state is kept for the next run.</summary>
    protected bool KeepsState => Options is { UseState: true, Comparison: SyncComparison.Auto or SyncComparison.Content } && HasMarks;

    /// <summary>Gets a value that indicates whether both sides have marks. Only Linux has those of files.</summary>
    protected virtual bool HasMarks => OperatingSystem.IsLinux();

    /// <summary>Gets the backup of objects that are replaced or deleted; null for none.</summary>
    protected virtual ObjectBackup? Backup => null;

    /// <summary>Gets what tells the source from others.</summary>
    protected abstract string SourceIdentity { get; }

    /// <summary>Gets what tells the target from others.</summary>
    protected abstract string TargetIdentity { get; }

    /// <summary>Gets the current state of a file of the source; null if there is none, and for an object.</summary>
    public virtual FileIdentity? StateOfSource(SyncEntry source) => null;

    /// <summary>Gets the mark of the source; null if it can't be recognized again.</summary>
    public abstract SyncMark? MarkOfSource(SyncEntry source);

    /// <summary>Gets the mark of the target; null if it can't be recognized again.</summary>
    public abstract SyncMark? MarkOfTarget(SyncEntry target);

    protected static string GetIdentity(ClientContext client, ObjectAddress prefix) => $"{client.Store} {prefix}";

    /// <summary>Gets the mark of a file.</summary>
    protected static SyncMark? MarkOfFile(string path, bool followsLinks) => SyncMark.OfFile(FileIdentity.At(path, followsLinks));

    /// <summary>Looks at the source, without a listing. What is found is at least as new as this call.</summary>
    public abstract ISideLookup LookUpSource();

    /// <summary>Looks at the target, without a listing. What is found is at least as new as this call.</summary>
    public virtual ISideLookup LookUpTarget() => new StoreLookup(Whole, Address);

    /// <summary>Finds a source as it is now, in the version that the entry names.</summary>
    /// <returns>Null if there is none.</returns>
    /// <exception cref="TransferException">Thrown when the source can't be looked up.</exception>
    public abstract Task<SyncEntry?> FindSourceAsync(SyncEntry source, CancellationToken cancellationToken);

    /// <summary>Finds one target. A link isn't a target.</summary>
    /// <returns>Null if there is none.</returns>
    /// <exception cref="TransferException">Thrown when the target can't be looked up.</exception>
    public Task<SyncEntry?> FindTargetAsync(string name, CancellationToken cancellationToken) => FindAsync(LookUpTarget(), name, cancellationToken);

    protected static async Task<SyncEntry?> FindAsync(ISideLookup side, string name, CancellationToken cancellationToken)
    {
        SyncEntry? found = (await side.FindAsync([name], cancellationToken).ConfigureAwait(false))[0];
        if (found?.Error is { } error)
        {
            System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(error);
        }

        return found is { IsLink: true } ? null : found;
    }

    /// <summary>Returns whether an entry is selected. If a name exists on both sides, the source decides.</summary>
    public bool IsSelected(SyncEntry entry) => Filter.Takes(entry.Name)
        && (entry.Listed is { } listed ? Filter.TakesProperties(listed)
            : Filter.TakesProperties(new LocalFile(entry.Path!, entry.Name, entry.Length) { LastModified = new DateTimeOffset(entry.LastWrite, TimeSpan.Zero) }));

    /// <summary>Compares a source and a target of the same size.</summary>
    public abstract Task<SyncDecision> CompareAsync(SyncEntry source, SyncEntry target, CancellationToken cancellationToken);

    /// <summary>Returns whether the file of a pair still has the content that both sides had.</summary>
    public virtual Task<bool> HasContentAsync(SyncEntry source, SyncEntry target, ContentChecksum content, CancellationToken cancellationToken) => Task.FromResult(false);

    /// <summary>Copies a source, unless the target has changed since it was listed.</summary>
    public abstract Task<SyncCopy> CopyAsync(SyncEntry source, SyncEntry? target, CancellationToken cancellationToken);

    /// <summary>Opens a range of a source in its pinned state, to copy it as parts of an upload that others share.</summary>
    /// <param name="source">The source.</param>
    /// <param name="offset">The offset of the range.</param>
    /// <param name="count">The number of bytes of the range.</param>
    /// <param name="partBytes">The size of the parts.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public virtual Task<UploadRange> OpenRangeAsync(SyncEntry source, long offset, long count, long partBytes, CancellationToken cancellationToken)
        => throw new NotSupportedException("A file has no multipart upload.");

    /// <summary>Deletes targets that haven't changed since they were listed, and whose names the source still doesn't have.</summary>
    /// <param name="targets">The targets, in order.</param>
    /// <param name="review">Looks at the source again; null if it can't have changed, or doesn't matter.</param>
    /// <param name="ended">Called for each file or object, one at a time, with its error; null if it doesn't exist anymore.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public abstract Task DeleteAsync(IEnumerable<SyncEntry> targets, SourceReview? review, Action<SyncEntry, Exception?> ended, CancellationToken cancellationToken);

    /// <summary>Gets the place of the source.</summary>
    public abstract Place From { get; }

    /// <summary>Gets the place of the target.</summary>
    public abstract Place To { get; }

    /// <summary>Creates a decision about an entry.</summary>
    public Outcome Decide(ObjectOperation? operation, OutcomeStatus status, SyncEntry entry, string? reason, Exception? error = null)
        => new() { Operation = operation, Status = status, Name = entry.Name, Bytes = entry.Length, Reason = reason, Error = error, From = From, To = To };

    /// <summary>Decides that both sides are the same.</summary>
    public Outcome Same(SyncEntry source, string reason) => Decide(null, OutcomeStatus.Same, source, reason);

    /// <summary>Gets the condition under which a target is written: it must not exist, or must have the ETag of the listing.</summary>
    private WriteCondition GetCondition(ObjectAddress address, SyncEntry? target)
        => target is null ? new WriteCondition(true)
            : target.ETag is null || ETags.IsWeak(target.ETag) || _target.Profile.GetSupport(StoreTrait.AnyMatch, address.Bucket) == StoreSupport.Refused ? default
            : new WriteCondition(false, ETags.Quoted(target.ETag)) { IsTrusted = true }; // WriteAsync looks first

    /// <summary>Writes an object under its condition, also in stores that don't know If-Match: there, the target is looked up immediately before.</summary>
    public async Task<T> WriteAsync<T>(
        TransferRun run, ObjectAddress address, SyncEntry? target, Func<WriteCondition, Task<T>> sendAsync, CancellationToken cancellationToken)
    {
        WriteCondition condition = GetCondition(address, target);
        if (target is not null && (condition == default || _target.Profile.GetSupport(StoreTrait.PutCondition, address.Bucket) != StoreSupport.Supported))
        {
            await CheckTargetAsync(run, address, target, cancellationToken).ConfigureAwait(false);
        }

        if (target is not null && Backup is { } backup)
        {
            await backup.RunAsync(Whole, target, cancellationToken).ConfigureAwait(false);
        }

        try
        {
            return await sendAsync(condition).ConfigureAwait(false);
        }
        catch (TransferException e) when (condition.IfMatch is not null && Refusals.IsOfValue(e.StatusCode, e.ErrorCode))
        {
            await CheckTargetAsync(run, address, target!, cancellationToken).ConfigureAwait(false);
            run.Reporter.StartAgain();
            T result = await sendAsync(default).ConfigureAwait(false);
            _target.Profile.Learn(StoreTrait.AnyMatch, address.Bucket, StoreSupport.Refused, e.Message);
            return result;
        }
    }

    /// <summary>Checks that an object is still the one in the listing.</summary>
    /// <exception cref="PreconditionFailedException">Thrown when it isn't.</exception>
    protected static async Task CheckTargetAsync(TransferRun run, ObjectAddress address, SyncEntry target, CancellationToken cancellationToken)
    {
        ObjectInfo now = await Download.ObjectLookup.RunAsync(run, address, cancellationToken).ConfigureAwait(false);
        if (now.Length != target.Length || !ETags.AreSame(now.ETag, target.ETag))
        {
            throw new PreconditionFailedException($"{address} was replaced after it was listed.") { Bucket = address.Bucket, Key = address.Key };
        }
    }
}
