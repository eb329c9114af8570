using System.Runtime.CompilerServices;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>Merges what is in the order of the bytes of names.</summary>
internal static class SortedMerge
{
    /// <summary>Merges any number of sequences. Of entries with the same name, that of the first sequence comes first.</summary>
    /// <param name="sorted">The sequences, each in order.</param>
    /// <param name="name">Gets the name of an entry.</param>
    public static IEnumerable<T> Merge<T>(IReadOnlyList<IEnumerable<T>> sorted, Func<T, string> name)
    {
        PriorityQueue<IEnumerator<T>, (string Name, int Index)> next = new(Comparer<(string Name, int Index)>.Create(
            static (x, y) => KeyOrder.Instance.Compare(x.Name, y.Name) is not 0 and var order ? order : x.Index - y.Index));
        List<IEnumerator<T>> all = [.. sorted.Select(static one => one.GetEnumerator())];
        try
        {
            for (int i = 0; i < all.Count; i++)
            {
                if (all[i].MoveNext())
                {
                    next.Enqueue(all[i], (name(all[i].Current), i));
                }
            }

            while (next.TryDequeue(out IEnumerator<T>? first, out (string Name, int Index) place))
            {
                yield return first.Current;
                if (first.MoveNext())
                {
                    next.Enqueue(first, (name(first.Current), place.Index));
                }
            }
        }
        finally
        {
            all.ForEach(static one => one.Dispose());
        }
    }

    /// <summary>Merges two sides, to find what exists on both sides and on one side only.</summary>
    /// <param name="lefts">The entries of one side, in order.</param>
    /// <param name="leftName">Gets the name of one of them.</param>
    /// <param name="rights">The entries of the other side, in order.</param>
    /// <param name="rightName">Gets the name of one of them.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static async IAsyncEnumerable<(TLeft? Left, TRight? Right)> MergeAsync<TLeft, TRight>(
        IAsyncEnumerable<TLeft> lefts,
        Func<TLeft, string> leftName,
        IAsyncEnumerable<TRight> rights,
        Func<TRight, string> rightName,
        [EnumeratorCancellation] CancellationToken cancellationToken)
        where TLeft : class
        where TRight : class
    {
        IAsyncEnumerator<TLeft> left = lefts.GetAsyncEnumerator(cancellationToken);
        await using (left.ConfigureAwait(false))
        {
            IAsyncEnumerator<TRight> right = rights.GetAsyncEnumerator(cancellationToken);
            await using (right.ConfigureAwait(false))
            {
                bool hasLeft = await left.MoveNextAsync().ConfigureAwait(false);
                bool hasRight = await right.MoveNextAsync().ConfigureAwait(false);
                while (hasLeft || hasRight)
                {
                    cancellationToken.ThrowIfCancellationRequested();
                    int order = !hasLeft ? 1 : !hasRight ? -1 : KeyOrder.Instance.Compare(leftName(left.Current), rightName(right.Current));
                    yield return (order <= 0 ? left.Current : null, order >= 0 ? right.Current : null);
                    hasLeft = order <= 0 ? await left.MoveNextAsync().ConfigureAwait(false) : hasLeft;
                    hasRight = order >= 0 ? await right.MoveNextAsync().ConfigureAwait(false) : hasRight;
                }
            }
        }
    }
}
