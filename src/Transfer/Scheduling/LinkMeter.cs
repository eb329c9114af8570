namespace Transfer.Scheduling;

/// <summary>How long the answers of a client's store take to begin, as its own requests have seen it.</summary>
internal sealed class LinkMeter
{
    private const int Requests = 32;

    private readonly Lock _gate = new();
    private readonly TimeSpan[] _latest = new TimeSpan[Requests];
    private int _count;

    /// <summary>
    /// The shortest time from a request to its answer's headers, of the last few dozen; zero before any. The shortest, because a busy processor or a
    /// connection that was only being opened make it longer, and nothing makes it shorter than the way is (as BBR takes the path's round trip:
    /// Cardwell et al., "BBR: Congestion-Based Congestion Control", ACM Queue 14(5), 2016).
    /// </summary>
    public TimeSpan FirstByte
    {
        get
        {
            lock (_gate)
            {
                if (_count == 0)
                {
                    return TimeSpan.Zero;
                }

                TimeSpan shortest = TimeSpan.MaxValue;
                foreach (TimeSpan one in _latest.AsSpan(0, Math.Min(_count, Requests)))
                {
                    shortest = one < shortest ? one : shortest;
                }

                return shortest;
            }
        }
    }

    /// <summary>Whether enough was seen to rely on it.</summary>
    public bool IsKnown => Volatile.Read(ref _count) >= Requests / 2;

    public void AddFirstByte(TimeSpan time)
    {
        lock (_gate)
        {
            _latest[_count % Requests] = time;
            _count = _count == (2 * Requests) - 1 ? Requests : _count + 1;
        }
    }
}
