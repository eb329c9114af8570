using Transfer.S3.Observability;
using Transfer.S3.Scheduling;

namespace Transfer.S3.Sync;

/// <summary>Counts the actions of a synchronization.</summary>
internal sealed class SyncSummary(SyncOptions options, TransferReporter whole)
{
    private readonly Lock _gate = new();
    private readonly SerialListener<SyncOutcome> _listener = new(options.ActionEnded, whole);
    private readonly long[] _counts = new long[Enum.GetValues<SyncActionKind>().Length];
    private readonly List<SyncOutcome> _failures = [];
    private long _bytes;
    private long _verified;
    private long _withLosses;
    private long _conflicts;
    private long _failed;
    private long _foundBytes;
    private long _found;
    private bool _isWalked;

    /// <summary>Gets or sets the number of targets that were not deleted because something failed.</summary>
    public long Withheld { get; set; }

    public bool HasFailures
    {
        get
        {
            lock (_gate)
            {
                return _failed + _conflicts > 0;
            }
        }
    }

    /// <summary>Counts a source that will be copied.</summary>
    public void Found(long bytes)
    {
        lock (_gate)
        {
            _found++;
            _foundBytes += bytes;
            Update();
        }
    }

    /// <summary>Sets the total after both sides were read.</summary>
    public void FoundAll()
    {
        lock (_gate)
        {
            _isWalked = true;
            Update();
        }
    }

    public void Kept()
    {
        lock (_gate)
        {
            _counts[(int)SyncActionKind.Keep]++;
        }
    }

    /// <summary>Counts an action that has ended. If it is a failure that stops the synchronization, it is thrown.</summary>
    public void Ended(SyncOutcome outcome)
    {
        Exception? error = outcome.Error ?? outcome.Action.Error;
        bool isConflict = outcome.IsConflict || outcome.Action.Kind == SyncActionKind.Conflict;
        if (outcome.Action.Kind is SyncActionKind.Copy or SyncActionKind.Replace)
        {
            whole.AddObject();
        }

        lock (_gate)
        {
            if (error is null)
            {
                _counts[(int)outcome.Action.Kind]++;
                _verified += outcome.Verdict is { IsVerified: true } ? 1 : 0;
                _withLosses += outcome.LostProperties.Count > 0 ? 1 : 0;
                _bytes += outcome.Action.Kind is SyncActionKind.Copy or SyncActionKind.Replace ? outcome.Action.Bytes : 0;
            }
            else
            {
                _conflicts += isConflict ? 1 : 0;
                _failed += isConflict ? 0 : 1;
                if (_failures.Count < TransferDefaults.MaxKeptFailures)
                {
                    _failures.Add(outcome);
                }
            }
        }

        _listener.Tell(outcome);
        if (error is not null && options.Directory.OnFailure == FailurePolicy.Abort)
        {
            throw error;
        }
    }

    public SyncResult ToResult()
    {
        lock (_gate)
        {
            return new SyncResult
            {
                Copied = _counts[(int)SyncActionKind.Copy],
                Replaced = _counts[(int)SyncActionKind.Replace],
                Deleted = _counts[(int)SyncActionKind.Delete],
                Kept = _counts[(int)SyncActionKind.Keep],
                Shielded = _counts[(int)SyncActionKind.Shield],
                Conflicts = _conflicts,
                FailedCount = _failed,
                Withheld = Withheld,
                Bytes = _bytes,
                Verified = _verified,
                WithLostProperties = _withLosses,
                Failures = [.. _failures],
                Statistics = whole.GetStatistics(),
            };
        }
    }

    private void Update()
    {
        if (_isWalked)
        {
            whole.SetTotal(_foundBytes, null);
            whole.SetTotalObjects(_found);
        }
    }
}
