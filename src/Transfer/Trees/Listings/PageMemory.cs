using Transfer.S3.Buffers;

namespace Transfer.S3.Trees;

/// <summary>The memory of the pages that a listing has read ahead. It is read-ahead of the memory budget, in units of a page.</summary>
/// <param name="budget">The memory budget.</param>
/// <param name="giveBack">Returns pages until the listing holds at most a number of bytes.</param>
internal sealed class PageMemory(MemoryBudget budget, Action<long> giveBack) : IReadAheadOwner
{
    /// <summary>The largest share of the memory budget that one listing uses.</summary>
    private const int Divisor = 16;

    /// <summary>The memory of an object in a page without the characters of its strings.</summary>
    private const int ItemBytes = 160;

    private MemoryShare? _share;
    private int _pageBytes;
    private int _reserved;
    private bool _isStarved;

    /// <summary>Gets a value that indicates whether pages can be read ahead.</summary>
    public bool HasBegun => _share is not null;

    public long HeldBytes => _share?.HeldBytes ?? 0;

    /// <summary>Gets or sets a value that indicates whether the listing has no page for its caller.</summary>
    public bool IsStarved
    {
        get => Volatile.Read(ref _isStarved);
        set => Volatile.Write(ref _isStarved, value);
    }

    bool IReadAheadOwner.IsStuck => false;

    void IReadAheadOwner.GiveBack(long mostBytes) => giveBack(mostBytes);

    void IReadAheadOwner.RanOut()
    {
    }

    /// <summary>Measures a page. The size of the largest one so far is the unit.</summary>
    public void Learn(IReadOnlyList<ListedObject> items)
        => _pageBytes = Math.Max(_pageBytes, items.Sum(static item => ItemBytes + (2 * (item.Key.Length + (item.ETag?.Length ?? 0)))));

    /// <summary>Begins to read ahead.</summary>
    public void Begin() => _share ??= budget.Add(this, Math.Max(1, _pageBytes));

    /// <summary>Reserves the memory of a page.</summary>
    /// <param name="share">The share of the memory of the listing that may be reserved after that.</param>
    public bool TryReserve(double share)
    {
        if (_share is null || _share.HeldBytes + _share.UnitBytes > budget.CapacityBytes / Divisor * share || !budget.TryReserveAhead(_share))
        {
            return false;
        }

        _reserved++;
        return true;
    }

    public void Release(int pages, bool wasConsumed)
    {
        if (pages > 0)
        {
            _reserved -= pages;
            budget.ReleaseAhead(_share!, (long)pages * _share!.UnitBytes, wasConsumed);
        }
    }

    /// <summary>Returns all memory.</summary>
    public void End()
    {
        Release(_reserved, wasConsumed: false);
        _share?.Dispose();
    }
}
