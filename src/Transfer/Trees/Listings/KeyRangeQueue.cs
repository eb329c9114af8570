using System.Net;
using System.Runtime.ExceptionServices;

namespace Transfer.S3.Trees;

/// <summary>The ranges of a listing, in order. The first one is returned.</summary>
/// <param name="whole">The range of all keys.</param>
/// <param name="memory">The memory of the pages.</param>
internal sealed class KeyRangeQueue(KeyRange whole, PageMemory memory)
{
    private readonly List<KeyRange> _ranges = [whole];

    public int Count => _ranges.Count;

    /// <summary>Gets the number of ranges whose first page is being requested.</summary>
    public int NewCount => _ranges.Count(static range => range is { IsRequesting: true, IsBegun: false });

    public KeyRange this[int index] => _ranges[index];

    /// <summary>Returns whether a store refuses to start at a key.</summary>
    public static bool IsRefusal(Exception error) => error is TransferException { StatusCode: HttpStatusCode.BadRequest or HttpStatusCode.NotImplemented };

    public void Insert(int index, KeyRange range) => _ranges.Insert(index, range);

    /// <summary>Takes the next page if it has arrived.</summary>
    /// <returns>False if the listing has ended.</returns>
    public bool TryTake(out ListedPage? page)
    {
        page = null;
        while (true)
        {
            KeyRange first = _ranges[0];
            if (first.Pages.TryDequeue(out (ListedPage Page, bool IsReserved) next))
            {
                page = next.Page;
                memory.Release(next.IsReserved ? 1 : 0, wasConsumed: true);
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

    /// <summary>Drops pages that were read ahead, the last ones first, until the listing holds at most a number of bytes. They are listed again.</summary>
    public void GiveBack(long mostBytes)
    {
        for (int i = _ranges.Count - 1; i > 0 && memory.HeldBytes > mostBytes; i--)
        {
            if (_ranges[i] is { IsRequesting: false, Pages.Count: > 0, Error: null } range)
            {
                Drop(range);
                range.Restart();
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
        Drop(second);
        _ranges.RemoveAt(1);
        if (first.TakeOver(second) is { } rest)
        {
            first.Pages.Enqueue((rest, false));
        }

        return true;
    }

    private void Drop(KeyRange range)
    {
        memory.Release(range.Pages.Count(static page => page.IsReserved), wasConsumed: false);
        range.Pages.Clear();
    }
}
