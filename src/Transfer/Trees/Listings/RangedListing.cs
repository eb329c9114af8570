using System.Runtime.CompilerServices;
using Transfer.S3.Buffers;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>
/// Lists objects in order. If the listing is slower than its use, ranges of keys are listed at the same time: they are divided at keys that are estimated
/// (<see cref="RangeDivider"/>), and their pages are returned in the order of the ranges.
/// </summary>
/// <remarks>
/// <para>The first pages are requested one after the other, so a short listing costs no request more. As in every list, the next page is requested while one is processed.</para>
/// <para>
/// Pages of ranges that come later need memory (<see cref="PageMemory"/>). Their requests never wait for it: without any, only the first range continues. Pages that the
/// budget takes back are listed again.
/// </para>
/// <para>Every error belongs to the range in which it happened, and is thrown where that range would be returned. The lock guards all state. No request is sent under it.</para>
/// </remarks>
internal sealed class RangedListing
{
    /// <summary>The maximum number of ranges whose first pages are requested at the same time. More cost requests at each gap, and bring little.</summary>
    private const int MaxNew = 16;

    private readonly Lock _gate = new();
    private readonly ListQuery _query;
    private readonly ListingRequests _requests;
    private readonly CancellationToken _stopping;
    private readonly AsyncSignal _arrived = new();
    private readonly KeyRangeQueue _ranges;
    private readonly RangeDivider _divider;
    private readonly ListingPace _pace;
    private readonly PageMemory _memory;
    private int _inFlight;
    private int _mostNew = 1;
    private bool _canDivide = true;

    private RangedListing(ListQuery query, ListingRequests requests, CancellationToken stopping)
    {
        _query = query;
        _requests = requests;
        _stopping = stopping;
        _divider = new RangeDivider(query.Prefix);
        _pace = new ListingPace(requests.Time);
        _memory = new PageMemory(requests.Budget, GiveBack);
        _ranges = new KeyRangeQueue(new KeyRange(query.StartAfter), _memory);
    }

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

    private async ValueTask<ListedPage?> NextAsync()
    {
        _pace.Ask();
        while (true)
        {
            List<KeyRange> begun = [];
            try
            {
                lock (_gate)
                {
                    bool hasEnded = !_ranges.TryTake(out ListedPage? page);
                    if (page is not null)
                    {
                        CountReturned(page);
                    }

                    _memory.IsStarved = page is null;
                    if (!hasEnded)
                    {
                        Schedule(begun);
                    }

                    if (page is not null || hasEnded)
                    {
                        return page;
                    }
                }
            }
            finally
            {
                foreach (KeyRange range in begun)
                {
                    _ = RequestAsync(range); // its error is kept in the range
                }
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
                    _memory.End();
                    return;
                }
            }

            await _arrived.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        }
    }

    private void GiveBack(long mostBytes)
    {
        lock (_gate)
        {
            _ranges.GiveBack(mostBytes);
        }
    }

    private void CountReturned(ListedPage page)
    {
        _pace.Return();
        _divider.Return(page.Items);
        if (_pace.IsSlow)
        {
            _memory.Begin(); // from now on, ranges are divided
        }
    }

    /// <summary>Selects the requests to send: for the ranges that come first, as many as are allowed and as there is memory for.</summary>
    private void Schedule(List<KeyRange> begun)
    {
        int most = _memory.HasBegun ? _requests.MostAtOnce() : 1;
        int mostNew = _mostNew - _ranges.NewCount;
        for (int i = 0; i < _ranges.Count && (i == 0 || _inFlight < most) && _ranges[i].Error is null; i++)
        {
            // Later ranges get less, so that memory is left for an earlier one that turns out to be long.
            KeyRange range = _ranges[i];
            double share = 1 - (Math.Min(1, (double)i / most) / 2);
            if (range is { IsComplete: false, IsRequesting: false })
            {
                bool isNext = i == 0 && range.Pages.Count == 0; // never waits for memory
                if (!isNext && (_inFlight >= most || !_memory.TryReserve(share)))
                {
                    return;
                }

                Begin(range, !isNext, begun);
            }

            if (_memory.HasBegun && _canDivide && _inFlight < most && mostNew > 0 && _memory.TryReserve(share))
            {
                if (_divider.TryDivide(range) is { } second)
                {
                    mostNew--;
                    _ranges.Insert(i + 1, second);
                    Begin(second, isReserved: true, begun);
                }
                else
                {
                    _memory.Release(1, wasConsumed: false);
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
        if (error is null && !range.IsAbandoned)
        {
            try
            {
                accepted = Accept(range, page!);
            }
#pragma warning disable CA1031 // kept, and thrown in the place of the range
            catch (Exception e)
#pragma warning restore CA1031
            {
                error = e;
            }
        }

        range.Error = error;
        _canDivide &= error is null || !KeyRangeQueue.IsRefusal(error);
        if (accepted is not null)
        {
            range.Pages.Enqueue((accepted, range.IsRequestReserved));
        }
        else
        {
            _memory.Release(range.IsRequestReserved ? 1 : 0, wasConsumed: false);
        }
    }

    private ListedPage? Accept(KeyRange range, Page<ListedObject> page)
    {
        bool isFirst = !range.IsBegun;
        ListedPage? accepted = range.Accept(page);
        _canDivide &= range.First is null || range.After is null || KeyOrder.Instance.Compare(range.First, range.After) > 0; // otherwise, the store ignores where to start
        _divider.Learn(range, page.Items);
        _memory.Learn(page.Items);
        if (range != _ranges[0])
        {
            // The number of new ranges doubles as long as they contain something, so that wrong estimates, such as those of a gap, cost few requests.
            _mostNew = range.Count == 0 ? Math.Max(1, _mostNew / 2) : isFirst ? Math.Min(_mostNew + 1, MaxNew) : _mostNew;
        }

        return accepted;
    }
}
