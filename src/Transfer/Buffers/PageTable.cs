using System.Diagnostics.CodeAnalysis;

namespace Transfer.S3.Buffers;

/// <summary>The pages of an object by their numbers. It isn't thread-safe.</summary>
/// <remarks>
/// Neighbors are in one small array, so that reads in order rarely search, and that no table of a large object is on the large object heap.
/// </remarks>
internal sealed class PageTable
{
    private const int GroupBits = 6;
    private const int PagesPerGroup = 1 << GroupBits;

    private readonly Dictionary<long, Group> _groups = [];
    private Group? _last;

    /// <summary>Gets all pages, in any order.</summary>
    public IEnumerable<Page> All => _groups.Values.SelectMany(static group => group.Pages).OfType<Page>();

    public bool TryGet(long index, [NotNullWhen(true)] out Page? page)
    {
        page = TryGetGroup(index >> GroupBits, out Group? group) ? group.Pages[Within(index)] : null;
        return page is not null;
    }

    public void Add(long index, Page page)
    {
        if (!TryGetGroup(index >> GroupBits, out Group? group))
        {
            group = new Group(index >> GroupBits);
            _groups.Add(group.Number, group);
            _last = group;
        }

        group.Pages[Within(index)] = page;
        group.Count++;
    }

    public void Remove(long index)
    {
        if (TryGetGroup(index >> GroupBits, out Group? group) && group.Pages[Within(index)] is not null)
        {
            group.Pages[Within(index)] = null;
            group.Count--;
            if (group.Count == 0)
            {
                _groups.Remove(group.Number);
                _last = null;
            }
        }
    }

    private static int Within(long index) => (int)(index & (PagesPerGroup - 1));

    private bool TryGetGroup(long number, [NotNullWhen(true)] out Group? group)
    {
        group = _last;
        if (group?.Number != number && _groups.TryGetValue(number, out group))
        {
            _last = group;
        }

        return group is not null;
    }

    private sealed class Group(long number)
    {
        public long Number => number;

        public Page?[] Pages { get; } = new Page?[PagesPerGroup];

        public int Count { get; set; }
    }
}
