namespace Transfer.S3.Ranges;

/// <summary>Recognizes how a reader moves through an object, and decides what to fetch with each of its reads.</summary>
/// <remarks>
/// <para>
/// One request costs the time to the first byte. What a connection transfers during that time (<c>freeBytes</c>) costs little more than nothing. So a first read
/// fetches that much. If a reader jumps without having used it, it is halved for the next jump; if it was used, it is doubled, up to the free bytes.
/// </para>
/// <para>
/// A reader that continues reads ahead as far as it has already read, so that the read-ahead doubles, and without a limit after <see cref="RunBytes"/>. At most half
/// of what is fetched is never used. A reader that skips forward again and again, but reads at least half of what it passes, counts as one that continues. A reader
/// that moves backward reads ahead in that direction. A reader that skips the same distance again and again gets the next
/// ranges in advance: one more for each that it has read, unless the gaps are so small that reading them is free.
/// </para>
/// <para>The class has no clock and no lock. One caller at a time is supported.</para>
/// </remarks>
internal sealed class AccessPattern
{
    /// <summary>The length of a run after which a reader probably reads to the end.</summary>
    public const long RunBytes = 8 * Sizes.MiB;

    /// <summary>The number of equal distances after which they are a pattern.</summary>
    private const int MinStrides = 2;

    private const int MaxRanges = 64;

    /// <summary>The number of skips after which a reader that reads at least half of what it passes counts as one that continues.</summary>
    private const int MinSkips = 2;

    /// <summary>The largest skip of such a reader, as a multiple of the free bytes.</summary>
    private const int MaxSkip = 4;

    private long _padBytes = long.MaxValue / 4;
    private long _position = -1;
    private long _start;
    private long _firstEnd;
    private long _run;
    private long _stride;
    private int _strides;
    private long _passStart;
    private long _passRead;
    private int _skips;

    /// <summary>Gets what to fetch for a read.</summary>
    /// <param name="offset">The offset of the first byte to read.</param>
    /// <param name="count">The number of bytes to read, 1 or more.</param>
    /// <param name="isThere">Whether the first byte is already there or being fetched.</param>
    /// <param name="freeBytes">The number of bytes that a connection transfers during the time to the first byte.</param>
    public ReadPlan Next(long offset, long count, bool isThere, long freeBytes)
    {
        bool isContinued = offset == _position;
        bool isBackward = !isContinued && offset + count == _start;
        long stride = offset - _start;
        bool isFirst = _position < 0;
        long gap = offset - _position;
        bool isNear = Passes(offset, count, isFirst ? -1 : gap, freeBytes) || (!isFirst && gap > 0 && gap <= freeBytes && _run >= freeBytes); // a run that skips a little
        if (!isFirst && !isContinued)
        {
            _strides = stride == _stride ? _strides + 1 : 0;
            _stride = stride;
        }

        _start = offset;
        _position = offset + count;
        if (isContinued || isNear)
        {
            _run = isNear ? Math.Max(_run + count + gap, _position - _passStart) : _run + count;
            long ahead = _run >= RunBytes ? long.MaxValue / 2 : _run;
            return new ReadPlan(offset, offset + count + ahead, IsJump: false);
        }

        if (!isFirst)
        {
            // What was fetched with the last jump was used if the reader went on into it, or if it jumps to a page that is there.
            bool wasUsed = isThere || isBackward || _run > _firstEnd;
            _padBytes = Math.Min(_padBytes, freeBytes);
            _padBytes = wasUsed ? Math.Min(freeBytes, Math.Max(_padBytes, count) * 2) : _padBytes / 2;
        }

        _run = isBackward ? _run + count : count;
        _firstEnd = isBackward ? 0 : count;
        long pad = Math.Min(_padBytes, freeBytes);
        if (isBackward)
        {
            return new ReadPlan(Math.Max(0, offset - Math.Max(pad, Math.Min(_run, RunBytes))), offset + count, IsJump: false);
        }

        if (_strides >= MinStrides && Math.Abs(_stride) >= count)
        {
            return new ReadPlan(offset, offset + count, IsJump: true) { Stride = _stride, Ranges = Math.Min(_strides, MaxRanges) };
        }

        return new ReadPlan(offset, offset + (isThere ? count : Math.Max(count, pad)), IsJump: true);
    }

    /// <summary>Returns whether the reader skips forward and reads at least half of what it passes.</summary>
    private bool Passes(long offset, long count, long gap, long freeBytes)
    {
        if (gap < 0 || gap > MaxSkip * freeBytes)
        {
            (_passStart, _passRead, _skips) = (offset, count, 0);
            return false;
        }

        _passRead += count;
        _skips += gap > 0 ? 1 : 0;
        return gap > 0 && _skips >= MinSkips && 2 * _passRead >= offset + count - _passStart;
    }

    /// <summary>Gets what to fetch for a reader that reads to the end.</summary>
    public static ReadPlan ToEnd(long offset) => new(offset, long.MaxValue / 2, IsJump: true);
}
