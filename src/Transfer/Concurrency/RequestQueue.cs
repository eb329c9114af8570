namespace Transfer.Concurrency;

/// <summary>Limits the requests in flight and determines which waiting request is next.</summary>
/// <remarks>
/// <para>
/// The requests of one direction and class are a lane. A free slot goes to the lane with the fewest slots for its weight, so a class with a larger weight gets
/// more slots, and every lane progresses: one without a slot is next. What a lane has is counted in slots, not in requests, because a large part occupies a slot
/// for seconds and a lookup for milliseconds. If lanes have equally many, the one that has waited longer is next.
/// </para>
/// <para>
/// Within a lane, the transfer that was served the fewest bytes is next: start-time fair queuing (Goyal, Vin, and Cheng, "Start-Time Fair Queueing",
/// SIGCOMM 1996), with its bytes divided by its weight. Each lane is a server with a virtual time of its own. A transfer that begins to wait in a lane starts at
/// that time, so idle time earns no credit.
/// </para>
/// <para>
/// So the wait of the next request of a transfer is bounded in the bytes that its lane is served. If b are the bytes of the transfer's previous request in the
/// lane and w is its weight, each other transfer of weight v is served at most v * b / w bytes and one request before it. If the transfer is new in the lane, b is
/// 0: whatever the weights, it waits for at most one request of each transfer that waited in the lane before it.
/// </para>
/// <para>
/// The number of requests in both directions together has a limit that only the user changes. Each direction can also have a lower limit, which a
/// <see cref="ConcurrencyController"/> adjusts. A transfer can have its own limit. While it is reached, the requests of the transfer aren't in the
/// lanes, so that they don't block others. The last parts of an upload that is alone can exceed the limit of the controller
/// (<see cref="LoadMeter.ExtraAtEnd"/>).
/// </para>
/// <para>
/// A request of a transfer with a rate limit of its own can hold its slot for a long time. So the data of all these transfers can occupy all slots except one, which is
/// left to the other transfers. If there is only one slot, they take turns.
/// </para>
/// <para>The lock guards all state, including that of the controllers. Waiters are completed, and listeners are notified, outside of it.</para>
/// </remarks>
internal sealed partial class RequestQueue
{
    /// <summary>The number of values of <see cref="RequestClass"/>.</summary>
    public const int Classes = 5;

    /// <summary>
    /// The number of requests without data that don't count for the limit of a controller. They don't use the link, and much waits for their results. A number that
    /// the user chose isn't exceeded.
    /// </summary>
    public const int ExtraLookups = 8;

    /// <summary>
    /// The number of small objects of each direction that don't count for the limit of a controller while parts are in flight. The limit is then that of the parts, of
    /// which few fill a link, but small objects are mostly latency.
    /// </summary>
    public const int ExtraSmall = 128;

    private const int Directions = 2;

    private readonly Lock _gate = new();
    private readonly TimeProvider _time;
    private readonly Action<RequestDirection, ConcurrencyChange>? _changed;
    private readonly LoadMeter?[] _meters;
    private readonly RequestLane[] _lanes = [.. Enumerable.Range(0, Directions * Classes).Select(static i => new RequestLane((RequestClass)(i % Classes)))];
    private readonly int[] _inFlight = new int[Directions];
    private readonly int[] _waiting = new int[Directions];
    private readonly TransferFlow?[] _lastServed = new TransferFlow?[Directions];
    private int _total;
    private int _parked;
    private int _rateLimited;
    private long _grants;

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
    }

    /// <summary>Gets the number of requests in flight.</summary>
    public int InFlight => Volatile.Read(ref _inFlight[0]) + Volatile.Read(ref _inFlight[1]) + Volatile.Read(ref _parked);

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

        RequestSlot? slot;
        lock (_gate)
        {
            slot = TryServe(flow, cost);
        }

        if (slot is not null)
        {
            GrantToOthers();
            return ValueTask.FromResult(slot);
        }

        RequestWaiter waiter = new(this, cost);
        waiter.Registration = cancellationToken.UnsafeRegister(static (state, token) => ((RequestWaiter)state!).Cancel(token), waiter);
        lock (_gate)
        {
            slot = TryServe(flow, cost);
            if (slot is null)
            {
                Enqueue(flow, waiter, isRetry);
            }
        }

        if (slot is not null)
        {
            waiter.Registration.Unregister();
            GrantToOthers();
            return ValueTask.FromResult(slot);
        }

        Grant(); // a request that waits can have become the next one at any time, for example because its rate limit was removed
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
            Leave(slot);
            _parked -= slot.State == SlotState.Parked ? 1 : 0;
            _rateLimited -= slot.IsRateLimited ? 1 : 0;
            slot.State = SlotState.Released;
            slot.Flow.InFlight--;
            Arrange(slot.Flow);
            change = _meters[direction]?.End(slot, CountOf(direction));
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

    /// <summary>
    /// Gives the slot of a request that waits for a limit of its own transfer to other transfers. The request still counts for its transfer and for the number of requests
    /// that the user allows, because its connection stays open.
    /// </summary>
    public void Park(RequestSlot slot)
    {
        lock (_gate)
        {
            if (slot.State != SlotState.Granted)
            {
                return; // it waits again, or the request has ended while its data waited
            }

            Advance(slot.Direction);
            Leave(slot);
            slot.State = SlotState.Parked;
            _parked++;
            _rateLimited += slot.IsRateLimited ? 0 : 1; // the limit was set while the request was in flight
            slot.IsRateLimited = true;
        }

        Grant();
    }

    /// <summary>Serves those that wait after a request that didn't. If it is the first one of a part, it leaves room for small objects.</summary>
    private void GrantToOthers()
    {
        if (Waiting > 0)
        {
            Grant();
        }
    }

    /// <summary>Removes a request from those that the limits of its direction count.</summary>
    private void Leave(RequestSlot slot)
    {
        if (slot.State == SlotState.Granted)
        {
            _inFlight[(int)slot.Direction]--;
            LaneOf(slot.Direction, slot.Class).InFlight--;
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

    private RequestLane LaneOf(RequestDirection direction, RequestClass requestClass) => _lanes[((int)direction * Classes) + (int)requestClass];

    private bool HasRoom(int direction, RequestClass requestClass)
    {
        int inFlight = _inFlight[0] + _inFlight[1];
        if (_meters[direction] is not { } meter)
        {
            return inFlight + _parked < _total;
        }

        // What has a place of its own doesn't wait until a limit that has fallen is reached. Lookups don't wait for data that waits for rate limits either.
        return HasExtra(direction, requestClass)
            ? inFlight + (requestClass == RequestClass.Lookup ? 0 : _parked) < _total
            : inFlight + _parked < _total && CountOf(direction) < meter.Limit + (IsEnding(direction) ? meter.ExtraAtEnd : 0);
    }

    /// <summary>Gets the number of requests that count for the limit of a direction: all except those that have places of their own.</summary>
    private int CountOf(int direction) => _inFlight[direction] - ExtraIn(direction, RequestClass.Lookup) - ExtraIn(direction, RequestClass.Small);

    private int ExtraIn(int direction, RequestClass requestClass) => Math.Min(InFlightOf(direction, requestClass), ExtraOf(direction, requestClass));

    /// <summary>Returns whether one more request of a class has a place of its own.</summary>
    private bool HasExtra(int direction, RequestClass requestClass) => InFlightOf(direction, requestClass) < ExtraOf(direction, requestClass);

    private int ExtraOf(int direction, RequestClass requestClass) => requestClass switch
    {
        RequestClass.Lookup when !IsFixed => ExtraLookups,
        RequestClass.Small when !IsFixed && HasParts(direction) => ExtraSmall,
        _ => 0,
    };

    private bool HasParts(int direction)
        => InFlightOf(direction, RequestClass.Part) + InFlightOf(direction, RequestClass.Head) + InFlightOf(direction, RequestClass.First) > 0;

    private int InFlightOf(int direction, RequestClass requestClass) => LaneOf((RequestDirection)direction, requestClass).InFlight;

    /// <summary>
    /// Gets a value that indicates whether the last requests of a transfer are the only ones in a direction, so that others don't have to make room
    /// for them.
    /// </summary>
    private bool IsEnding(int direction)
        => _lastServed[direction] is { IsEnding: true } flow && flow.InFlight == _inFlight[direction] && flow.Waiting >= _waiting[direction];

    /// <summary>Gets a value that indicates whether data of transfers with a rate limit of their own can occupy one more slot.</summary>
    private bool HasRoomForRateLimited => _rateLimited < Math.Max(1, _total - 1);

    private static bool IsRateLimited(TransferFlow flow, RequestClass requestClass) => requestClass != RequestClass.Lookup && flow.IsRateLimited;

    /// <summary>Takes a slot if one is free and no request waits for it.</summary>
    private RequestSlot? TryServe(TransferFlow flow, RequestCost cost)
    {
        bool hasRoom = !flow.IsFull && HasRoom((int)flow.Direction, cost.Class) && (HasRoomForRateLimited || !IsRateLimited(flow, cost.Class));
        return hasRoom && (Waiting == 0 || NextLine() is null) ? Serve(flow, cost) : null;
    }

    private void Enqueue(TransferFlow flow, RequestWaiter waiter, bool isRetry)
    {
        Advance(flow.Direction);
        RequestClass requestClass = waiter.Cost.Class;
        FlowQueue line = flow.Lines[(int)requestClass] ??= new FlowQueue(flow);
        if (line.Waiters.Count == 0 && flow.IsInLanes)
        {
            LaneOf(flow.Direction, requestClass).Add(line);
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
    }

    private void Remove(RequestWaiter waiter)
    {
        FlowQueue line = waiter.Line!;
        line.Waiters.Remove(waiter.Node);
        waiter.Line = null;
        if (!line.Flow.IsInLanes)
        {
            return;
        }

        _waiting[(int)line.Flow.Direction]--;
        if (line.Waiters.Count == 0)
        {
            LaneOf(line.Flow.Direction, waiter.Cost.Class).Lines.Remove(line);
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
        return (waiter, Serve(line.Flow, waiter.Cost));
    }

    private FlowQueue? NextLine()
    {
        FlowQueue? next = null;
        (double Load, long LastGrant) lowest = default;
        for (int i = 0; i < _lanes.Length; i++)
        {
            RequestLane lane = _lanes[i];
            if (lane.Lines.Count > 0 && HasRoom(i / Classes, lane.Class) && NextIn(lane) is { } line)
            {
                (double Load, long LastGrant) rank = lane.RankFor(line);
                if (next is null || rank.CompareTo(lowest) < 0)
                {
                    (next, lowest) = (line, rank);
                }
            }
        }

        return next;
    }

    private FlowQueue? NextIn(RequestLane lane)
        => lane.Class == RequestClass.Lookup || HasRoomForRateLimited ? lane.Lines.Min : lane.Lines.FirstOrDefault(static line => !line.Flow.IsRateLimited);

    private RequestSlot Serve(TransferFlow flow, RequestCost cost)
    {
        int direction = (int)flow.Direction;
        double now = Advance(flow.Direction);
        RequestLane lane = LaneOf(flow.Direction, cost.Class);
        bool counts = !HasExtra(direction, cost.Class);
        lane.Serve(flow, cost, ++_grants);
        _inFlight[direction]++;
        _lastServed[direction] = flow;
        flow.InFlight++;
        Arrange(flow);
        bool isRateLimited = IsRateLimited(flow, cost.Class);
        _rateLimited += isRateLimited ? 1 : 0;
        int count = CountOf(direction);
        int epoch = _meters[direction]?.Begin(count, counts, changesLoad: cost.Class != RequestClass.Lookup) ?? 0;
        return new RequestSlot(this, flow, cost.Class, now, epoch, count) { IsRateLimited = isRateLimited };
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
        meter.Advance(now, CountOf((int)direction), _waiting[(int)direction] > 0);
        return now;
    }
}
