using System.IO.Pipelines;

namespace Transfer.S3.Concurrency;

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
/// The number of requests in both directions together has a limit that only the user changes. Large and small requests of each direction
/// (<see cref="LaneGroup"/>) can also have lower limits, which a <see cref="ConcurrencyController"/> adjusts. A transfer can have its own limit. While it is
/// reached, the requests of the transfer aren't in the lanes, so that they don't block others. The last parts of an upload that is alone can exceed the limit of
/// the controller (<see cref="LoadMeter.ExtraAtEnd"/>).
/// </para>
/// <para>
/// A request of a transfer with a rate limit of its own can hold its slot for a long time. So the data of all these transfers can occupy all slots except one, which is
/// left to the other transfers. If there is only one slot, they take turns.
/// </para>
/// <para>
/// The parts of uploads have a further limit while a link is slow (<see cref="SendLimit"/>). All uploads share it, except those with a rate limit of their own.
/// </para>
/// <para>The lock guards all state, including that of the controllers. Waiters are completed, and listeners are notified, outside of it.</para>
/// </remarks>
internal sealed partial class RequestQueue
{
    /// <summary>The number of values of <see cref="RequestClass"/>.</summary>
    public const int Classes = 5;

    private const int Directions = 2;

    private readonly Lock _gate = new();
    private readonly TimeProvider _time;
    private readonly Action<RequestDirection, ConcurrencyChange>? _changed;
    private readonly LaneGroup[] _large;
    private readonly LaneGroup[] _small;
    private readonly RequestLane[] _lanes;
    private readonly TransferFlow?[] _lastServed = new TransferFlow?[Directions];
    private readonly LaneGroup[] _lastGroup;
    private int _total;
    private int _parked;
    private int _rateLimited;
    private long _grants;

    /// <param name="total">The maximum number of requests in flight.</param>
    /// <param name="time">The clock.</param>
    /// <param name="newController">Creates the controllers; null for a fixed limit.</param>
    /// <param name="changed">Called whenever a limit has changed. It must return quickly.</param>
    public RequestQueue(int total, TimeProvider time, Func<ConcurrencyController>? newController = null, Action<RequestDirection, ConcurrencyChange>? changed = null)
    {
        _total = total;
        _time = time;
        _changed = changed;
        SendLimit = new SendLimit(time, LimitGrew, PipeScheduler.ThreadPool);
        _large = [.. Enumerable.Range(0, Directions).Select(_ => new LaneGroup(newController?.Invoke()))];
        _small = [.. Enumerable.Range(0, Directions).Select(_ => new LaneGroup(newController?.Invoke()))];
        _large[(int)RequestDirection.Upload].Meter?.BeginWithFew();
        _lastGroup = [.. _large];
        _lanes = [.. Enumerable.Range(0, Directions * Classes).Select(i => NewLane(i / Classes, (RequestClass)(i % Classes)))];
    }

    /// <summary>Gets the number of requests in flight.</summary>
    public int InFlight => Active + Volatile.Read(ref _parked);

    /// <summary>Gets the number of requests that wait for a slot, without those of transfers that have reached their own limit.</summary>
    public int Waiting => WaitingIn(0) + WaitingIn(1);

    /// <summary>Gets the number of requests in flight that aren't parked.</summary>
    private int Active => ActiveIn(0) + ActiveIn(1);

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
        ConcurrencyChange? change;
        lock (_gate)
        {
            Advance(slot.Direction);
            Leave(slot);
            _parked -= slot.State == SlotState.Parked ? 1 : 0;
            _rateLimited -= slot.IsRateLimited ? 1 : 0;
            slot.State = SlotState.Released;
            slot.Flow.InFlight--;
            slot.SendLimit?.InFlight -= 1;
            Arrange(slot.Flow);
            LaneGroup group = GetLane(slot.Direction, slot.Class).Group;
            change = group.Meter?.End(slot, group.Counted);
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

    /// <summary>Removes a request from those that the limits of its direction count.</summary>
    private void Leave(RequestSlot slot)
    {
        if (slot.State == SlotState.Granted)
        {
            GetLane(slot.Direction, slot.Class).Leave();
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

    private RequestLane GetLane(RequestDirection direction, RequestClass requestClass) => _lanes[((int)direction * Classes) + (int)requestClass];

    private RequestLane NewLane(int direction, RequestClass requestClass)
    {
        LaneGroup[] groups = requestClass is RequestClass.Lookup or RequestClass.Small ? _small : _large;
        return new RequestLane(requestClass, groups[direction]);
    }

    private int ActiveIn(int direction) => _large[direction].InFlight + _small[direction].InFlight;

    private int WaitingIn(int direction) => _large[direction].Waiting + _small[direction].Waiting;

    private bool HasRoom(RequestLane lane, int direction)
    {
        if (lane.Group.Meter is not { } meter)
        {
            return Active + _parked < _total;
        }

        // Lookups with places of their own don't wait for data that waits for rate limits either.
        return lane.HasOwnPlace
            ? Active < _total
            : Active + _parked < _total && lane.Group.Counted < meter.Limit + (IsEnding(direction) ? meter.ExtraAtEnd : 0);
    }

    /// <summary>
    /// Gets a value that indicates whether the last requests of a transfer are the only ones in a direction, so that others don't have to make room
    /// for them.
    /// </summary>
    private bool IsEnding(int direction)
        => _lastServed[direction] is { IsEnding: true } flow && flow.InFlight == ActiveIn(direction) && flow.Waiting >= WaitingIn(direction);

    /// <summary>Gets a value that indicates whether data of transfers with a rate limit of their own can occupy one more slot.</summary>
    private bool HasRoomForRateLimited => _rateLimited < Math.Max(1, _total - 1);

    private static bool IsRateLimited(TransferFlow flow, RequestClass requestClass) => requestClass != RequestClass.Lookup && flow.IsRateLimited;

    /// <summary>Takes a slot if one is free and no request waits for it.</summary>
    private RequestSlot? TryServe(TransferFlow flow, RequestCost cost)
    {
        bool hasRoom = !flow.IsFull && HasRoom(GetLane(flow.Direction, cost.Class), (int)flow.Direction) && CanServe(cost.Class, flow);
        return hasRoom && (Waiting == 0 || NextLine() is null) ? Serve(flow, cost) : null;
    }

    private void Enqueue(TransferFlow flow, RequestWaiter waiter, bool isRetry)
    {
        Advance(flow.Direction);
        RequestClass requestClass = waiter.Cost.Class;
        FlowQueue line = flow.Lines[(int)requestClass] ??= new FlowQueue(flow);
        if (line.Waiters.Count == 0 && flow.IsInLanes)
        {
            GetLane(flow.Direction, requestClass).Add(line);
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
        GetLane(flow.Direction, requestClass).Group.Waiting += flow.IsInLanes ? 1 : 0;
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

        RequestLane lane = GetLane(line.Flow.Direction, waiter.Cost.Class);
        lane.Group.Waiting--;
        if (line.Waiters.Count == 0)
        {
            lane.Lines.Remove(line);
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
            if (lane.Lines.Count > 0 && HasRoom(lane, i / Classes) && NextIn(lane) is { } line)
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
        => lane.Lines.Min is { } first && CanServe(lane.Class, first.Flow) ? first : lane.Lines.FirstOrDefault(line => CanServe(lane.Class, line.Flow));

    private bool CanServe(RequestClass requestClass, TransferFlow flow)
        => (HasRoomForRateLimited || !IsRateLimited(flow, requestClass)) && (requestClass != RequestClass.Part || HasRoomToSend(flow));

    private RequestSlot Serve(TransferFlow flow, RequestCost cost)
    {
        int direction = (int)flow.Direction;
        double now = Advance(flow.Direction);
        RequestLane lane = GetLane(flow.Direction, cost.Class);
        bool counts = !lane.HasOwnPlace;
        lane.Serve(flow, cost, ++_grants);
        _lastServed[direction] = flow;
        _lastGroup[direction] = _large[direction].InFlight > 0 ? _large[direction] : lane.Group;
        flow.InFlight++;
        Arrange(flow);
        bool isRateLimited = IsRateLimited(flow, cost.Class);
        _rateLimited += isRateLimited ? 1 : 0;
        SendLimit? sendLimit = cost.Class == RequestClass.Part && flow.SentPartBytes > 0 ? GetSendLimit(flow) : null;
        sendLimit?.InFlight += 1;
        int count = lane.Group.Counted;
        int epoch = lane.Group.Meter?.Begin(count, counts, changesLoad: cost.Class != RequestClass.Lookup) ?? 0;
        return new RequestSlot(this, flow, cost.Class, now, epoch, count) { IsRateLimited = isRateLimited, SendLimit = sendLimit };
    }

    /// <summary>Accounts for the time until now. It must be called before the number of requests changes.</summary>
    /// <returns>The time, in seconds.</returns>
    private double Advance(RequestDirection direction)
    {
        if (IsFixed)
        {
            return 0;
        }

        double now = Now;
        _large[(int)direction].Advance(now);
        _small[(int)direction].Advance(now);
        return now;
    }
}
