using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using Transfer.Buffers;
using Transfer.Wire;

namespace Transfer.Directories;

/// <summary>
/// Lists objects in order. If the listing is slower than its use, ranges of keys are listed at the same time: they are divided at keys that are estimated
/// (<see cref="RangeDivider"/>), and their pages are returned in the order of the ranges.
/// </summary>
/// <remarks>
/// <para>The first pages are requested one after the other, so a short listing costs no request more. As in every list, the next page is requested while one is processed.</para>
/// <para>
/// Pages of ranges that come later are read-ahead of the memory budget. Their requests never wait for memory: without any, only the first range continues. Pages that the
/// budget takes back are listed again.
/// </para>
/// <para>The lock guards all state. No request is sent under it.</para>
/// </remarks>
internal sealed class RangedListing : IReadAheadOwner
{
    /// <summary>The largest share of the memory budget that one listing uses.</summary>
    private const int MemoryDivisor = 16;

    /// <summary>The memory of an object in a page without the characters of its strings.</summary>
    private const int ItemBytes = 160;

    private readonly Lock _gate = new();
    private readonly ListQuery _query;
    private readonly ListingRequests _requests;
    private readonly CancellationToken _stopping;
    private readonly AsyncSignal _arrived = new();
    private readonly List<KeyRange> _ranges;
    private readonly RangeDivider _divider;
    private readonly ListingPace _pace;
    private MemoryShare? _memory;
    private int _pageBytes;
    private int _inFlight;
    private int _reserved;
    private int _useful = 1;
    private bool _canDivide = true;
    private bool _isStarved;

    private RangedListing(ListQuery query, ListingRequests requests, CancellationToken stopping)
    {
        _query = query;
        _requests = requests;
        _stopping = stopping;
        _ranges = [new KeyRange(query.StartAfter)];
        _divider = new RangeDivider(query.Prefix);
        _pace = new ListingPace(requests.Time);
    }

    bool IReadAheadOwner.IsStarved => Volatile.Read(ref _isStarved);

    bool IReadAheadOwner.IsStuck => false;

    public static async IAsyncEnumerable<ListedPage> ReadAsync(ListQuery query, ListingRequests requests, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        using CancellationTokenSource stopping = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        RangedListing listing = new(query, requests, stopping.Token);
        try
        {
            while (await listing.NextAsync().ConfigureAwait(false) is { } page)
            {
                yield return page;
            }
        }
        finally
        {
            await stopping.CancelAsync().ConfigureAwait(false);
            await listing.EndAsync().ConfigureAwait(false);
        }
    }

    void IReadAheadOwner.GiveBack(long mostBytes)
    {
        lock (_gate)
        {
            for (int i = _ranges.Count - 1; i > 0 && _memory?.HeldBytes > mostBytes; i--)
            {
                if (_ranges[i] is { IsRequesting: false, Pages.Count: > 0, Error: null } range)
                {
                    int reserved = range.Pages.Count(static page => page.IsReserved);
                    range.Restart();
                    Release(reserved, wasConsumed: false);
                }
            }
        }
    }

    void IReadAheadOwner.RanOut()
    {
    }

    private async ValueTask<ListedPage?> NextAsync()
    {
        _pace.Ask();
        while (true)
        {
            ListedPage? page;
            bool hasEnded;
            List<KeyRange> begun = [];
            lock (_gate)
            {
                hasEnded = !TryTake(out page);
                if (page is not null)
                {
                    CountReturned(page);
                }

                Volatile.Write(ref _isStarved, page is null);
                if (!hasEnded)
                {
                    Schedule(begun);
                }
            }

            foreach (KeyRange range in begun)
            {
                _ = RequestAsync(range);
            }

            if (page is not null || hasEnded)
            {
                return page;
            }

            await _arrived.WaitAsync(CancellationToken.None).ConfigureAwait(false); // requests end when the listing is canceled
        }
    }

    /// <summary>Waits until no request is in flight, and returns the memory.</summary>
    private async Task EndAsync()
    {
        while (true)
        {
            lock (_gate)
            {
                if (_inFlight == 0)
                {
                    _ranges.Clear();
                    Release(_reserved, wasConsumed: false);
                    _memory?.Dispose();
                    return;
                }
            }

            await _arrived.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        }
    }

    /// <summary>Takes the next page if it has arrived.</summary>
    /// <returns>False if the listing has ended.</returns>
    private bool TryTake(out ListedPage? page)
    {
        page = null;
        while (true)
        {
            KeyRange first = _ranges[0];
            if (first.Pages.TryDequeue(out (ListedPage Page, bool IsReserved) next))
            {
                page = next.Page;
                Release(next.IsReserved ? 1 : 0, wasConsumed: true);
                return true;
            }

            if (first.Error is { } error)
            {
                ExceptionDispatchInfo.Throw(error);
            }

            if (!first.IsComplete)
            {
                return true;
            }

            if (_ranges.Count == 1)
            {
                return false;
            }

            if (!TryPass(first, _ranges[1]))
            {
                return true;
            }
        }
    }

    /// <summary>Continues with the second range, or takes it over if it doesn't begin where the first one has ended.</summary>
    /// <returns>False if the beginning of the second range isn't known yet.</returns>
    private bool TryPass(KeyRange first, KeyRange second)
    {
        if (second.IsBegun && second.First == first.Beyond)
        {
            _ranges.RemoveAt(0);
            return true;
        }

        if (second is { IsRequesting: true, IsBegun: false })
        {
            return false;
        }

        if (second is { IsBegun: false, Error: { } error } && !IsRefusal(error))
        {
            _ranges.RemoveAt(0); // its error is next
            return true;
        }

        // The store refuses to start there or ignores it, keys have come or gone meanwhile, or the range wasn't listed for lack of memory.
        Release(second.Pages.Count(static page => page.IsReserved), wasConsumed: false);
        second.Pages.Clear();
        _ranges.RemoveAt(1);
        if (first.TakeOver(second) is { } rest)
        {
            first.Pages.Enqueue((rest, false));
        }

        return true;
    }

    private static bool IsRefusal(Exception error) => error is TransferException { StatusCode: System.Net.HttpStatusCode.BadRequest or System.Net.HttpStatusCode.NotImplemented };

    private void CountReturned(ListedPage page)
    {
        _pace.Return();
        _divider.Return(page.Items);
        if (_memory is null && _pace.IsSlow)
        {
            _memory = _requests.Budget.Add(this, Math.Max(1, _pageBytes)); // from now on, ranges are divided
        }
    }

    /// <summary>Selects the requests to send: for the ranges that come first, as many as are allowed and as there is memory for.</summary>
    private void Schedule(List<KeyRange> begun)
    {
        int most = _memory is null ? 1 : Math.Min(_useful + 1, _requests.MostAtOnce());
        for (int i = 0; i < _ranges.Count && (i == 0 || _inFlight < most) && _ranges[i].Error is null; i++)
        {
            KeyRange range = _ranges[i];
            if (range is { IsComplete: false, IsRequesting: false })
            {
                bool isNext = i == 0 && range.Pages.Count == 0; // never waits for memory
                if (!isNext && (_inFlight >= most || !TryReserve()))
                {
                    return;
                }

                Begin(range, !isNext, begun);
            }

            while (_memory is not null && _canDivide && _inFlight < most && TryReserve())
            {
                if (_divider.TryDivide(range) is not { } second)
                {
                    Release(1, wasConsumed: false);
                    break;
                }

                _ranges.Insert(i + 1, second);
                Begin(second, isReserved: true, begun);
                if (second.Bound is null)
                {
                    break; // it is the last one, which is divided next
                }
            }
        }
    }

    private void Begin(KeyRange range, bool isReserved, List<KeyRange> begun)
    {
        range.IsRequesting = true;
        range.IsRequestReserved = isReserved;
        _inFlight++;
        begun.Add(range);
    }

    private async Task RequestAsync(KeyRange range)
    {
        Page<ListedObject>? page = null;
        Exception? error = null;
        try
        {
            page = await _requests.SendAsync(_query with { StartAfter = range.After }, range.Next, _stopping).ConfigureAwait(false);
        }
#pragma warning disable CA1031 // kept, and thrown in the place of the range
        catch (Exception e)
#pragma warning restore CA1031
        {
            error = e;
        }

        lock (_gate)
        {
            _inFlight--;
            range.IsRequesting = false;
            Receive(range, page, error);
        }

        _arrived.Set(inline: true);
    }

    private void Receive(KeyRange range, Page<ListedObject>? page, Exception? error)
    {
        ListedPage? accepted = null;
        range.Error = error;
        _canDivide &= error is null || !IsRefusal(error);
        if (page is not null && !range.IsAbandoned)
        {
            accepted = range.Accept(page);
            _canDivide &= range.First is null || range.After is null || KeyOrder.Instance.Compare(range.First, range.After) > 0; // otherwise, the store ignores where to start
            _divider.Learn(range, page.Items);
            _pageBytes = Math.Max(_pageBytes, page.Items.Sum(static item => ItemBytes + (2 * (item.Key.Length + (item.ETag?.Length ?? 0)))));
            if (range != _ranges[0])
            {
                // The number of requests doubles as long as they return something, so that a wrong estimate costs few requests.
                _useful = accepted is not null ? Math.Min(_useful + 1, _requests.MostAtOnce()) : range.Count == 0 ? Math.Max(1, _useful - 1) : _useful;
            }
        }

        if (accepted is not null)
        {
            range.Pages.Enqueue((accepted, range.IsRequestReserved));
        }
        else
        {
            Release(range.IsRequestReserved ? 1 : 0, wasConsumed: false);
        }
    }

    private bool TryReserve()
    {
        if (_memory is null || _memory.HeldBytes + _memory.UnitBytes > _requests.Budget.CapacityBytes / MemoryDivisor || !_requests.Budget.TryReserveAhead(_memory))
        {
            return false;
        }

        _reserved++;
        return true;
    }

    private void Release(int pages, bool wasConsumed)
    {
        if (pages > 0)
        {
            _reserved -= pages;
            _requests.Budget.ReleaseAhead(_memory!, (long)pages * _memory!.UnitBytes, wasConsumed);
        }
    }
}
