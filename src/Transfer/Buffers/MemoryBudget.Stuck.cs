namespace Transfer.Buffers;

/// <content>Readers that hold all data that arrived and wait for more. One of them at a time can have more than its share.</content>
internal sealed partial class MemoryBudget
{
    private readonly SortedSet<MemoryShare> _stuck = new(Comparer<MemoryShare>.Create(static (one, other) => one.StuckSince.CompareTo(other.StuckSince)));

    /// <summary>Gets the number of bytes that all streams together can hold if one of them is stuck: the memory that the floors of other streams leave.</summary>
    private long StuckLimit => CallersLimit - FloorsRoom - _unfinished;

    /// <summary>Sets whether the reader of a stream waits for more data while it holds all data that arrived.</summary>
    public void SetStuck(MemoryShare share, bool isStuck)
    {
        lock (_gate)
        {
            if (share.IsStuck == isStuck)
            {
                return;
            }

            // More data may arrive and not be enough. Until the reader has consumed some, it keeps its place before readers that got stuck later.
            share.IsStuck = isStuck;
            share.IsAway &= !isStuck;
            if (isStuck && share is { StuckSince: 0, Index: >= 0 })
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
