using System.Numerics;

namespace Transfer.S3.Wire.Http;

/// <summary>
/// Decides how many bytes must have arrived at a connection before the system wakes its reader. A wake-up costs two switches between threads, which is more than it
/// costs to receive what one packet brings.
/// </summary>
/// <remarks>
/// <para>
/// The mark follows the rate of the connection. It is never more than what the body still brings, and a part of what the system can hold, because nothing
/// wakes a reader whose mark can't be reached. It is one byte for everything that isn't a large body. A read returns what has arrived, whatever the mark is.
/// Only a read that finds nothing waits for the mark.
/// </para>
/// <para>
/// The system also reports what arrives while no read waits, which wakes the thread that waits for all sockets for nothing. So the mark is higher then: on a fast
/// connection, more than the rest of the body. A mark that is set while that many bytes are there wakes that thread, too. So it is raised when a read begins,
/// and lowered when nothing is there.
/// </para>
/// <para>The time of a wait is limited, so that a connection that becomes slow or silent delivers what it has. The lock is for the timer.</para>
/// </remarks>
internal sealed class ReceiveMark : IDisposable
{
    /// <summary>The lowest mark that is worth setting, and the highest.</summary>
    internal const int LeastBytes = 8 << 10;
    internal const int MostBytes = 256 << 10;

    /// <summary>The highest mark while no read waits, and what a connection must usually receive for it. The system increases its buffer to twice as much.</summary>
    internal const int MostBusyBytes = 4 << 20;
    private const int FastBytes = 1 << 20;

    /// <summary>The part of the system's buffer that a mark can be. A buffer holds less data than its size, and the rest must keep the sender busy.</summary>
    private const int BufferShare = 4;

    private const long NoWait = 0;

    /// <summary>The longest time that the bytes of a mark usually take.</summary>
    internal static readonly TimeSpan Period = TimeSpan.FromMilliseconds(40);

    /// <summary>The longest wait for a mark. It is shorter than any silence that ends a request, and so long that the timer expires rarely.</summary>
    internal static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(250);

    /// <summary>The shortest time to measure a rate over.</summary>
    private static readonly TimeSpan LeastWindow = TimeSpan.FromMilliseconds(5);

    private readonly Lock _gate = new();
    private readonly IReceiveOption _option;
    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private bool _isTicking;
    private bool _isDisposed;
    private bool _canSet = true;
    private long _waitingSince;
    private BodyReceiving? _body;
    private long _since;
    private long _leftThen;
    private int _usual = 1;
    private int _most = 1; // of a wait
    private int _bufferBytes;

    /// <param name="option">The socket.</param>
    /// <param name="time">The clock.</param>
    public ReceiveMark(IReceiveOption option, TimeProvider time)
    {
        _option = option;
        _time = time;
        _timer = time.CreateTimer(static mark => ((ReceiveMark)mark!).Tick(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Gets or sets the number of received bytes that can be held between the connection and the reader of a body, for example by TLS.</summary>
    public int HeldBytes { get; set; }

    /// <summary>Gets the mark that is set, in bytes.</summary>
    internal int Bytes { get; private set; } = 1;

    /// <summary>Begins a read.</summary>
    /// <param name="body">The body that is read, which knows how many bytes it still brings; null for what is wanted as soon as a byte of it is there.</param>
    public void Begin(BodyReceiving? body)
    {
        if (body is null && Bytes == 1)
        {
            return;
        }

        lock (_gate)
        {
            _waitingSince = NoWait;
            if (body is not null)
            {
                Measure(body);
            }

            Set(body is null ? 1 : GetBusyMark(body.LeftBytes));
        }
    }

    /// <summary>Reports that the read of a body waits, because nothing is there.</summary>
    public void Wait(BodyReceiving body)
    {
        lock (_gate)
        {
            Set(AtLeast(Math.Min(Math.Min(_usual, _most), body.LeftBytes - HeldBytes)));
            if (Bytes == 1)
            {
                return;
            }

            _waitingSince = _time.GetTimestamp();
            if (!_isTicking && !_isDisposed)
            {
                // The timer isn't stopped when a wait ends, because that would cost more than a tick for many waits.
                _isTicking = true;
                _timer.Change(Patience, Timeout.InfiniteTimeSpan);
            }
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            _timer.Dispose();
        }
    }

    private void Tick()
    {
        lock (_gate)
        {
            _isTicking = false;
            if (_isDisposed || _waitingSince == NoWait)
            {
                return;
            }

            TimeSpan left = Patience - _time.GetElapsedTime(_waitingSince);
            if (left > TimeSpan.Zero)
            {
                _isTicking = true;
                _timer.Change(left, Timeout.InfiniteTimeSpan);
                return;
            }

            _waitingSince = NoWait;
            Set(1);
        }
    }

    /// <summary>Measures the rate of the body. Times in which no one reads count, so the rate can be too low, but then the next window shows it.</summary>
    private void Measure(BodyReceiving body)
    {
        long now = _time.GetTimestamp();
        if (body != _body)
        {
            (_body, _since, _leftThen) = (body, now, body.LeftBytes);
            return;
        }

        TimeSpan window = _time.GetElapsedTime(_since, now);
        if (window < LeastWindow)
        {
            return;
        }

        double usual = (_leftThen - body.LeftBytes) * (Period / window);
        (_since, _leftThen) = (now, body.LeftBytes);
        if (usual >= LeastBytes && _bufferBytes < MostBytes * BufferShare)
        {
            _bufferBytes = _option.BufferBytes; // it grows with the rate
        }

        _most = Round(Math.Min(MostBytes, _bufferBytes / BufferShare));
        _usual = Round(Math.Min(usual, MostBusyBytes));
    }

    /// <summary>Rounds a mark down to one that rarely changes.</summary>
    private static int Round(double bytes) => bytes < LeastBytes ? 1 : 1 << BitOperations.Log2((uint)bytes);

    /// <summary>Gets the mark while no read waits. That of a fast connection is more than the body still brings.</summary>
    private int GetBusyMark(long left)
    {
        long rest = _usual < FastBytes ? _usual : Math.Clamp((long)BitOperations.RoundUpToPowerOf2((ulong)left + 1), _usual, MostBusyBytes);
        return left - HeldBytes < LeastBytes ? 1 : AtLeast(rest);
    }

    private static int AtLeast(long mark) => mark < LeastBytes ? 1 : (int)mark;

    private void Set(int bytes)
    {
        if (_canSet && bytes != Bytes)
        {
            _canSet = _option.TrySetMark(bytes);
            Bytes = _canSet ? bytes : 1;
        }
    }
}
