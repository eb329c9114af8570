using Transfer.S3.Buffers;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Buffers;

#pragma warning disable CA1001 // each test leaves the cache empty, or disposes it
public sealed class PageCacheTests : TransferTest
#pragma warning restore CA1001
{
    private const int PageBytes = 16;
    private const int Pages = 24; // three eighths of the memory
    private readonly ChunkPool _pool;
    private readonly PageCache _cache;
    private readonly CachedObject _item;

    public PageCacheTests()
    {
        _pool = NewPool(PageBytes, 64 * PageBytes);
        _cache = new PageCache(_pool, Time);
        _item = _cache.Enter("object", TimeSpan.Zero, () => new object());
    }

    private MemoryBudget Budget => _pool.Budget;

    [Fact]
    public void TryLease_CacheIsFull_ReleasesWhatWasUsedLeastRecently()
    {
        Fill(0, Pages);
        Read(0); // the others were used before

        ChunkLease lease = _cache.TryLease(2, isNeeded: false)!;

        Assert.Equal([0, .. Enumerable.Range(3, Pages - 3)], Cached());
        lease.Dispose();
        Leave();
    }

    [Fact]
    public void TryLease_PagesAreAhead_AreReleasedOnlyForAReaderThatWaits()
    {
        Fill(0, Pages, isAhead: true);

        Assert.Null(_cache.TryLease(2, isNeeded: false));
        Assert.Equal(Pages, Cached().Length);
        ChunkLease lease = _cache.TryLease(2, isNeeded: true)!;

        Assert.Equal(Enumerable.Range(0, Pages - 2), Cached()); // the farthest first
        lease.Dispose();
        Leave();
    }

    [Fact]
    public void Forget_PagesWereAhead_AreReleasedFirst()
    {
        Fill(0, 10);
        Fill(10, Pages - 10, isAhead: true);

        _cache.Forget(_item, 12, 14);
        ChunkLease lease = _cache.TryLease(2, isNeeded: false)!;

        Assert.Equal([.. Enumerable.Range(0, 12), .. Enumerable.Range(14, Pages - 14)], Cached());
        lease.Dispose();
        Leave();
    }

    [Fact]
    public void Release_Range_KeepsTheOthersAndThoseInUse()
    {
        Fill(0, Pages);
        Assert.True(_cache.TryPin(_item, 5, out Page? pinned));

        _cache.Release(_item, 3, 8);

        Assert.Equal([0, 1, 2, 5, .. Enumerable.Range(8, Pages - 8)], Cached());
        _cache.Unpin(pinned, PageUse.Read);
        Leave();
    }

    [Fact]
    public void Release_ObjectHasAnotherReader_KeepsItsPages()
    {
        Fill(0, Pages);
        CachedObject other = _cache.Enter("object", TimeSpan.Zero, () => new object());

        _cache.Release(_item, 0, Pages);

        Assert.Equal(Enumerable.Range(0, Pages), Cached());
        _cache.Leave(other);
        Leave();
    }

    [Fact]
    public void TryLease_PagesAreInUse_AreNotReleased()
    {
        Fill(0, Pages);
        List<Page> pinned = [];
        for (int i = 0; i < Pages; i++)
        {
            Assert.True(_cache.TryPin(_item, i, out Page? page));
            pinned.Add(page);
        }

        Assert.Null(_cache.TryLease(1, isNeeded: true));
        pinned.ForEach(page => _cache.Unpin(page, PageUse.Read));
        ChunkLease lease = _cache.TryLease(1, isNeeded: true)!;
        lease.Dispose();
        Leave();
    }

    [Fact]
    public void TryLease_PageWasAwaited_IsReleasedBeforeThoseThatAreAhead()
    {
        object filler = new();
        ChunkLease lease = _cache.TryLease(Pages, isNeeded: true)!;
        _cache.Begin(_item, filler, 0, Pages);
        Assert.True(_cache.TryAwait(_item, 0, out Page? page, out _, out _));
        for (int i = 0; i < Pages; i++)
        {
            _cache.Arrive(_item, filler, i, Rent(lease), isAhead: true, isSummed: true);
        }

        _cache.End(_item, filler, 0, Pages);
        lease.Dispose();
        _cache.Unpin(page, PageUse.Read);

        lease = _cache.TryLease(1, isNeeded: false)!;

        Assert.Equal(Enumerable.Range(1, Pages - 1), Cached());
        lease.Dispose();
        Leave();
    }

    [Theory]
    [InlineData(1, true)]
    [InlineData(2, false)]
    public void Unpin_LastUse_ReleasesThePageUnlessThereAreOtherReaders(int readers, bool isReleased)
    {
        Fill(0, 3);
        for (int i = 1; i < readers; i++)
        {
            _cache.Enter("object", TimeSpan.Zero, () => new object());
        }

        Assert.True(_cache.TryPin(_item, 1, out Page? page));
        Assert.True(_cache.TryPin(_item, 1, out _));
        _cache.Unpin(page, PageUse.Last);
        Assert.Equal([0, 1, 2], Cached()); // another call uses it
        _cache.Unpin(page, PageUse.Last);

        Assert.Equal(isReleased ? [0, 2] : [0, 1, 2], Cached());
        for (int i = 1; i < readers; i++)
        {
            _cache.Leave(_item);
        }

        Leave();
    }

    [Fact]
    public async Task Reserve_OtherUses_GetTheMemoryOfTheCache()
    {
        Fill(0, Pages);
        long rest = Budget.CapacityBytes - Budget.ReservedBytes;
        Assert.True(Budget.TryReserve(MemoryUse.Transient, rest));

        Assert.True(Budget.TryReserve(MemoryUse.Transient, 2 * PageBytes));
        await Budget.ReserveAsync(MemoryUse.Transient, 3 * PageBytes, CancellationToken.None).AsTask().Within();
        Assert.Equal(Pages - 5, Cached().Length);
        await Budget.ReserveAsync(MemoryUse.Floor, PageBytes, CancellationToken.None).AsTask().Within();

        Assert.Equal(Pages - 6, Cached().Length);
        Budget.Release(MemoryUse.Floor, PageBytes);
        Budget.Release(MemoryUse.Transient, rest + (5 * PageBytes));
        Leave();
    }

    [Fact]
    public async Task Reserve_StreamReadsAhead_GetsTheMemoryOfTheCache()
    {
        Fill(0, Pages);
        MemoryShare share = Budget.Add(new FakeOwner(), PageBytes);
        long rest = Budget.CapacityBytes - Budget.ReservedBytes;
        Assert.True(Budget.TryReserve(MemoryUse.Transient, rest));

        long bytes = FakeOwner.TryReserve(share, 4 * PageBytes);
        MemoryWaiter waiter = Budget.RequestAhead(share, 4 * PageBytes);
        await waiter.Task.Within();

        Assert.InRange(bytes, PageBytes, 4 * PageBytes);
        long more = Budget.TakeGranted(share);
        Assert.Equal(Pages - ((bytes + more) / PageBytes), Cached().Length);
        Budget.ReleaseAhead(share, bytes + more);
        share.Dispose();
        Budget.Release(MemoryUse.Transient, rest);
        Leave();
    }

    [Fact]
    public async Task Reserve_PagesAreBeingFetched_GetsTheirMemoryWhenTheyHaveArrived()
    {
        object filler = new();
        ChunkLease lease = _cache.TryLease(4, isNeeded: true)!;
        Assert.Equal(4, _cache.Begin(_item, filler, 0, 4));
        long rest = Budget.CapacityBytes - Budget.ReservedBytes;
        Task waiting = Budget.ReserveAsync(MemoryUse.Transient, rest + PageBytes, CancellationToken.None).AsTask();
        Assert.False(waiting.IsCompleted);
        Assert.Null(_cache.TryLease(1, isNeeded: true)); // the cache doesn't compete with the others

        _cache.Arrive(_item, filler, 0, Rent(lease), isAhead: true, isSummed: true);

        await waiting.Within();
        Assert.Empty(Cached());
        _cache.End(_item, filler, 0, 4);
        lease.Dispose();
        Budget.Release(MemoryUse.Transient, rest + PageBytes);
        Leave();
    }

    [Fact]
    public async Task TryAwait_FetchEndsWithoutThePage_WakesTheReader()
    {
        object filler = new();
        ChunkLease lease = _cache.TryLease(2, isNeeded: true)!;
        _cache.Begin(_item, filler, 0, 2);
        Assert.False(_cache.TryAwait(_item, 2, out _, out _, out _));
        Assert.True(_cache.TryAwait(_item, 1, out Page? page, out Task changed, out object? found));
        Assert.Same(filler, found);
        Assert.True(_cache.IsAwaited(_item, 0, 2));
        Assert.False(changed.IsCompleted);

        _cache.End(_item, filler, 0, 2);

        await changed.Within();
        Assert.Null(page.Chunk);
        _cache.Unpin(page, PageUse.None);
        Assert.Empty(_item.Pages.All);
        lease.Dispose();
        Leave();
    }

    [Fact]
    public void Begin_SomePagesAreThere_BeginsUpToThem()
    {
        Fill(5, 1);

        Assert.Equal((3, 2), _cache.FindMissing(_item, 3, 10));
        Assert.Equal(2, _cache.Begin(_item, new object(), 3, 7));
        Assert.Equal(0, _cache.Begin(_item, new object(), 3, 7));
        Assert.Equal((6, 4), _cache.FindMissing(_item, 3, 10));
        _cache.Leave(_item);
    }

    [Fact]
    public void Enter_SameKey_SharesUntilTheLastReaderLeaves()
    {
        CachedObject second = _cache.Enter("object", TimeSpan.Zero, () => throw new InvalidOperationException("it is shared"));
        Assert.Same(_item, second);
        Fill(0, 3);

        _cache.Leave(second);
        Assert.Equal(3, Cached().Length);
        _cache.Leave(_item);

        Assert.Equal(0, _pool.RentedBytes);
        CachedObject third = _cache.Enter("object", TimeSpan.Zero, () => new object());
        Assert.NotSame(_item, third);
        _cache.Leave(third);
    }

    [Fact]
    public void Disown_ObjectIsDamaged_NewReadersDoNotGetIt()
    {
        Fill(0, 3);

        _cache.Disown(_item);

        CachedObject fresh = _cache.Enter("object", TimeSpan.FromHours(1), () => new object());
        Assert.NotSame(_item, fresh);
        Assert.Equal(3, Cached().Length); // its readers go on
        _cache.Leave(_item);
        Assert.Equal(0, _pool.RentedBytes);
        _cache.Leave(fresh);
        _cache.Dispose();
    }

    private void Leave()
    {
        _cache.Leave(_item);
        Assert.Equal(0, Budget.ReservedBytes);
    }

    private void Fill(int first, int count, bool isAhead = false)
    {
        object filler = new();
        ChunkLease lease = _cache.TryLease(count, isNeeded: true)!;
        Assert.Equal(count, lease.Chunks);
        Assert.Equal(count, _cache.Begin(_item, filler, first, count));
        for (int i = 0; i < count; i++)
        {
            _cache.Arrive(_item, filler, first + i, Rent(lease), isAhead, isSummed: true);
        }

        _cache.End(_item, filler, first, count);
        lease.Dispose();
    }

    private static Chunk Rent(ChunkLease lease)
    {
        Assert.True(lease.TryRent(out Chunk? chunk));
        chunk.Advance(PageBytes);
        return chunk;
    }

    private void Read(int index)
    {
        Assert.True(_cache.TryPin(_item, index, out Page? page));
        _cache.Unpin(page, PageUse.Read);
    }

    private int[] Cached() => [.. _item.Pages.All.Where(page => page.Chunk is not null).Select(page => (int)page.Index).Order()];
}
