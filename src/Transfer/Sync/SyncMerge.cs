using System.Runtime.CompilerServices;
using Transfer.S3.Wire;

namespace Transfer.S3.Sync;

/// <summary>Merges two sides that are both in the order of the bytes of their names.</summary>
internal static class SyncMerge
{
    public static async IAsyncEnumerable<(SyncEntry? Source, SyncEntry? Target)> MergeAsync(
        IAsyncEnumerable<SyncEntry> sources, IAsyncEnumerable<SyncEntry> targets, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        IAsyncEnumerator<SyncEntry> source = sources.GetAsyncEnumerator(cancellationToken);
        await using (source.ConfigureAwait(false))
        {
            IAsyncEnumerator<SyncEntry> target = targets.GetAsyncEnumerator(cancellationToken);
            await using (target.ConfigureAwait(false))
            {
                bool hasSource = await source.MoveNextAsync().ConfigureAwait(false);
                bool hasTarget = await target.MoveNextAsync().ConfigureAwait(false);
                while (hasSource || hasTarget)
                {
                    cancellationToken.ThrowIfCancellationRequested();
                    int order = !hasSource ? 1 : !hasTarget ? -1 : KeyOrder.Instance.Compare(source.Current.Name, target.Current.Name);
                    yield return (order <= 0 ? source.Current : null, order >= 0 ? target.Current : null);
                    hasSource = order <= 0 ? await source.MoveNextAsync().ConfigureAwait(false) : hasSource;
                    hasTarget = order >= 0 ? await target.MoveNextAsync().ConfigureAwait(false) : hasTarget;
                }
            }
        }
    }
}
