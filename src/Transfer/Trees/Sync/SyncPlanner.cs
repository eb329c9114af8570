using System.Runtime.CompilerServices;
using Transfer.S3.Files;

namespace Transfer.S3.Trees;

/// <summary>
/// Compares both sides name by name and decides what has to be done. Candidates for deletion are spooled, because they are certain only after both sides were read to
/// their ends.
/// </summary>
/// <param name="pair">The sides.</param>
/// <param name="spool">Keeps the candidates for deletion.</param>
/// <param name="state">The state of the last run; null for none.</param>
/// <param name="records">Whether what is unchanged is recorded for the next run.</param>
/// <param name="pairs">What a list of keys selects, in order; null to read both sides.</param>
internal sealed class SyncPlanner(Pairing pair, EntrySpool spool, SyncState? state, bool records, IAsyncEnumerable<(TreeEntry Source, TreeEntry? Target)>? pairs = null)
{
    /// <summary>The reason of what the last run knew to be the same.</summary>
    public const string LastRun = "last run";

    private readonly SyncOptions _options = pair.Sync;
    private readonly SubtreeShield _shield = new();
    private bool _hasSource;

    /// <summary>Gets a value that indicates whether an object is created for each empty folder.</summary>
    public bool EmptyFolders { get; init; } = pair.Options.EmptyFolders;

    /// <summary>Gets the number of selected files or objects at the target.</summary>
    public long Targets { get; private set; }

    /// <summary>Gets the number of selected files or objects at the source.</summary>
    public long Sources { get; private set; }

    /// <summary>Gets the names that could not be written because something else is in their place.</summary>
    public ClashingNames Clashes { get; } = new();

    /// <summary>Reads both sides.</summary>
    /// <exception cref="TransferException">Thrown after the end if the source is missing or empty.</exception>
    /// <exception cref="TransferException">Thrown when a side can't be read to its end.</exception>
    public async IAsyncEnumerable<SyncItem> ReadAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        if (pairs is not null)
        {
            await foreach ((TreeEntry source, TreeEntry? target) in pairs.WithCancellation(cancellationToken).ConfigureAwait(false))
            {
                if (OfSource(source, target) is { } item)
                {
                    yield return item;
                }
            }

            yield break; // a list can be empty
        }

        await foreach ((TreeEntry? source, TreeEntry? target) in pair.ReadAsync(outside: null, cancellationToken).ConfigureAwait(false))
        {
            if ((source is null ? OfTarget(target!) : OfSource(source, target)) is { } item)
            {
                yield return item;
            }
        }

        CheckSource();
    }

    /// <summary>Checks the limit for deletions, after both sides were read.</summary>
    /// <exception cref="TransferException">Thrown when more would be deleted than allowed.</exception>
    public void CheckLimit(long deletions)
    {
        if (deletions > _options.MaxDelete.GetMost(Targets))
        {
            throw new TransferException(
                $"{deletions} of {Targets} files or objects in {pair.Target.Name} would be deleted, which is more than the limit of {_options.MaxDelete}. Nothing was deleted.")
            {
                Error = TransferError.DeletionLimit,
                Bucket = pair.Address.Bucket,
                Key = pair.Address.Key,
            };
        }
    }

    private void CheckSource()
    {
        if (_options.AllowEmptySource)
        {
            return;
        }

        if (!_hasSource && pair.Source.NeedsObjects)
        {
            throw new TransferException($"{pair.Source.Name}: no objects found.") { Error = TransferError.SourceMissing };
        }

        if (Sources == 0 && _options.Delete && spool.Count > 0)
        {
            throw new TransferException(
                $"{pair.Source.Name} has nothing to synchronize, so everything selected in {pair.Target.Name} would be deleted. Check the source, or allow an empty source.")
            {
                Error = TransferError.SourceEmpty,
            };
        }
    }

    private SyncItem? OfSource(TreeEntry source, TreeEntry? target)
    {
        _hasSource = true;
        bool isShielded = _shield.Covers(source.Name);
        bool isSelected = pair.IsSelected(source);
        if (isSelected)
        {
            Sources += source.IsFolder || source.IsLink || source.IsLeftOut ? 0 : 1;
        }

        Targets += target is { IsFolder: false, IsLeftOut: false } && (isSelected || _options.DeleteExcluded) ? 1 : 0;
        if (source.Error is { } error)
        {
            _shield.Add(source.Name);
            return pair.CanBeSelected(source) ? new SyncItem(null, target, Fail(source, pair.NotRead(source, error))) : null;
        }

        if (source.IsLink)
        {
            _shield.Add(source.Name); // it can lead to a file or to a folder
            return target is not null && isSelected && _options.Delete ? Shielded(target) : null;
        }

        if (source.IsLeftOut)
        {
            return target is { IsLeftOut: false } && isSelected && _options.Delete ? Shielded(target) : null; // only its own name is kept
        }

        if (target is { IsLeftOut: true })
        {
            return isSelected ? Conflict(source, target, "this program writes the file itself") : null;
        }

        if (!isSelected)
        {
            if (target is not null && !isShielded && _options.DeleteExcluded && !target.IsLink && target.Error is null)
            {
                Add(target);
            }

            return null;
        }

        return target is { Error: { } unread } ? new SyncItem(source, target, Fail(target, pair.NotRead(target, unread))) : Decide(source, target);
    }

    private SyncItem? Decide(TreeEntry source, TreeEntry? target)
    {
        string? refused = pair.Target.RefuseName(source, target is not null);
        if (source.IsFolder)
        {
            // The target is an object. Folders are not uploaded unless they are empty and wanted, but those that are there represent folders.
            return target is null ? (source.IsEmptyFolder && EmptyFolders ? Copy(source) : null)
                : target.Length == 0 ? new SyncItem(source, target, pair.Same(source, "folder"))
                : Conflict(source, target, $"its name ends in '/' like that of a folder, but it has {target.Length} bytes");
        }

        if (target is null)
        {
            if (refused is not null)
            {
                return Refuse(source, refused);
            }

            return pair.Target.FindClash(source) is { } clash ? Conflict(source, null, clash) : Copy(source);
        }

        if (target.IsFolder)
        {
            return source.Length == 0
                ? new SyncItem(source, target, pair.Same(source, "folder"))
                : Refuse(source, $"its name ends in '/' like that of a folder, but it has {source.Length} bytes");
        }

        if (target.IsLink)
        {
            return Conflict(source, target, $"'{target.Path}' is a symbolic link, which is neither followed nor replaced");
        }

        if ((IsSpecial(source) ?? IsSpecial(target)) is { } special)
        {
            return new SyncItem(source, target, Fail(source, Error(source.Name, $"'{special}' is a device or a pipe. Only files can be synchronized.")));
        }

        SyncStateEntry? former = null;
        Outcome? action = source.Length != target.Length
            ? pair.Decide(ObjectOperation.Replace, OutcomeStatus.Planned, source, $"size {target.Length} → {source.Length}")
            : pair.TryCompare(source, target) ?? FindUnchanged(source, target, out former);
        return refused is not null && action is not { Status: OutcomeStatus.Same } ? Refuse(source, refused) : new SyncItem(source, target, action) { Former = former };
    }

    /// <summary>Keeps what was the same in the last run, if both sides are still what they were.</summary>
    /// <param name="source">The source.</param>
    /// <param name="target">The target.</param>
    /// <param name="former">What the last run knew, if the file has to be read to know whether that is still so.</param>
    private Outcome? FindUnchanged(TreeEntry source, TreeEntry target, out SyncStateEntry? former)
    {
        former = null;
        if (state is null || _options.Comparison != SyncComparison.Auto || state.Find(source.Name) is not { } entry
            || (source.Mark ?? pair.Source.MarkOf(source)) != entry.Source || (target.Mark ?? pair.Target.MarkOf(target)) != entry.Target)
        {
            return null;
        }

        if (entry.Content is not null)
        {
            former = entry;
            return null;
        }

        if (records)
        {
            state.Add(entry);
        }

        return pair.Same(source, LastRun);
    }

    private SyncItem? OfTarget(TreeEntry target)
    {
        bool isShielded = _shield.Covers(target.Name);
        bool isSelected = pair.IsSelected(target);
        if (target.Error is { } error)
        {
            return pair.CanBeSelected(target) ? new SyncItem(null, target, Fail(target, pair.NotRead(target, error))) : null;
        }

        // Files that an interrupted transfer has left are deleted like others, but only if no transfer uses them.
        bool isOwn = target.IsLeftOut && (target.LeftOut == LeftOut.OwnFile || target.Path is null);
        if (isOwn || (!isSelected && !_options.DeleteExcluded))
        {
            return null;
        }

        Targets += target.IsFolder ? 0 : 1;
        if (!_options.Delete)
        {
            return null;
        }

        if (isShielded)
        {
            return target.IsFolder ? null : Shielded(target);
        }

        string? refusal = target.IsLink ? $"'{target.Path}' is a symbolic link, which is not removed. Remove or exclude it."
            : target.Path is not null && target.Name.Contains('\uFFFD', StringComparison.Ordinal) && !LocalState.Exists(target.Path)
                ? $"'{target.Path}' has a name that is not valid UTF-8, so it can't be removed. Rename or remove it."
            : IsSpecial(target) is { } special ? $"'{special}' is a device or a pipe, which is not removed. Remove or exclude it."
            : null;
        if (refusal is not null)
        {
            return new SyncItem(null, target, Fail(target, Error(target.Name, refusal)));
        }

        Add(target);
        return null;
    }

    private void Add(TreeEntry target)
    {
        if (_options.Delete)
        {
            spool.Add(target);
        }
    }

    /// <summary>Gets the path of an entry that is a device or a pipe. The length of these is 0.</summary>
    private static string? IsSpecial(TreeEntry entry) => entry is { Path: { } path, Length: 0, Mark: null, IsFolder: false } && LocalTarget.IsSpecial(path) ? path : null;

    private SyncItem Copy(TreeEntry source) => new(source, null, pair.Decide(ObjectOperation.Copy, OutcomeStatus.Planned, source, "missing"));

    private SyncItem Conflict(TreeEntry source, TreeEntry? target, string reason)
    {
        _shield.Add(source.Name);
        Clashes.Add(source.Name);
        return new SyncItem(source, target, pair.Decide(null, OutcomeStatus.Conflict, source, reason, Error(source.Name, $"{source.Name}: {reason}.")));
    }

    private SyncItem Refuse(TreeEntry source, string reason)
    {
        _shield.Add(source.Name);
        return new SyncItem(source, null, Fail(source, Error(source.Name, $"'{source.Name}' can't be synchronized to {pair.Target.Name}: {reason}.")));
    }

    private SyncItem Shielded(TreeEntry target)
        => new(null, target, pair.Decide(ObjectOperation.Delete, OutcomeStatus.Shielded, target, "exists at the source, but is not synchronized"));

    private Outcome Fail(TreeEntry entry, TransferException error) => pair.Decide(null, OutcomeStatus.Failed, entry, error.Message, error);

    private TransferException Error(string name, string text) => new(text) { Bucket = pair.Address.Bucket, Key = pair.Address.Key + name };
}
