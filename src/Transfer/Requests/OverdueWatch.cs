using Transfer.S3.Concurrency;

namespace Transfer.S3.Requests;

/// <summary>
/// Decides when one attempt of a request is overdue, so that it is given up and the request is sent again: if no response begins, if the body is silent, or if its
/// rest would arrive earlier over another connection. A <see cref="StallGuard"/> asks it, under its lock.
/// </summary>
/// <param name="policy">What usual times are, and the budget.</param>
/// <param name="sentBytes">The bytes that the request sends, and would send again; 0 for a GET request.</param>
/// <param name="wantedBytes">The bytes that a GET request asks for.</param>
/// <param name="hedges">The number of times in a row that the request was given up. Each time, it may take four times as long, so that a request ends that takes
/// long everywhere.</param>
internal sealed class OverdueWatch(HedgePolicy policy, long sentBytes, long wantedBytes, int hedges)
{
    private readonly double _patience = Math.Pow(4, hedges);
    private long _length = -1;
    private bool _isCounted;

    /// <summary>Gets the time without activity after which to look.</summary>
    public TimeSpan Silence { get; private set; }

    /// <summary>Gets the total time of waiting for the body after which to look.</summary>
    public TimeSpan Wait { get; private set; } = TimeSpan.MaxValue;

    /// <summary>Begins to watch a request.</summary>
    public void Begin()
    {
        Silence = _patience * (sentBytes > 0 ? policy.UploadDelay : policy.GetFirstByteDelay(wantedBytes));
        if (hedges > 0)
        {
            Count(); // the request is overdue until this attempt is answered
        }
    }

    /// <summary>Begins to watch a body.</summary>
    /// <param name="length">The number of its bytes.</param>
    /// <param name="isTimed">Whether its times reflect the store, because no rate limit affects them.</param>
    public void BeginBody(long length, bool isTimed)
    {
        _length = length;
        Silence = _patience * policy.SilenceDelay;
        TimeSpan usual = isTimed ? policy.BodyDelay(length) : TimeSpan.MaxValue;
        Wait = usual == TimeSpan.MaxValue ? usual : _patience * usual;
    }

    /// <summary>Reports that the response has begun, or that the attempt has ended.</summary>
    public void End()
    {
        Silence = TimeSpan.MaxValue;
        if (_isCounted)
        {
            _isCounted = false;
            policy.EndOverdue();
        }
    }

    /// <summary>Returns whether the attempt must be given up now. If it must not, the next times to look are later.</summary>
    /// <param name="silence">The time without activity.</param>
    /// <param name="waited">The total time of waiting for the body, without <paramref name="silence"/>.</param>
    /// <param name="received">The bytes of the body that have arrived.</param>
    public bool IsOverdue(TimeSpan silence, TimeSpan waited, long received)
    {
        bool isSilent = silence >= Silence;
        return (isSilent || waited + silence >= Wait)
            && (_length < 0 ? IsResponseOverdue(silence) : IsBodyOverdue(silence, waited, received, isSilent));
    }

    private bool IsResponseOverdue(TimeSpan silence)
    {
        Count();
        if (!policy.TryTake(sentBytes, isSilent: sentBytes > 0 || silence >= policy.SilenceDelay))
        {
            Silence *= 2;
            return false;
        }

        if (sentBytes == 0)
        {
            policy.Abandoned(silence);
        }

        return true;
    }

    private bool IsBodyOverdue(TimeSpan silence, TimeSpan waited, long received, bool isSilent)
    {
        // From the rate so far. If the connection is silent, it takes at least as long as the silence.
        double all = (waited + silence).TotalSeconds;
        double left = Math.Max(silence.TotalSeconds, all * (_length - received) / received);
        if (isSilent || policy.IsFasterElsewhere(left, _length - received))
        {
            policy.BeginOverdue();
            bool isTaken = policy.TryTake(0, isSilent: left >= policy.SilenceDelay.TotalSeconds);
            policy.EndOverdue();
            if (isTaken)
            {
                if (Wait < TimeSpan.MaxValue)
                {
                    policy.Received(waited + silence, _length); // all of it would have taken longer
                }

                return true;
            }
        }

        Silence = isSilent ? 2 * Silence : Silence;
        Wait = Wait < TimeSpan.MaxValue ? 1.5 * (waited + silence) : Wait;
        return false;
    }

    private void Count()
    {
        if (!_isCounted)
        {
            _isCounted = true;
            policy.BeginOverdue();
        }
    }
}
