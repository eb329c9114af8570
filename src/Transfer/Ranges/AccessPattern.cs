namespace Transfer.S3.Ranges;

/// <summary>Recognizes how a reader moves through an object, and decides what to fetch with each of its reads.</summary>
/// <remarks>
/// <para>
/// One request costs the time to the first byte. What a connection transfers during that time (<c>freeBytes</c>) costs little more than nothing. So a first read
/// fetches that much. If a reader jumps without having used it, it is halved for the next jump; if it was used, it is doubled, up to the free bytes.
/// </para>
/// <para>
/// A reader that continues reads ahead as far as it has already read, so that the read-ahead doubles, and without a limit after <see cref="RunBytes"/>. At most half
/// of what is fetched is never used. A reader that skips forward again and again, but has read at least half of what it passed lately, counts as one that continues. A
/// reader that moves backward reads ahead in that direction. A reader that skips the same distance again and again gets the next
/// ranges in advance: one more for each that it has read, unless the gaps are so small that reading them is free.
/// </para>
/// <para>
/// What a reader uses between two far jumps is a <b>visit</b>. It can contain short jumps in what was fetched. The read-ahead of a visit ends where the visit before it ended,
/// and grows again from there: as far as the visit is already longer. After two visits of about the same length, a jump fetches that length at once.
/// </para>
/// <para>The class has no clock and no lock. One caller at a time is supported.</para>
/// </remarks>
/// <param name="maxAheadBytes">The maximum number of bytes to fetch beyond a read.</param>
internal sealed class AccessPattern(long maxAheadBytes = AccessPattern.Unlimited)
{
    /// <summary>A number of bytes that is larger than any object, but small enough that sums don't overflow.</summary>
    public const long Unlimited = long.MaxValue / 4;

    /// <summary>The length of a run after which a reader probably reads to the end.</summary>
    public const long RunBytes = 8 * Sizes.MiB;

    /// <summary>The number of equal distances after which they are a pattern.</summary>
    private const int MinStrides = 2;

    private const int MaxRanges = 64;

    /// <summary>The number of skips after which a reader that reads at least half of what it passes counts as one that continues.</summary>
    private const int MinSkips = 2;

    /// <summary>The largest skip of such a reader, as a multiple of the free bytes.</summary>
    private const int MaxSkip = 4;

    /// <summary>The number of bytes after which what was read and passed counts half, so that a reader that begins to skip is soon recognized.</summary>
    private const long PassBytes = 2 * RunBytes;

    /// <summary>Two visits are about the same length if they differ by at most this fraction.</summary>
    private const int SameLength = 8;

    private long _padBytes = Unlimited;
    private long _position = -1;
    private long _start;
    private long _firstEnd;
    private long _run;
    private long _jump;
    private long _stride;
    private int _strides;
    private long _passStart;
    private long _passed;
    private long _passRead;
    private int _skips;
    private long _visitStart;
    private long _visitEnd;
    private long _lastVisit = -1;
    private bool _isSteady;

    /// <summary>Gets what to fetch for a read.</summary>
    /// <param name="offset">The offset of the first byte to read.</param>
    /// <param name="count">The number of bytes to read, 1 or more.</param>
    /// <param name="isThere">Whether the first byte is already there or being fetched.</param>
    /// <param name="freeBytes">The number of bytes that a connection transfers during the time to the first byte.</param>
    public ReadPlan Next(long offset, long count, bool isThere, long freeBytes)
    {
        ReadPlan plan = Expect(offset, count, isThere, freeBytes);
        long most = offset + count + maxAheadBytes;
        long end = Math.Min(plan.End, most);
        return plan with
        {
            From = Math.Max(plan.From, offset - maxAheadBytes),
            End = end,
            Slack = Math.Min(plan.Slack, most - end),
            Ranges = (int)Math.Min(plan.Ranges, (most - end) / (plan.End - plan.From)),
        };
    }

    /// <summary>Gets what to fetch for a reader that reads to the end.</summary>
    public static ReadPlan ToEnd(long offset) => new(offset, long.MaxValue / 2, IsJump: true);

    private ReadPlan Expect(long offset, long count, bool isThere, long freeBytes)
    {
        bool isFirst = _position < 0;
        bool isContinued = offset == _position;
        bool isBackward = !isContinued && offset + count == _start;
        long gap = offset - _position;
        bool isNear = Passes(offset, count, isFirst ? -1 : gap, freeBytes) && gap <= freeBytes * (_skips >= MinSkips ? MaxSkip : _run >= freeBytes ? 1 : 0);
        if (!isFirst && !isContinued)
        {
            long stride = offset - _jump;
            _strides = stride == _stride ? _strides + 1 : 0;
            _stride = stride;
        }

        _jump = isContinued ? _jump : offset;
        _start = offset;
        _position = offset + count;
        if (isContinued || isNear)
        {
            _visitEnd = Math.Max(_visitEnd, _position);
            _run = isNear ? Math.Max(_run + count + gap, _position - _passStart) : _run + count;
            return Continue(offset, count);
        }

        bool isHop = !isFirst && isThere && offset >= _visitStart && offset <= _visitEnd + freeBytes;
        if (!isFirst)
        {
            // What was fetched with the last jump was used if the reader went on into it, or if it jumps to a page that is there.
            bool wasUsed = isThere || isBackward || _run > _firstEnd;
            _padBytes = Math.Min(_padBytes, freeBytes);
            _padBytes = wasUsed ? Math.Min(freeBytes, Math.Max(_padBytes, count) * 2) : _padBytes / 2;
        }

        Visit(offset, isNew: !isHop && !isBackward, isFirst);
        _run = isBackward ? _run + count : count;
        _firstEnd = isBackward ? 0 : count;
        long pad = Math.Min(_padBytes, freeBytes);
        if (isBackward)
        {
            return new ReadPlan(Math.Max(0, offset - Math.Max(pad, Math.Min(_run, RunBytes))), offset + count, IsJump: false);
        }

        long length = _isSteady && !isHop ? Math.Max(count, Math.Min(_lastVisit, RunBytes)) : count;
        if (_strides >= MinStrides && Math.Abs(_stride) >= length)
        {
            return new ReadPlan(offset, offset + length, IsJump: true) { Stride = _stride, Ranges = Math.Min(_strides, MaxRanges) };
        }

        return new ReadPlan(offset, offset + (isThere || _isSteady ? length : Math.Max(count, pad)), IsJump: true);
    }

    /// <summary>Gets what to fetch for a read that continues: at most what the last visit used, or as much more as this one has already read beyond that.</summary>
    private ReadPlan Continue(long offset, long count)
    {
        long beyond = _visitEnd - _visitStart - _lastVisit;
        bool isKnown = _lastVisit >= 0 && beyond <= 0;
        long limit = isKnown ? _visitStart + _lastVisit : _lastVisit >= 0 && beyond < RunBytes ? _position + beyond : Unlimited;
        long ahead = _run >= RunBytes || (isKnown && _isSteady) ? Unlimited : _run;
        long end = Math.Max(_position, Math.Min(_position + ahead, limit));
        return new ReadPlan(offset, end, IsJump: false) { Slack = Math.Max(0, limit - end) };
    }

    /// <summary>Extends the visit by a short jump, or ends it and learns its length.</summary>
    private void Visit(long offset, bool isNew, bool isFirst)
    {
        if (isNew && !isFirst)
        {
            long visit = _visitEnd - _visitStart;
            _isSteady = _lastVisit >= 0 && Math.Abs(visit - _lastVisit) <= visit / SameLength;
            _lastVisit = visit;
        }

        (_visitStart, _visitEnd) = isNew ? (offset, _position) : (Math.Min(_visitStart, offset), Math.Max(_visitEnd, _position));
    }

    /// <summary>Returns whether the reader skips forward and has read at least half of what it passed lately.</summary>
    private bool Passes(long offset, long count, long gap, long freeBytes)
    {
        if (gap < 0 || gap > MaxSkip * freeBytes)
        {
            (_passStart, _passed, _passRead, _skips) = (offset, count, count, 0);
            return false;
        }

        _passed += gap + count;
        _passRead += count;
        _skips += gap > 0 ? 1 : 0;
        if (_passed > PassBytes)
        {
            (_passed, _passRead) = (_passed / 2, _passRead / 2);
        }

        return gap > 0 && 2 * _passRead >= _passed;
    }
}
