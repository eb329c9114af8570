using Transfer.S3.Requests;
using Transfer.S3.Trees;

namespace Transfer.S3.Jobs;

/// <summary>Reads both sides of a job once, in the order of the names, and spools its items.</summary>
internal sealed class PlanReader : IDisposable
{
    private readonly Pairing _sync;
    private readonly JobOptions _options;
    private readonly EntrySpool _deletions;
    private readonly SyncState? _state;

    public PlanReader(Pairing sync, JobSides sides, JobOptions options, ClientSettings settings)
    {
        (_sync, _options) = (sync, options);
        _deletions = new EntrySpool(settings.StateDirectory);
        _state = options.Sync is null ? null : sync.OpenState();
        Content = new PlanContent(sides, settings.StateDirectory)
        {
            IsSync = options.Sync is not null,
            IsOrdered = true,
            SkipsExisting = options.Copy is { SkipExisting: true },
            DeletesDespiteFailures = options.Sync is { DeleteDespiteFailures: true },
            DeletesExcluded = options.Sync is { DeleteExcluded: true },
            SplitBytes = options.SplitBytes,
            PublishesAllAtOnce = options.Sync is { Publish: PublishMode.AllAtOnce },
            PublishLast = options.Sync?.PublishLast,
            Options = PlannedOptions.From(options.Transfer, options.Sync?.Comparison == SyncComparison.Time),
        };
    }

    public PlanContent Content { get; }

    public async Task ReadAsync(CancellationToken cancellationToken)
    {
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding); // the caller must not wait for the disk
        SyncPlanner planner = new(_sync, _deletions, _state, records: false, ReadPairsAsync(_options.Copy?.Keys, cancellationToken)) { EmptyFolders = _options.Transfer.EmptyFolders };
        IAsyncEnumerable<SyncItem> items = _options.Sync is null ? planner.ReadAsync(cancellationToken) : new TreeSync(_sync).DecideAsync(planner, cancellationToken);
        await foreach (SyncItem item in items.ConfigureAwait(false))
        {
            Add(item);
        }

        long count = _deletions.Read().LongCount(entry => !entry.IsFolder && !planner.Clashes.Covers(entry.Name));
        if (planner.Clashes.IsFull || (Content.Refusals.Count > 0 && !Content.DeletesDespiteFailures))
        {
            Content.Withheld = count;
            return;
        }

        planner.CheckLimit(count);
        Content.Deleted = count;
        Content.Deletions = _deletions.Read().Where(entry => !planner.Clashes.Covers(entry.Name)).Select(static entry => new JobItem(entry.Name, 0)
        {
            Target = JobTarget.From(entry),
        });
    }

    public void Dispose()
    {
        _deletions.Dispose();
        _state?.Dispose();
        Content.Dispose();
    }

    private void Add(SyncItem item)
    {
        Outcome? action = item.Action;
        if (action?.Error is not null)
        {
            Refuse(action, item.Source);
            return;
        }

        bool keeps = item.Source is null || (item.Source.IsFolder && item.Target is not null) || item.Target is { HasFolderName: true }
            || (_options.Sync is null ? item.Target is not null && Content.SkipsExisting : action!.Status != OutcomeStatus.Planned);
        if (keeps)
        {
            Content.Kept++;
            return;
        }

        TreeEntry source = item.Source!;
        if (!IsText(source.Name))
        {
            string text = $"'{source.Name}' is not valid Unicode, so a plan can't contain it.";
            Refuse(_sync.Decide(null, OutcomeStatus.Failed, source, text, new TransferException(text)), source);
            return;
        }

        Content.Estimate += _sync.GetUsage(source, item.Target);
        Content.EstimateOfWorker = _sync.Proof;
        Content.Add(GetItem(source, item.Target));
    }

    /// <summary>Finds both sides of a list of keys; null if there is none.</summary>
    private IAsyncEnumerable<(TreeEntry Source, TreeEntry? Target)>? ReadPairsAsync(IAsyncEnumerable<ObjectKey>? keys, CancellationToken cancellationToken)
        => keys is null || _sync.Source is not StoreSide source ? null : new KeySides(_sync, source).ReadAsync(keys, cancellationToken);

    private JobItem GetItem(TreeEntry source, TreeEntry? target)
    {
        JobItem item = new(source.Name, source.Length)
        {
            ETag = source.ETag,
            Version = source.VersionId,
            Modified = source.LastWrite,
            Target = target is null ? null : JobTarget.From(target),
        };
        return source.Path is not null && !source.IsFolder && _sync.Source.StateOf(source) is { } state ? item.For(state) : item;
    }

    private void Refuse(Outcome action, TreeEntry? source)
    {
        if (_options.Transfer.OnFailure == FailurePolicy.Abort)
        {
            throw action.Error!;
        }

        Content.Refuse(action.Name, action.Bytes, source?.ETag, action.Error!, isConflict: action.Status == OutcomeStatus.Conflict);
        _options.Refused?.Invoke(action);
    }

    /// <summary>Returns whether a name has no half of a surrogate pair, which JSON can't contain.</summary>
    private static bool IsText(string name)
    {
        for (int i = 0; i < name.Length; i++)
        {
            if (char.IsSurrogate(name[i]))
            {
                if (!char.IsSurrogatePair(name, i))
                {
                    return false;
                }

                i++;
            }
        }

        return true;
    }
}
