using Transfer.Buffers;
using Transfer.Scheduling;

namespace Transfer.Download;

/// <summary>How many parts of a download may be under way, or be there and wait for their reader.</summary>
/// <remarks>
/// What is fetched ahead beyond what the link needs costs memory and brings nothing: all parts arrive side by side, so that while the first is read the others
/// lie there, and leave the processor's cache. A link whose answers begin at once is full with few parts; the longer an answer takes to begin, the
/// more of them must be under way for others to arrive meanwhile. A number that somebody has asked for is taken as it is.
/// One caller enters; parts leave from anywhere.
/// </remarks>
internal sealed class PartWindow(LinkMeter link, int concurrency, bool isFixed)
{
    /// <summary>Parts that fill a link without delay: on loopback, over two kinds of server, more were no faster.</summary>
    private const int Least = 4;

    /// <summary>For each of these that an answer takes to begin, one part more.</summary>
    private static readonly TimeSpan PerPart = TimeSpan.FromMilliseconds(1);

    private readonly AsyncSignal _left = new();
    private int _inside;
    private int _fetching;
    private int _done;

    /// <summary>Waits until one more part may begin.</summary>
    public async ValueTask EnterAsync(CancellationToken cancellationToken)
    {
        while (Volatile.Read(ref _inside) >= Size || Volatile.Read(ref _fetching) >= concurrency)
        {
            await _left.WaitAsync(cancellationToken).ConfigureAwait(false);
        }

        Interlocked.Increment(ref _inside);
        Interlocked.Increment(ref _fetching);
    }

    /// <summary>A part is not being fetched any more.</summary>
    public void Fetched()
    {
        Interlocked.Decrement(ref _fetching);
        _left.Set();
    }

    /// <summary>A part has gone where it was to go.</summary>
    public void Leave()
    {
        Interlocked.Increment(ref _done);
        Interlocked.Decrement(ref _inside);
        _left.Set();
    }

    private int Size
    {
        get
        {
            // One part is being read while as many as there may be requests are on their way.
            int most = concurrency + 1;
            if (isFixed)
            {
                return most;
            }

            // A client's first answers are late for reasons of its own (connections to open, code to compile). Until it has seen more of them, each part
            // that is done makes room for one more, as in TCP's slow start (RFC 5681, section 3.1).
            double more = link.FirstByte / PerPart;
            return (int)Math.Min(most, Least + (link.IsKnown ? more : Math.Min(more, Volatile.Read(ref _done))));
        }
    }
}
