namespace Transfer.S3.Concurrency;

/// <summary>Measures requests that share a limit, and adjusts it. All state is guarded by the lock of the <see cref="RequestQueue"/>.</summary>
/// <param name="controller">Determines the limit.</param>
internal sealed class LoadMeter(ConcurrencyController controller)
{
    /// <summary>
    /// The length of a sample: long enough for the duration of requests to differ from noise, and short enough to follow the changes of a link.
    /// </summary>
    private const double SampleSeconds = 0.1;

    /// <summary>The length of a sample at the start, which determines how fast the limit doubles.</summary>
    private const double FirstSampleSeconds = 0.05;

    /// <summary>A direction that was idle for longer than this starts a new sample.</summary>
    private const double IdleSeconds = 1;

    /// <summary>
    /// The <see cref="RequestSlot.Epoch"/> of requests beyond the limit, or that don't count for it. Their duration says nothing about the limit, but their rejections count.
    /// </summary>
    private const int NoEpoch = -1;

    private readonly LoadSample _sample = new();
    private double _now;

    /// <summary>Gets the number of changes of the limit. Requests that started before a change say nothing about the limit after it.</summary>
    public int Epoch { get; private set; }

    public int Limit => controller.Limit;

    /// <summary>
    /// Gets the number of requests beyond the limit that the last parts of an upload can have, so that they begin at the same time. If parts begin
    /// one after the other, they also end one after the other, and the remaining connections can't fill the link.
    /// </summary>
    public int ExtraAtEnd => controller.IsStarting || controller.IsHeld ? 0 : controller.Enough;

    public bool IsStarting => controller.IsStarting;

    public bool IsNear => controller.IsNear;

    /// <inheritdoc cref="BestTimes.PartsInTurn"/>
    public int PartsInTurn => controller.PartsInTurn;

    /// <inheritdoc cref="ConcurrencyController.BeginWithFew"/>
    public void BeginWithFew() => controller.BeginWithFew();

    /// <summary>Reports the first response of the store.</summary>
    /// <param name="seconds">The time from the request to its first byte.</param>
    /// <returns>The change of the limit; null if it stays the same.</returns>
    public ConcurrencyChange? Responded(double seconds)
    {
        ConcurrencyChange? change = controller.Responded(seconds, _sample);
        Epoch += change is null ? 0 : 1;
        return change;
    }

    public double LatencyBytes => controller.LatencyBytes;

    /// <summary>Gets the state of the limit.</summary>
    /// <param name="inFlight">The number of requests in flight.</param>
    /// <param name="most">The maximum number of requests in flight.</param>
    public LimitState GetState(int inFlight, int most) => new()
    {
        Concurrency = new ConcurrencyState { Limit = Math.Min(Limit, most), InFlight = inFlight, Efficiency = controller.Efficiency > 0 ? controller.Efficiency : null },
        HasKnee = !IsStarting,
        IsAtHighest = Limit >= Math.Min(most, controller.Highest),
        IsHeld = controller.IsHeld,
        IsCrowded = controller.IsCrowded,
    };

    /// <summary>Accounts for the time since the last call, during which nothing changed.</summary>
    /// <param name="now">The time, in seconds.</param>
    /// <param name="inFlight">The number of requests in flight since the last call.</param>
    /// <param name="isWaiting">Whether requests waited since the last call.</param>
    public void Advance(double now, int inFlight, bool isWaiting)
    {
        double passed = Math.Max(0, now - _now);
        _now = now;
        if (inFlight == 0 && passed > IdleSeconds)
        {
            _sample.Clear();
            return;
        }

        _sample.Seconds += passed;
        _sample.SlotSeconds += passed * inFlight;
        _sample.FullSeconds += isWaiting ? passed : 0;
    }

    /// <summary>Begins a request.</summary>
    /// <param name="inFlight">The number of requests in flight that count for the limit.</param>
    /// <param name="counts">Whether this request is one of them.</param>
    /// <param name="changesLoad">Whether the request makes others slower.</param>
    /// <returns>The epoch of its slot.</returns>
    public int Begin(int inFlight, bool counts, bool changesLoad)
    {
        _sample.Started++;
        if (counts && inFlight <= Limit)
        {
            return Epoch;
        }

        Epoch += counts && changesLoad ? 1 : 0; // the requests in flight are slower from now on
        return NoEpoch;
    }

    /// <summary>Counts a request that ended.</summary>
    /// <param name="slot">The slot of the request.</param>
    /// <param name="inFlight">The number of requests that are still in flight.</param>
    /// <returns>The change of the limit; null if it stays the same.</returns>
    public ConcurrencyChange? End(RequestSlot slot, int inFlight)
    {
        if (slot.Epoch == Epoch && slot.Outcome == RequestOutcome.Completed)
        {
            _sample.AddCompleted(slot.Bytes, _now - slot.Started, slot.LatencySeconds);
        }
        else if ((slot.Epoch == Epoch || slot.Epoch == NoEpoch) && slot.Outcome == RequestOutcome.Rejected)
        {
            _sample.AddRejected(slot.InFlight);
        }

        bool isRejecting = _sample.Rejected >= RejectedShare.Least && _sample.Seconds >= SampleSeconds;
        bool isComplete = _sample.Completed >= Math.Max(4, (inFlight + 1) / 2) && _sample.Seconds >= (controller.IsStarting ? FirstSampleSeconds : SampleSeconds);
        if (!isRejecting && !isComplete)
        {
            return null;
        }

        ConcurrencyChange? change = controller.Update(_sample);
        _sample.Clear();
        Epoch += change is null ? 0 : 1;
        return change;
    }
}
