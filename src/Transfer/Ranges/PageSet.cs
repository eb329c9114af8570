namespace Transfer.S3.Ranges;

/// <summary>A set of pages, as runs that don't touch each other.</summary>
internal sealed class PageSet
{
    private readonly List<(long First, long End)> _runs = [];

    /// <summary>Gets the runs in the order of their pages: the first page of each, and the page after its last one.</summary>
    public IReadOnlyList<(long First, long End)> Runs => _runs;

    /// <summary>Adds the pages from <paramref name="first"/> to the one before <paramref name="end"/>, at least one.</summary>
    public void Add(long first, long end)
    {
        int from = FindIndex(first);
        int to = from;
        for (; to < _runs.Count && _runs[to].First <= end; to++)
        {
            first = Math.Min(first, _runs[to].First);
            end = Math.Max(end, _runs[to].End);
        }

        _runs.RemoveRange(from, to - from);
        _runs.Insert(from, (first, end));
    }

    /// <summary>Gets the page after the run that contains a page; 0 if no run contains it.</summary>
    public long FindEnd(long page)
    {
        int index = FindIndex(page + 1);
        return index < _runs.Count && _runs[index].First <= page ? _runs[index].End : 0;
    }

    /// <summary>Returns whether the set contains one of the pages from <paramref name="first"/> to the one before <paramref name="end"/>.</summary>
    public bool Overlaps(long first, long end)
    {
        int index = FindIndex(first + 1);
        return index < _runs.Count && _runs[index].First < end;
    }

    /// <summary>Finds the first run whose end is at or after a page.</summary>
    private int FindIndex(long page)
    {
        int low = 0;
        int high = _runs.Count;
        while (low < high)
        {
            int middle = (low + high) / 2;
            (low, high) = _runs[middle].End < page ? (middle + 1, high) : (low, middle);
        }

        return low;
    }
}
