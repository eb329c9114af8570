namespace Transfer.Buffers;

/// <content>Readers that hold all data that arrived and wait for more. One of them at a time can have more than its share.</content>
internal sealed partial class MemoryBudget
{
    private readonly SortedSet<MemoryShare> _stuck = new(Comparer<MemoryShare>.Create(static (one, other) => one.StuckSince.CompareTo(other.StuckSince)));

    /// <summary>Gets the number of bytes that all streams together can hold if one of them is stuck: the memory that the floors of other streams leave.</summary>
    private long StuckLimit => CallersLimit - FloorsRoom - _unfinished;

    /// <summary>Records that the reader of a stream begins to wait for more data while it holds all data that arrived.</summary>
    public void BeginHolding(MemoryShare share)
    {
        lock (_gate)
        {
            share.HoldingWait = ++_sequence;
        }
    }

    /// <summary>Records that the wait of a reader that holds data has ended. The reader isn't stuck anymore.</summary>
    public void EndHolding(MemoryShare share)
    {
        lock (_gate)
        {
            share.HoldingWait = 0;
            if (!share.IsStuck)
            {
                return;
            }

            // More data may arrive and not be enough. Until the reader has consumed some, it keeps its place before readers that got stuck later.
            share.IsStuck = false;
        }

        Reconsider(share);
    }

    /// <summary>Records that a waiting reader is stuck: nothing is being fetched, and there is no memory to request more.</summary>
    /// <param name="share">The share of the stream.</param>
    /// <param name="wait">
    /// The <see cref="MemoryShare.HoldingWait"/> before the caller examined the stream. If that wait has ended meanwhile, nothing happens, because no one would end the
    /// state.
    /// </param>
    public void SetStuck(MemoryShare share, long wait)
    {
        lock (_gate)
        {
            if (share.IsStuck || share.HoldingWait != wait)
            {
                return;
            }

            share.IsStuck = true;
            share.IsAway = false;
            if (share is { StuckSince: 0, Index: >= 0 })
            {
                share.StuckSince = ++_sequence;
                _stuck.Add(share);
            }
        }

        Reconsider(share);
    }

    /// <summary>Returns whether the reader of a stream is stuck, and was the first to get stuck of those that haven't consumed anything since.</summary>
    private bool MayBorrow(MemoryShare share)
    {
        if (!share.IsStuck)
        {
            return false;
        }

        MemoryShare? first = _stuck.Min;
        return first == share || (first is { IsAway: true } && _stuck.First(one => !one.IsAway) == share);
    }

    private void Unstick(MemoryShare share)
    {
        if (share.StuckSince != 0)
        {
            _stuck.Remove(share);
            share.StuckSince = 0;
        }
    }
}
