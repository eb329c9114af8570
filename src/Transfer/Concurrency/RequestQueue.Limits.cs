using System.IO.Pipelines;
using Transfer.S3.Buffers;

namespace Transfer.S3.Concurrency;

/// <content>The limits and their changes.</content>
internal sealed partial class RequestQueue
{
    private readonly LinkedList<AsyncSignal> _listeners = new();

    /// <summary>Gets the maximum number of large requests in flight in a direction.</summary>
    public int GetLimit(RequestDirection direction) => Math.Min(Total, _large[(int)direction].Limit);

    /// <summary>Gets the maximum number of small objects in flight in a direction.</summary>
    public int GetSmallLimit(RequestDirection direction) => Math.Min(Total, _small[(int)direction].Limit);

    /// <summary>Gets the maximum number of requests without data in flight in a direction.</summary>
    public int GetLookupLimit(RequestDirection direction) => Math.Min(Total, GetSmallLimit(direction) + RequestLane.ExtraLookups);

    /// <summary>Gets or sets the maximum number of requests in flight in both directions together. A change doesn't affect requests in flight.</summary>
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
    public bool IsFixed => _large[0].Meter is null;

    /// <summary>Gets the state of the limit of a direction: that of large requests, unless the last requests were small ones only.</summary>
    public LimitState GetState(RequestDirection direction)
    {
        lock (_gate)
        {
            int inFlight = ActiveIn((int)direction);
            return _lastGroup[(int)direction].Meter?.GetState(inFlight, _total) ?? new LimitState { Concurrency = new ConcurrencyState { Limit = _total, InFlight = inFlight } };
        }
    }

    /// <summary>Gets what limits the parts of uploads that have no rate limit of their own.</summary>
    public SendLimit SendLimit { get; }

    /// <summary>Gets the maximum number of parts of an upload that are sent at the same time, so that a slow link confirms one in time.</summary>
    public int SendLimitFor(TransferFlow flow)
        => flow.SentPartBytes == 0 ? int.MaxValue : Math.Min(flow.MostSentParts, (flow.IsRateLimited ? flow.OwnSendLimit : SendLimit)?.Limit ?? int.MaxValue);

    /// <summary>Gets a value that indicates whether the store is known to be so near that its latency doesn't matter.</summary>
    public bool IsNear(RequestDirection direction) => _large[(int)direction].Meter?.IsNear ?? false;

    /// <inheritdoc cref="BestTimes.PartsInTurn"/>
    public int PartsInTurn(RequestDirection direction) => _large[(int)direction].Meter?.PartsInTurn ?? int.MaxValue;

    /// <summary>Gets a value that indicates whether the limit of large requests is still doubling.</summary>
    public bool IsStarting(RequestDirection direction) => _large[(int)direction].Meter?.IsStarting ?? false;

    /// <summary>
    /// Gets the number of requests beyond the limit that the last parts of an upload can have. It is 0 for a limit that the user chose.
    /// </summary>
    public int ExtraAtEnd(RequestDirection direction) => _large[(int)direction].Meter?.ExtraAtEnd ?? 0;

    /// <summary>Gets the number of bytes that one connection could have transferred during the time to the first byte; 0 if that is not known.</summary>
    public double LatencyBytes(RequestDirection direction) => _large[(int)direction].Meter?.LatencyBytes ?? 0;

    /// <summary>Reports the first response of the store, whose time tells how many requests to begin with.</summary>
    /// <param name="time">The time from the request to the first byte of the response.</param>
    public void Responded(TimeSpan time)
    {
        bool hasGrown = false;
        foreach (RequestDirection direction in Enum.GetValues<RequestDirection>())
        {
            ConcurrencyChange? change;
            lock (_gate)
            {
                Advance(direction);
                change = _large[(int)direction].Meter?.Responded(time.TotalSeconds);
            }

            if (change is { } changed)
            {
                _changed?.Invoke(direction, changed);
                hasGrown |= changed.To > changed.From;
            }
        }

        if (hasGrown)
        {
            LimitGrew();
        }
    }

    /// <summary>Changes the share and the limit of a transfer. The change doesn't affect requests in flight.</summary>
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

    /// <summary>Adds a signal that is set whenever a limit has grown.</summary>
    /// <returns>The node to pass to <see cref="RemoveListener"/>.</returns>
    public LinkedListNode<AsyncSignal> AddListener(AsyncSignal limitGrew)
    {
        lock (_gate)
        {
            return _listeners.AddLast(limitGrew);
        }
    }

    /// <summary>Removes a signal if it was not removed before.</summary>
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

    /// <summary>Gets the limit that the parts of an upload count for. Others must not wait for the parts of a transfer with a rate limit of its own.</summary>
    private SendLimit GetSendLimit(TransferFlow flow) => flow.IsRateLimited ? flow.OwnSendLimit ??= new SendLimit(_time, LimitGrew, PipeScheduler.ThreadPool) : SendLimit;

    private bool HasRoomToSend(TransferFlow flow) => flow.SentPartBytes == 0 || GetSendLimit(flow).InFlight < SendLimitFor(flow);

    private void LimitGrew()
    {
        Grant();
        Tell();
    }

    /// <summary>Notifies all listeners that a limit may have grown.</summary>
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

    /// <summary>
    /// Removes the waiting requests of a transfer from the lanes when it has reached its limit, and adds them again when it is below the limit.
    /// </summary>
    private void Arrange(TransferFlow flow)
    {
        if (flow.IsInLanes == !flow.IsFull)
        {
            return;
        }

        flow.IsInLanes = !flow.IsFull;
        for (int i = 0; i < Classes; i++)
        {
            if (flow.Lines[i] is not { Waiters.Count: > 0 } line)
            {
                continue;
            }

            RequestLane lane = GetLane(flow.Direction, (RequestClass)i);
            if (flow.IsInLanes)
            {
                lane.Add(line); // it earns no credit while its own limit holds it back
            }
            else
            {
                lane.Lines.Remove(line);
            }

            lane.Group.Waiting += flow.IsInLanes ? line.Waiters.Count : -line.Waiters.Count;
        }
    }
}
