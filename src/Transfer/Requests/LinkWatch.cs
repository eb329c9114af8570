using Microsoft.Extensions.Logging;
using Transfer.S3.Wire;

namespace Transfer.S3.Requests;

/// <summary>
/// Notices when a link that has lost all packets works again, and then gives up the attempts that are still silent. Their connections would wait for TCP, whose time to
/// the next retransmission has doubled with each loss (RFC 6298, section 5.5), so they can be silent for as long again as the link was.
/// </summary>
/// <remarks>
/// While no attempt in flight gets a sign of the store, a connection is opened each second, and closed at once. If one isn't answered, the link is down, and the first one
/// that is answered means that it is back. If all are answered, the store itself is silent, and requests that are sent again wouldn't help.
/// </remarks>
/// <param name="signs">The attempts in flight.</param>
/// <param name="reference">The link.</param>
/// <param name="time">The clock.</param>
/// <param name="logger">The logger.</param>
internal sealed class LinkWatch(StoreSigns signs, LinkReference reference, TimeProvider time, ILogger logger) : IDisposable
{
    /// <summary>The silence of all attempts after which the link is probed. It is longer than the round trips of slow links, and than their full queues.</summary>
    internal static readonly TimeSpan Silence = TimeSpan.FromSeconds(3);

    /// <summary>The interval of the probes. The system sends the first packet of each at once.</summary>
    internal static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);

    /// <summary>The time after which a probe has failed. The first packet is sent a second time within it.</summary>
    internal static readonly TimeSpan ProbeTimeout = TimeSpan.FromSeconds(2);

    /// <summary>The time without probes after the store was reached, although it is silent.</summary>
    internal static readonly TimeSpan Trust = TimeSpan.FromSeconds(10);

    private readonly Lock _gate = new();
    private ITimer? _timer;
    private bool _isTicking;
    private bool _isDown;
    private bool _isDisposed;
    private long? _trustedAt;

    /// <summary>Reports that an attempt begins.</summary>
    public void Began()
    {
        if (Volatile.Read(ref _isTicking) || reference.Link is null)
        {
            return;
        }

        lock (_gate)
        {
            if (!_isTicking && !_isDisposed)
            {
                _isTicking = true;
                _timer ??= time.CreateTimer(static state => ((LinkWatch)state!).Look(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
                _timer.Change(Interval, Interval);
            }
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            _timer?.Dispose();
        }
    }

    private bool IsSilent => signs.FindSilence() is { } found && found.Silence >= Silence;

    private void Look()
    {
        lock (_gate)
        {
            if (_isDisposed)
            {
                return;
            }

            if (!signs.IsRunning && signs.BackingOff == 0)
            {
                (_isTicking, _isDown, _trustedAt) = (false, false, null);
                _timer!.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
                return;
            }

            // Once it is down, data that the system has taken to send it later says nothing.
            if (!_isDown && !IsSilent)
            {
                _trustedAt = null;
                return;
            }

            if (!_isDown && _trustedAt is { } at && time.GetElapsedTime(at) < Trust)
            {
                return;
            }
        }

        _ = ProbeAsync(time.GetTimestamp());
    }

    /// <summary>Opens a connection. It never throws.</summary>
    private async Task ProbeAsync(long begun)
    {
        bool isReached;
        using (CancellationTokenSource timeout = new(ProbeTimeout, time))
        {
            isReached = await reference.Link!.ProbeAsync(timeout.Token).ConfigureAwait(false);
        }

        lock (_gate)
        {
            if (_isDisposed || !_isTicking)
            {
                return;
            }

            if (!isReached)
            {
                _isDown |= IsSilent && (_trustedAt is not { } reached || begun > reached); // a later probe can have been answered earlier
                return;
            }

            (bool wasDown, _isDown, _trustedAt) = (_isDown, false, time.GetTimestamp());
            if (!wasDown)
            {
                return;
            }
        }

        reference.Link!.Redial();

        // Others may move by themselves again, and a sign of theirs can be a moment older than the probe.
        int count = signs.GiveUpSilent(begun - (long)(Silence.TotalSeconds * time.TimestampFrequency));
        Log.LinkIsBack(logger, count);
    }
}
