namespace Transfer.Concurrency;

/// <summary>Limits the requests in flight and determines which waiting request is next.</summary>
/// <remarks>
/// <para>
/// Classes are served in order. A class that was passed over <see cref="PassedOverLimit"/> times in a row is next, so every class progresses.
/// </para>
/// <para>
/// Within a class, the transfer that was served the fewest bytes is next: start-time fair queuing (Goyal, Vin, and Cheng, "Start-Time Fair Queueing",
/// SIGCOMM 1996), with one tag for each transfer and its bytes divided by its weight. A transfer that begins to wait starts at the current virtual
/// time, so idle time earns no credit.
/// </para>
/// <para>
/// The number of requests in both directions together has a limit that only the user changes. Each direction can also have a lower limit, which a
/// <see cref="ConcurrencyController"/> adjusts. A transfer can have its own limit. While it is reached, the requests of the transfer aren't in the
/// lanes, so that they don't block others. The last parts of an upload that is alone can exceed the limit of the controller
/// (<see cref="LoadMeter.ExtraAtEnd"/>).
/// </para>
/// <para>The lock guards all state, including that of the controllers. Waiters are completed, and listeners are notified, outside of it.</para>
/// </remarks>
internal sealed partial class RequestQueue
{
    /// <summary>The number of values of <see cref="RequestClass"/>.</summary>
    public const int Classes = 4;

    /// <summary>The number of slots in a row that other classes can get while a class waits.</summary>
    public const int PassedOverLimit = 8;

    private const int Directions = 2;

    private readonly Lock _gate = new();
    private readonly TimeProvider _time;
    private readonly Action<RequestDirection, ConcurrencyChange>? _changed;
    private readonly LoadMeter?[] _meters;
    private readonly SortedSet<FlowQueue>[,] _lanes = new SortedSet<FlowQueue>[Directions, Classes];
    private readonly int[] _passedOver = new int[Classes];
    private readonly int[] _inFlight = new int[Directions];
    private readonly int[] _waiting = new int[Directions];
    private readonly int[] _hedges = new int[Directions];
    private readonly TransferFlow?[] _lastServed = new TransferFlow?[Directions];
    private int _total;
    private double _virtualTime;
    private long _lines;

    /// <param name="total">The maximum number of requests in flight.</param>
    /// <param name="time">The clock.</param>
    /// <param name="newController">Creates the controller of each direction; null for a fixed limit.</param>
    /// <param name="changed">Called whenever a limit has changed. It must return quickly.</param>
    public RequestQueue(int total, TimeProvider time, Func<ConcurrencyController>? newController = null, Action<RequestDirection, ConcurrencyChange>? changed = null)
    {
        _total = total;
        _time = time;
        _changed = changed;
        _meters = [.. Enumerable.Range(0, Directions).Select(_ => newController is null ? null : new LoadMeter(newController()))];
        for (int i = 0; i < _lanes.Length; i++)
        {
            _lanes[i / Classes, i % Classes] = new SortedSet<FlowQueue>(LineComparer);
        }
    }

    private static Comparer<FlowQueue> LineComparer { get; } = Comparer<FlowQueue>.Create(
        static (one, other) => one.Rank.CompareTo(other.Rank) is not 0 and var order ? order : one.Id.CompareTo(other.Id));

    /// <summary>Gets the number of requests in flight.</summary>
    public int InFlight => Volatile.Read(ref _inFlight[0]) + Volatile.Read(ref _inFlight[1]);

    /// <summary>Gets the number of requests that wait for a slot, without those of transfers that have reached their own limit.</summary>
    public int Waiting => Volatile.Read(ref _waiting[0]) + Volatile.Read(ref _waiting[1]);

    /// <summary>Gets the time, in seconds.</summary>
    public double Now => (double)_time.GetTimestamp() / _time.TimestampFrequency;

    /// <summary>Waits for a slot.</summary>
    /// <param name="flow">The transfer that the request belongs to.</param>
    /// <param name="cost">The class and the bytes of the request.</param>
    /// <param name="isRetry">Whether the request has priority over the other waiting requests of its transfer and class.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public ValueTask<RequestSlot> EnterAsync(TransferFlow flow, RequestCost cost, bool isRetry, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<RequestSlot>(cancellationToken);
        }

        lock (_gate)
        {
            if (TryServe(flow, cost) is { } slot)
            {
                return ValueTask.FromResult(slot);
            }
        }

        RequestWaiter waiter = new(this, cost);
        waiter.Registration = cancellationToken.UnsafeRegister(static (state, token) => ((RequestWaiter)state!).Cancel(token), waiter);
        lock (_gate)
        {
            if (TryServe(flow, cost) is { } slot)
            {
                waiter.Registration.Unregister();
                return ValueTask.FromResult(slot);
            }

            Enqueue(flow, waiter, isRetry);
        }

        if (cancellationToken.IsCancellationRequested)
        {
            waiter.Cancel(cancellationToken); // the callback may have run before the waiter was in the queue
        }

        return new ValueTask<RequestSlot>(waiter.Task);
    }

    /// <summary>Removes a canceled request.</summary>
    /// <returns>Whether the request was still waiting.</returns>
    public bool TryRemove(RequestWaiter waiter)
    {
        lock (_gate)
        {
            if (waiter.Line is null)
            {
                return false;
            }

            Advance(waiter.Line.Flow.Direction);
            Remove(waiter);
            return true;
        }
    }

    /// <summary>Releases a slot. It is called once for each slot.</summary>
    public void Exit(RequestSlot slot)
    {
        int direction = (int)slot.Direction;
        ConcurrencyChange? change;
        lock (_gate)
        {
            Advance(slot.Direction);
            _inFlight[direction]--;
            slot.Flow.InFlight--;
            Arrange(slot.Flow);
            change = _meters[direction]?.End(slot, _inFlight[direction]);
        }

        Grant();
        if (change is { } changed)
        {
            _changed?.Invoke(slot.Direction, changed);
            if (changed.To > changed.From)
            {
                Tell();
            }
        }
    }

    /// <summary>Serves requests as long as slots are free.</summary>
    private void Grant()
    {
        while (true)
        {
            (RequestWaiter Waiter, RequestSlot Slot)? granted;
            lock (_gate)
            {
                granted = TryGrant();
            }

            if (granted is not { } next)
            {
                return;
            }

            next.Waiter.Registration.Unregister();
            next.Waiter.SetResult(next.Slot);
        }
    }

    private bool HasRoom(int direction)
        => _inFlight[0] + _inFlight[1] < _total && (_meters[direction] is not { } meter || _inFlight[direction] < meter.Limit + (IsEnding(direction) ? meter.ExtraAtEnd : 0));

    /// <summary>
    /// Gets a value that indicates whether the last requests of a transfer are the only ones in a direction, so that others don't have to make room
    /// for them.
    /// </summary>
    private bool IsEnding(int direction)
        => _lastServed[direction] is { IsEnding: true } flow && flow.InFlight == _inFlight[direction] && flow.Waiting >= _waiting[direction];

    /// <summary>Takes a slot if one is free and no request of the direction waits.</summary>
    private RequestSlot? TryServe(TransferFlow flow, RequestCost cost)
    {
        int direction = (int)flow.Direction;
        if (!HasRoom(direction) || _waiting[direction] > 0 || flow.IsFull)
        {
            return null;
        }

        flow.ServedBytes = Math.Max(flow.ServedBytes, _virtualTime);
        return Serve(flow, cost.Bytes);
    }

    private void Enqueue(TransferFlow flow, RequestWaiter waiter, bool isRetry)
    {
        Advance(flow.Direction);
        if (!flow.IsWaiting)
        {
            flow.ServedBytes = Math.Max(flow.ServedBytes, _virtualTime);
        }

        int lane = (int)waiter.Cost.Class;
        FlowQueue line = flow.Lines[lane] ??= new FlowQueue(flow, ++_lines);
        if (line.Waiters.Count == 0)
        {
            line.Rank = flow.ServedBytes;
            if (flow.IsInLanes)
            {
                _lanes[(int)flow.Direction, lane].Add(line);
            }
        }

        if (isRetry)
        {
            line.Waiters.AddFirst(waiter.Node);
        }
        else
        {
            line.Waiters.AddLast(waiter.Node);
        }

        waiter.Line = line;
        _waiting[(int)flow.Direction] += flow.IsInLanes ? 1 : 0;
        _hedges[(int)flow.Direction] += waiter.Cost.IsHedge ? 1 : 0;
    }

    private void Remove(RequestWaiter waiter)
    {
        FlowQueue line = waiter.Line!;
        line.Waiters.Remove(waiter.Node);
        waiter.Line = null;
        _hedges[(int)line.Flow.Direction] -= waiter.Cost.IsHedge ? 1 : 0;
        if (!line.Flow.IsInLanes)
        {
            return;
        }

        _waiting[(int)line.Flow.Direction]--;
        if (line.Waiters.Count == 0)
        {
            _lanes[(int)line.Flow.Direction, (int)waiter.Cost.Class].Remove(line);
        }
    }

    /// <summary>Serves the next request if a slot is free. The caller completes it after releasing the lock.</summary>
    private (RequestWaiter Waiter, RequestSlot Slot)? TryGrant()
    {
        if (NextLine() is not { } line)
        {
            return null;
        }

        RequestWaiter waiter = line.Waiters.First!.Value;
        Remove(waiter);
        return (waiter, Serve(line.Flow, waiter.Cost.Bytes));
    }

    private FlowQueue? NextLine()
    {
        bool hasDownloads = _waiting[0] > 0 && HasRoom(0);
        bool hasUploads = _waiting[1] > 0 && HasRoom(1);
        if (!hasDownloads && !hasUploads)
        {
            return null;
        }

        FlowQueue? next = null;
        int nextLane = 0;
        for (int lane = 0; lane < Classes; lane++)
        {
            FlowQueue? download = hasDownloads ? _lanes[0, lane].Min : null;
            FlowQueue? upload = hasUploads ? _lanes[1, lane].Min : null;
            FlowQueue? first = download is null || (upload is not null && LineComparer.Compare(upload, download) < 0) ? upload : download;
            if (first is null)
            {
                _passedOver[lane] = 0;
            }
            else if (next is null || ++_passedOver[lane] > PassedOverLimit)
            {
                (next, nextLane) = (first, lane); // the lowest class that has waited too long
            }
        }

        _passedOver[nextLane] = 0;
        return next;
    }

    private RequestSlot Serve(TransferFlow flow, long bytes)
    {
        int direction = (int)flow.Direction;
        double now = Advance(flow.Direction);
        _inFlight[direction]++;
        _lastServed[direction] = flow;
        _virtualTime = Math.Max(_virtualTime, flow.ServedBytes);
        flow.ServedBytes += bytes / flow.Weight;
        flow.InFlight++;
        for (int lane = 0; lane < Classes; lane++)
        {
            if (flow.Lines[lane] is not { Waiters.Count: > 0 } line)
            {
                continue;
            }

            if (_lanes[direction, lane].Count == 1)
            {
                line.Rank = flow.ServedBytes; // in the usual case, there is nothing to sort, so nothing is allocated
                continue;
            }

            _lanes[direction, lane].Remove(line);
            line.Rank = flow.ServedBytes;
            _lanes[direction, lane].Add(line);
        }

        Arrange(flow);
        return new RequestSlot(this, flow, now, _meters[direction]?.Begin(_inFlight[direction]) ?? 0, _inFlight[direction]);
    }

    /// <summary>Accounts for the time until now. It must be called before the number of requests changes.</summary>
    /// <returns>The time, in seconds.</returns>
    private double Advance(RequestDirection direction)
    {
        if (_meters[(int)direction] is not { } meter)
        {
            return 0;
        }

        double now = Now;
        meter.Advance(now, _inFlight[(int)direction], _waiting[(int)direction] > _hedges[(int)direction]);
        return now;
    }
}
