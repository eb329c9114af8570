#pragma warning disable VSTHRD002 // only results of completed tasks are used
using Transfer.S3.Concurrency;

namespace Transfer.S3.Tests.Concurrency;

/// <summary>Random requests in a <see cref="RequestQueue"/>. After each step, what the queue has granted is compared with what it promises.</summary>
internal sealed class RandomQueueLoad
{
    private const int Steps = 150;
    private const int MostWaiting = 60;

    private static readonly double[] Weights = [0.25, 0.5, 1, 2, 4];

    private readonly int _seed;
    private readonly Random _random;
    private readonly bool _adapts;
    private readonly int _mostTotal;
    private readonly double _rejectedShare;
    private readonly RequestClass _favorite;
    private readonly Clock _time = new();
    private readonly RequestQueue _queue;
    private readonly Lane[] _lanes = [.. Enumerable.Range(0, 2 * RequestQueue.Classes).Select(static _ => new Lane())];
    private readonly List<Flow> _flows = [];
    private readonly List<Request> _waiting = [];
    private readonly List<Request> _held = [];
    private int _entered;
    private int _ended;

    public RandomQueueLoad(int seed)
    {
        _seed = seed;
        _random = new Random(seed);
        _adapts = _random.Next(3) == 0;
        _mostTotal = _adapts ? _random.Next(16, 64) : _random.Next(1, 17);
        _rejectedShare = _random.Next(3) == 0 ? 0.5 : 0.01;
        _favorite = (RequestClass)_random.Next(RequestQueue.Classes);
        _queue = new RequestQueue(_mostTotal, _time, _adapts ? () => new ConcurrencyController(1, 8, _mostTotal) : null);
        for (int i = 0; i < 8; i++)
        {
            _flows.Add(NewFlow());
        }
    }

    /// <summary>Sends requests at random, then ends all of them.</summary>
    public void Run()
    {
        for (int step = 0; step < Steps; step++)
        {
            BeginStep();
            switch (_random.Next(20))
            {
                case < 9 when _waiting.Count < MostWaiting:
                    Enter();
                    break;
                case < 16 when _held.Count > 0:
                    End();
                    break;
                case 16 when _held.Count > 0:
                    Park();
                    break;
                case 17 when _waiting.Count > 0:
                    Cancel();
                    break;
                case 18:
                    Change(_flows[_random.Next(_flows.Count)]);
                    break;
                case 19 when _random.Next(4) == 0:
                    ChangeTotal();
                    break;
                default:
                    break;
            }

            EndStep();
        }

        while (_held.Count > 0)
        {
            BeginStep();
            End();
            EndStep();
        }

        Verify(_waiting.Count == 0 && _ended == _entered, $"{_waiting.Count} requests still wait, and {_ended} of {_entered} have ended");
        Verify((_queue.InFlight, _queue.Waiting) == (0, 0), $"the queue isn't empty");
    }

    private Flow NewFlow()
    {
        Flow flow = new((RequestDirection)_random.Next(2), _random.Next(3) == 0 ? new RateLimit(_time) { TotalBytesPerSecond = 1024 } : null);
        if (_random.Next(2) == 0)
        {
            Change(flow);
        }

        return flow;
    }

    private void Change(Flow flow)
    {
        double weight = Weights[_random.Next(Weights.Length)];
        flow.MostWeight = Math.Max(flow.MostWeight, weight);
        flow.Limit?.TotalBytesPerSecond = _random.Next(4) == 0 ? null : 1024;
        _queue.Change(flow.Share, weight, _random.Next(3) == 0 ? _random.Next(1, 4) : int.MaxValue);
    }

    private void ChangeTotal()
    {
        int total = _queue.Total;

        // A fixed number grows by one, so that only one request of both directions is granted in a step, and grants have an order.
        _queue.Total = _adapts ? _random.Next(1, _mostTotal + 1) : total < _mostTotal && _random.Next(3) > 0 ? total + 1 : _random.Next(1, total + 1);
    }

    private void Enter()
    {
        int index = _random.Next(_flows.Count);
        if (_random.Next(10) == 0)
        {
            _flows[index] = NewFlow(); // requests of the other one can still wait
        }

        RequestCost cost = NewCost(_random.Next(2) == 0 ? _favorite : (RequestClass)_random.Next(RequestQueue.Classes));
        CancellationTokenSource stop = new();
        Flow flow = _flows[index];
        Task<RequestSlot> task = _queue.EnterAsync(flow.Share, cost, isRetry: _random.Next(6) == 0, stop.Token).AsTask();
        Request request = new(flow, cost, task, stop);
        Lane lane = GetLane(request);
        lane.LargestBytes = Math.Max(lane.LargestBytes, cost.Bytes);
        Line line = flow.Lines[(int)cost.Class];
        line.LargestBytes = Math.Max(line.LargestBytes, cost.Bytes);
        if (line.Waiting++ == 0)
        {
            lane.Lines.Add(line);
            line.Restart(lane);
        }

        _waiting.Add(request);
        _entered++;
    }

    private RequestCost NewCost(RequestClass requestClass) => requestClass switch
    {
        RequestClass.Head => RequestCost.Part(NewSize(), isHead: true),
        RequestClass.Lookup => _random.Next(2) == 0 ? RequestCost.Lookup : RequestCost.Cleanup,
        RequestClass.Small => RequestCost.First(_random.NextInt64(RequestCost.SmallBytes)),
        RequestClass.First => RequestCost.First(_random.Next(2) == 0 ? null : RequestCost.SmallBytes + NewSize()),
        _ => RequestCost.Part(NewSize()),
    };

    private long NewSize() => _random.NextInt64(1, 1L << _random.Next(16, 26));

    private void End()
    {
        int index = _random.Next(_held.Count);
        Request request = _held[index];
        _held.RemoveAt(index);
        Release(request);
        request.Flow.InFlight--;
        _time.Advance(TimeSpan.FromMilliseconds(_random.Next(40)));
        if (_random.NextDouble() < _rejectedShare)
        {
            request.Slot.Reject();
        }
        else if (request.Cost.HasData)
        {
            request.Slot.Complete(request.Cost.Bytes);
        }

        request.Slot.Dispose();
        _ended++;
    }

    private void Park()
    {
        Request request = _held[_random.Next(_held.Count)];
        if (request.Cost.HasData)
        {
            Release(request);
            request.IsParked = true;
            request.IsRateLimited = true;
            request.Slot.Paced(isOwn: true);
        }
    }

    private void Release(Request request) => GetLane(request).InFlight -= request.IsParked ? 0 : 1;

    private void Cancel()
    {
        Request request = _waiting[_random.Next(_waiting.Count)];
        request.Stop.Cancel();
        Verify(request.Task.IsCanceled, $"a canceled request waits");
        Leave(request);
        _ended++;
    }

    private void Leave(Request request)
    {
        _waiting.Remove(request);
        Line line = request.Flow.Lines[(int)request.Cost.Class];
        if (--line.Waiting == 0)
        {
            GetLane(request).Lines.Remove(line);
        }

        request.Stop.Dispose();
    }

    /// <summary>Restarts the accounts of those whose wait isn't bounded yet.</summary>
    private void BeginStep()
    {
        foreach (Lane lane in _lanes)
        {
            if (lane.InFlight > 0 || !HasWaiting(lane))
            {
                Array.Clear(lane.Overtaken);
            }

            foreach (Line line in lane.Lines)
            {
                if (!CanBeServed(line))
                {
                    line.Restart(lane);
                }
            }
        }
    }

    /// <summary>Checks what was granted, in order, and that nothing waits without a reason.</summary>
    private void EndStep()
    {
        Request[] granted =
        [
            .. _waiting.Where(static one => one.Task.IsCompletedSuccessfully).OrderBy(static one => one.Slot.Started).ThenBy(static one => one.Slot.InFlight),
        ];
        foreach (Request request in granted)
        {
            Grant(request);
        }

        int total = _queue.Total;
        Verify(granted.Length == 0 || _adapts || _held.Count <= total, $"{_held.Count} requests are in flight, but {total} are allowed");
        Verify(_held.Count == _queue.InFlight, $"{_held.Count} requests are in flight, but the queue counts {_queue.InFlight}");
        int waiting = _waiting.Count(static one => !one.Flow.IsFull);
        Verify(waiting == _queue.Waiting, $"{waiting} requests wait, but the queue counts {_queue.Waiting}");
        for (int i = 0; i < _lanes.Length; i++)
        {
            Verify(!HasWaiting(_lanes[i]) || !HasRoom(i), $"requests of class {ClassOf(i)} wait although there is room");
        }
    }

    private void Grant(Request request)
    {
        Lane lane = GetLane(request);
        int index = ((int)request.Flow.Share.Direction * RequestQueue.Classes) + (int)request.Cost.Class;
        bool hasOwnPlace = HasOwnPlace(index);
        CheckLanes(index, hasOwnPlace);
        CheckLines(request, lane);

        Line own = request.Flow.Lines[(int)request.Cost.Class];
        own.LastShare = request.Cost.Bytes / request.Flow.Share.Weight;
        own.IsNew = false;
        Leave(request);
        request.IsRateLimited = own.IsRateLimited;
        _held.Add(request);
        lane.InFlight++;
        request.Flow.InFlight++;
        own.Restart(lane);
        Array.Clear(lane.Overtaken);
        Verify(!_adapts || hasOwnPlace || GetCount(index) <= GetLimit(index), $"more requests are in flight than the limit allows");
        Verify(!_adapts || hasOwnPlace || _held.Count <= _queue.Total, $"more requests are in flight than the user allows");
        Verify(!request.IsRateLimited || RateLimited <= MostRateLimited, $"{RateLimited} requests of transfers with rate limits are in flight");
    }

    /// <summary>A lane with nothing in flight waits for at most one request of each other lane, so lookups and small objects don't wait behind parts.</summary>
    private void CheckLanes(int lane, bool hasOwnPlace)
    {
        int first = lane / RequestQueue.Classes * RequestQueue.Classes;
        for (int i = first; i < first + RequestQueue.Classes && !hasOwnPlace; i++)
        {
            Lane other = _lanes[i];
            if (i != lane && HasWaiting(other) && other.InFlight == 0 && HasRoom(i))
            {
                int overtaken = ++other.Overtaken[lane - first];
                Verify(overtaken <= 1, $"{overtaken} requests of class {ClassOf(lane)} went before those of class {ClassOf(i)}");
            }
        }
    }

    /// <summary>Within a lane, the bytes that go before a request are bounded.</summary>
    private void CheckLines(Request request, Lane lane)
    {
        Line own = request.Flow.Lines[(int)request.Cost.Class];
        foreach (Line other in lane.Lines.Where(other => other != own && CanBeServed(other)))
        {
            long bytes = other.Overtaken.GetValueOrDefault(own) + request.Cost.Bytes;
            other.Overtaken[own] = bytes;
            double most = own.LargestBytes + (request.Flow.MostWeight * other.LastShare);
            Verify(bytes <= most, $"another transfer of the lane was served {bytes} bytes before a request, but at most {most} are allowed");
            long all = other.Overtaken.Values.Sum();
            Verify(!other.IsNew || all <= other.Others * lane.LargestBytes, $"{other.Others} transfers were served {all} bytes before a new one");
        }
    }

    private int RateLimited => _held.Count(static one => one.IsRateLimited);

    /// <summary>Gets the maximum number of requests for data of transfers that have rate limits.</summary>
    private int MostRateLimited => Math.Max(1, _queue.Total - 1);

    private bool CanBeServed(Line line) => !line.Flow.IsFull && (!line.IsRateLimited || RateLimited < MostRateLimited);

    private bool HasWaiting(Lane lane) => lane.Lines.Any(CanBeServed);

    private bool HasRoom(int lane)
        => HasOwnPlace(lane)
            ? _lanes.Sum(static one => one.InFlight) < _queue.Total
            : _held.Count < _queue.Total && GetCount(lane) < GetLimit(lane);

    /// <summary>Returns whether the next request of a lane is a lookup that doesn't count for a limit that adapts.</summary>
    private bool HasOwnPlace(int lane) => _lanes[lane].InFlight < OwnPlaces(lane);

    private int OwnPlaces(int lane) => _adapts && ClassOf(lane) == RequestClass.Lookup ? RequestLane.ExtraLookups : 0;

    private static RequestClass ClassOf(int lane) => (RequestClass)(lane % RequestQueue.Classes);

    private static bool IsSmall(int lane) => ClassOf(lane) is RequestClass.Lookup or RequestClass.Small;

    /// <summary>Gets the number of requests in flight that count for the same limit as those of a lane.</summary>
    private int GetCount(int lane)
        => Enumerable.Range(lane / RequestQueue.Classes * RequestQueue.Classes, RequestQueue.Classes)
            .Where(one => IsSmall(one) == IsSmall(lane))
            .Sum(one => Math.Max(0, _lanes[one].InFlight - OwnPlaces(one)));

    /// <summary>Gets the limit of a lane that adapts.</summary>
    private int GetLimit(int lane)
    {
        RequestDirection direction = (RequestDirection)(lane / RequestQueue.Classes);
        return IsSmall(lane) ? _queue.GetSmallLimit(direction) : _queue.GetLimit(direction);
    }

    private Lane GetLane(Request request) => _lanes[((int)request.Flow.Share.Direction * RequestQueue.Classes) + (int)request.Cost.Class];

    private void Verify(bool isTrue, FormattableString otherwise) => Assert.True(isTrue, isTrue ? null : $"{otherwise} (seed {_seed})");

    /// <summary>A clock that shows a later time whenever it is read, so that grants have an order.</summary>
    private sealed class Clock : TimeProvider
    {
        private long _now;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => ++_now;

        public void Advance(TimeSpan time) => _now += time.Ticks;
    }

    private sealed record Request(Flow Flow, RequestCost Cost, Task<RequestSlot> Task, CancellationTokenSource Stop)
    {
        public RequestSlot Slot => Task.Result;

        public bool IsParked { get; set; }

        public bool IsRateLimited { get; set; }
    }

    private sealed class Flow
    {
        public Flow(RequestDirection direction, RateLimit? limit)
        {
            Limit = limit;
            Share = new TransferFlow(direction, RateLimits.None.With(limit, direction));
            Lines = [.. Enumerable.Range(0, RequestQueue.Classes).Select(i => new Line(this, (RequestClass)i))];
        }

        public RateLimit? Limit { get; }

        public TransferFlow Share { get; }

        public Line[] Lines { get; }

        public int InFlight { get; set; }

        public double MostWeight { get; set; } = 1;

        public bool IsFull => InFlight >= Share.MostInFlight;
    }

    /// <summary>The requests of a transfer in a lane.</summary>
    private sealed class Line(Flow flow, RequestClass requestClass)
    {
        public Flow Flow => flow;

        public bool IsRateLimited => requestClass != RequestClass.Lookup && flow.Limit?.TotalBytesPerSecond is not null;

        public int Waiting { get; set; }

        public long LargestBytes { get; set; }

        /// <summary>Gets or sets the bytes of the last request that was served, divided by the weight of the transfer.</summary>
        public double LastShare { get; set; }

        public bool IsNew { get; set; } = true;

        /// <summary>Gets the number of transfers that waited in the lane when the next request began to wait.</summary>
        public int Others { get; private set; }

        /// <summary>Gets the bytes that each other transfer was served since then.</summary>
        public Dictionary<Line, long> Overtaken { get; } = [];

        public void Restart(Lane lane)
        {
            Overtaken.Clear();
            Others = lane.Lines.Count(other => other != this && !other.Flow.IsFull);
        }
    }

    private sealed class Lane
    {
        public HashSet<Line> Lines { get; } = [];

        public int InFlight { get; set; }

        public long LargestBytes { get; set; }

        /// <summary>Gets how many requests of each class were served since a request of this lane waits while none is in flight.</summary>
        public int[] Overtaken { get; } = new int[RequestQueue.Classes];
    }
}
