using Transfer.S3.Buffers;
using Transfer.S3.Trees;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Infrastructure;

/// <summary>
/// A store that lists keys with random delays on a clock of its own. Requests are answered one after the other on the thread of the test, so every run with the same
/// seed is the same.
/// </summary>
internal sealed class SimulatedListing
{
    private readonly Random _random;
    private readonly List<(TimeSpan Due, Action Answer)> _pending = [];
    private readonly FakeTimeProvider _time = new();

    public SimulatedListing(Random random, IEnumerable<string> keys, long memoryBytes = 64 * Sizes.MiB)
    {
        _random = random;
        Keys = new SortedSet<string>(keys, KeyOrder.Instance);
        Budget = new MemoryBudget(memoryBytes);
    }

    public SortedSet<string> Keys { get; private set; }

    public MemoryBudget Budget { get; }

    public int PageSize { get; init; } = 10;

    public int MostAtOnce { get; init; } = 16;

    /// <summary>Gets a callback each time the listing wants to know how many requests are allowed.</summary>
    public Action? LimitAsked { get; init; }

    public string Prefix { get; init; } = string.Empty;

    public (int Least, int Most) Milliseconds { get; init; } = (30, 31);

    /// <summary>Gets the time that the caller takes for a page.</summary>
    public Func<TimeSpan> Use { get; init; } = () => TimeSpan.Zero;

    public bool IgnoresStartAfter { get; init; }

    /// <summary>Gets a callback before a request is answered; the exception that it returns is the answer.</summary>
    public Func<ListQuery, IReadOnlyList<string>, Exception?>? Fails { get; init; }

    /// <summary>Gets a callback that returns whether a request is answered with nothing, which no store does.</summary>
    public Func<bool>? AnswersNothing { get; init; }

    /// <summary>Gets a callback before each answer.</summary>
    public Action? BeforeAnswer { get; init; }

    /// <summary>Gets the order of the store.</summary>
    public IComparer<string> Order
    {
        get => Keys.Comparer;
        init => Keys = new SortedSet<string>(Keys, value);
    }

    public int Requests { get; private set; }

    public int MostInFlight { get; private set; }

    /// <summary>Gets the requests that started at a key.</summary>
    public List<string> Starts { get; } = [];

    public TimeSpan Elapsed => _time.GetUtcNow() - _time.Start;

    /// <summary>Lists until the end, or the given number of pages.</summary>
    public async Task<(List<string> Listed, Exception? Error)> ListAsync(int pages = int.MaxValue, CancellationToken cancellationToken = default)
    {
        List<string> listed = [];

        // The runner has a synchronization context, on which continuations would not run inline.
        Exception? error = await Task.Run(async () =>
        {
            Task<Exception?> enumeration = Record.ExceptionAsync(() => EnumerateAsync(listed, pages, cancellationToken));
            while (!enumeration.IsCompleted && _pending.Count > 0)
            {
                (TimeSpan due, Action answer) = _pending.MinBy(request => request.Due);
                _pending.RemoveAll(request => request.Answer == answer);
                _time.Advance(due > Elapsed ? due - Elapsed : TimeSpan.Zero);
                BeforeAnswer?.Invoke();
                answer();
            }

            return await enumeration.Within();
        }).Within();
        return (listed, error);
    }

    private async Task EnumerateAsync(List<string> listed, int pages, CancellationToken cancellationToken)
    {
        ListQuery query = new(FakeS3.Bucket, Prefix, new ReadAccess(false, null));
        await foreach (ListedPage page in RangedListing.ReadAsync(query, new ListingRequests(SendAsync, AskLimit, Budget, _time), cancellationToken).ConfigureAwait(false))
        {
            listed.AddRange(page.Items.Select(item => item.Key));
            if (--pages == 0)
            {
                break;
            }

            _time.Advance(Use());
        }
    }

    private int AskLimit()
    {
        LimitAsked?.Invoke();
        return MostAtOnce;
    }

    /// <summary>Gets the keys behind another one. A comparison with all keys would take most of the time of a test.</summary>
    private IEnumerable<string> After(string? behind)
        => behind is null ? Keys
            : Keys.Max is not { } last || Order.Compare(behind, last) >= 0 ? []
            : Keys.GetViewBetween(behind, last).SkipWhile(key => Order.Compare(key, behind) <= 0);

    private Task<Page<ListedObject>> SendAsync(ListQuery query, PageEnd? after, CancellationToken cancellationToken)
    {
        Requests++;
        if (query.StartAfter is { } start && after is null)
        {
            Starts.Add(start);
        }

        TaskCompletionSource<Page<ListedObject>> response = new();
        _pending.Add((Elapsed + TimeSpan.FromMilliseconds(_random.Next(Milliseconds.Least, Milliseconds.Most)), Answer));
        MostInFlight = Math.Max(MostInFlight, _pending.Count);
        cancellationToken.Register(() => response.TrySetCanceled(cancellationToken));
        return response.Task;

        void Answer()
        {
            try
            {
                string? behind = after?.Marker.Token ?? (IgnoresStartAfter ? null : query.StartAfter);
                string[] found = [.. After(behind).Where(key => key.StartsWith(query.Prefix, StringComparison.Ordinal)).Take(PageSize + 1)];
                string[] listed = [.. found.Take(PageSize)];
                if (Fails?.Invoke(query, listed) is { } error)
                {
                    throw error;
                }

                if (AnswersNothing?.Invoke() is true)
                {
                    response.TrySetResult(null!);
                    return;
                }

                ListedObject[] items = [.. listed.Select(key => new ListedObject { Key = key, Length = 1, ETag = "\"e\"" })];
                PageMarker? marker = found.Length > PageSize ? new PageMarker(listed[^1]) : null;
                response.TrySetResult(new Page<ListedObject>(PageRules.GetObjects(query.Bucket), query.Prefix, items, marker is not null, marker, after));
            }
#pragma warning disable CA1031 // the answer of the store
            catch (Exception e)
#pragma warning restore CA1031
            {
                response.TrySetException(e);
            }
        }
    }
}
