using Transfer.S3.Wire;

namespace Transfer.S3.Requests;

/// <summary>
/// Knows the attempts that are in flight, and when the store last gave a sign: a response, or bytes that it sent or received. An attempt that fails is none, and neither is
/// one that begins.
/// </summary>
/// <param name="time">The clock.</param>
internal sealed class StoreSigns(TimeProvider time)
{
    private readonly Lock _gate = new();
    private readonly HashSet<StallGuard> _running = [];
    private WireException? _lastFailure;
    private int _backingOff;
    private long _lastSign;

    /// <summary>Gets the number of requests that wait for their next attempt.</summary>
    public int BackingOff => Volatile.Read(ref _backingOff);

    /// <summary>Gets a value that indicates whether attempts are in flight.</summary>
    public bool IsRunning
    {
        get
        {
            lock (_gate)
            {
                return _running.Count > 0;
            }
        }
    }

    /// <summary>Reports that an attempt begins.</summary>
    /// <param name="guard">Knows its activity.</param>
    /// <param name="isRetry">Whether an attempt of the same request has failed, so that it has been waited for since then.</param>
    public void Began(StallGuard guard, bool isRetry)
    {
        lock (_gate)
        {
            if (_running.Count + _backingOff == 0 && !isRetry)
            {
                (_lastSign, _lastFailure) = (time.GetTimestamp(), null); // nothing was waited for before
            }

            _running.Add(guard);
        }
    }

    /// <summary>Reports that an attempt has ended, or that nothing waits for it anymore.</summary>
    public void Ended(StallGuard guard)
    {
        lock (_gate)
        {
            _running.Remove(guard);
        }
    }

    /// <summary>Reports a response.</summary>
    public void Responded()
    {
        lock (_gate)
        {
            (_lastSign, _lastFailure) = (time.GetTimestamp(), null);
        }
    }

    /// <summary>Reports that a request waits for its next attempt.</summary>
    public void BeginBackOff(WireException failure)
    {
        lock (_gate)
        {
            _lastFailure = failure;
            _backingOff++;
        }
    }

    /// <summary>Reports that the wait has ended.</summary>
    public void EndBackOff()
    {
        lock (_gate)
        {
            _backingOff--;
        }
    }

    /// <summary>Gets the time since the last sign, and the last failure since then; null if no request waits for the store, or if data of it is being processed.</summary>
    public (TimeSpan Silence, WireException? Failure)? FindSilence()
    {
        lock (_gate)
        {
            if (_running.Count + _backingOff == 0)
            {
                return null;
            }

            long sign = _lastSign;
            foreach (StallGuard guard in _running)
            {
                if (guard.LastSign is not { } last)
                {
                    return null;
                }

                sign = Math.Max(sign, last);
            }

            return (time.GetElapsedTime(sign), _lastFailure);
        }
    }

    /// <summary>Gives up the attempts that have had no sign since a time, so that they are sent again over new connections.</summary>
    /// <param name="since">The timestamp.</param>
    /// <returns>The number of attempts.</returns>
    public int GiveUpSilent(long since)
    {
        StallGuard[] silent;
        lock (_gate)
        {
            silent = [.. _running.Where(guard => guard.LastSign < since && guard.BeganAt < since)];
        }

        Array.ForEach(silent, static guard => guard.GiveUpConnection());
        return silent.Length;
    }
}
