using Transfer.Buffers;

namespace Transfer.Concurrency;

/// <content>The limits: what they are, how they change, and who is told.</content>
internal sealed partial class RequestQueue
{
    private readonly LinkedList<AsyncSignal> _listeners = new();

    /// <summary>Gets the number of requests that can be in flight in a direction.</summary>
    public int LimitOf(RequestDirection direction) => Math.Min(Total, _meters[(int)direction]?.Limit ?? int.MaxValue);

    /// <summary>Gets or sets the number of requests that can be in flight in both directions together. Requests in flight stay.</summary>
    public int Total
    {
        get => Volatile.Read(ref _total);
        set
        {
            lock (_gate)
            {
                Volatile.Write(ref _total, value);
            }

            Grant();
            Tell();
        }
    }

    /// <summary>Gets a value that indicates whether the limit is fixed, because the user chose it.</summary>
    public bool IsFixed => _meters[0] is null;

    /// <summary>Gets the state of the limit of a direction.</summary>
    public ConcurrencyState StateOf(RequestDirection direction)
    {
        lock (_gate)
        {
            int inFlight = _inFlight[(int)direction];
            return _meters[(int)direction]?.StateOf(inFlight, _total) ?? new ConcurrencyState(_total, inFlight, null);
        }
    }

    /// <summary>Gets a value that indicates whether the limit of a direction still doubles.</summary>
    public bool IsStarting(RequestDirection direction) => _meters[(int)direction]?.IsStarting ?? false;

    /// <summary>Gets the requests beyond the limit that the last parts of an upload can have. A limit that the user chose has none.</summary>
    public int ExtraAtEnd(RequestDirection direction) => _meters[(int)direction]?.ExtraAtEnd ?? 0;

    /// <summary>Gets the bytes that one connection could have transferred during the time to the first byte; 0 if that is not known.</summary>
    public double LatencyBytes(RequestDirection direction) => _meters[(int)direction]?.LatencyBytes ?? 0;

    /// <summary>Changes the share and the limit of a transfer. Requests in flight stay.</summary>
    public void Change(TransferFlow flow, double weight, int mostInFlight)
    {
        lock (_gate)
        {
            Advance(flow.Direction);
            flow.Weight = weight;
            flow.MostInFlight = mostInFlight;
            Arrange(flow);
        }

        Grant();
        Tell();
    }

    /// <summary>Sets a signal whenever a limit has grown.</summary>
    /// <returns>What removes the signal again.</returns>
    public LinkedListNode<AsyncSignal> AddListener(AsyncSignal limitGrew)
    {
        lock (_gate)
        {
            return _listeners.AddLast(limitGrew);
        }
    }

    /// <summary>Removes a signal, if it was not removed before.</summary>
    public void RemoveListener(LinkedListNode<AsyncSignal> listener)
    {
        lock (_gate)
        {
            if (listener.List is not null)
            {
                _listeners.Remove(listener);
            }
        }
    }

    /// <summary>Tells all listeners that a limit may have grown.</summary>
    private void Tell()
    {
        AsyncSignal[] listeners;
        lock (_gate)
        {
            listeners = [.. _listeners];
        }

        foreach (AsyncSignal listener in listeners)
        {
            listener.Set();
        }
    }

    /// <summary>Takes the waiting requests of a transfer out of the lanes when it has all that it can have, and puts them back when it can have more.</summary>
    private void Arrange(TransferFlow flow)
    {
        if (flow.IsInLanes == !flow.IsFull)
        {
            return;
        }

        flow.IsInLanes = !flow.IsFull;
        flow.ServedBytes = Math.Max(flow.ServedBytes, _virtualTime); // while its own limit holds it back, it earns no credit
        for (int lane = 0; lane < Classes; lane++)
        {
            if (flow.Lines[lane] is not { Waiters.Count: > 0 } line)
            {
                continue;
            }

            SortedSet<FlowLine> lines = _lanes[(int)flow.Direction, lane];
            if (flow.IsInLanes)
            {
                line.Rank = flow.ServedBytes;
                lines.Add(line);
            }
            else
            {
                lines.Remove(line);
            }

            _waiting[(int)flow.Direction] += flow.IsInLanes ? line.Waiters.Count : -line.Waiters.Count;
        }
    }
}
