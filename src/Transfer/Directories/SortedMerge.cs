using System.Runtime.CompilerServices;
using Transfer.S3.Wire;

namespace Transfer.S3.Directories;

/// <summary>Merges two sides that are both in the order of the bytes of their names, to find what exists on both sides and on one side only.</summary>
internal static class SortedMerge
{
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
