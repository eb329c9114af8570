using System.Runtime.CompilerServices;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>Staged objects that are published together, wherever they are kept: they are looked at again in large batches, and those that refer to others are published last.</summary>
/// <param name="pair">The sides.</param>
/// <param name="last">The patterns of the names that are published last; null for the default.</param>
/// <param name="read">Reads the objects that aren't published yet. It is called several times.</param>
/// <param name="getName">Gets the name of an object.</param>
/// <param name="getTarget">Gets the target as it was listed; null if there was none.</param>
internal sealed class StagedSet<T>(Pairing pair, IReadOnlyList<string>? last, Func<IEnumerable<T>> read, Func<T, string> getName, Func<T, TreeEntry?> getTarget)
{
    /// <summary>The number of objects that are read ahead of their requests.</summary>
    private const int Ahead = 512;

    private readonly PathPattern[] _last = [.. (last ?? StagedSet.DefaultLast).SelectMany(PathPattern.Parse)];

    /// <summary>Finds the objects whose targets aren't as they were listed anymore, with what has happened to them.</summary>
    public async IAsyncEnumerable<(T Item, string Change)> ReviewAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        Func<IReadOnlyList<string>, CancellationToken, Task<TreeEntry?[]>> findAsync = pair.Target.StartFinding();
        foreach (T[] batch in read().Chunk(SourceReview.BatchSize))
        {
            Array.Sort(batch, (x, y) => KeyOrder.Instance.Compare(getName(x), getName(y)));
            TreeEntry?[] found = await findAsync([.. batch.Select(getName)], cancellationToken).ConfigureAwait(false);
            for (int i = 0; i < batch.Length; i++)
            {
                if (found[i]?.Error is { } error)
                {
                    throw error;
                }

                if (TargetState.FindChange(getTarget(batch[i]), found[i]) is { } change)
                {
                    yield return (batch[i], change);
                }
            }
        }
    }

    /// <summary>Publishes all objects at the same time, and then those that are last, unless one of the others is left for a later run.</summary>
    /// <param name="publishAsync">Publishes an object.</param>
    /// <param name="hasLeft">Returns whether an object could not be published, and a later run can publish it.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The time from the first request to the last response.</returns>
    public async Task<TimeSpan> PublishAsync(Func<T, CancellationToken, Task> publishAsync, Func<bool> hasLeft, CancellationToken cancellationToken)
    {
        TimeProvider time = pair.Client.Time;
        long began = time.GetTimestamp();
        foreach (bool isLast in _last.Length == 0 ? [false] : new[] { false, true })
        {
            if (isLast && hasLeft())
            {
                break; // the last ones may name it
            }

            ObjectWorkQueue<T> queue = pair.CreateQueue(static _ => 0, publishAsync, Ahead);
            await queue.RunAsync(read().Where(item => IsLast(item) == isLast).ToAsyncEnumerable(), static () => { }, cancellationToken).ConfigureAwait(false);
        }

        return time.GetElapsedTime(began);
    }

    private bool IsLast(T item) => Array.Exists(_last, pattern => pattern.Selects(getName(item)));
}

/// <summary>The defaults of <see cref="StagedSet{T}"/>.</summary>
internal static class StagedSet
{
    /// <summary>What is published last by default: pages refer to the other objects.</summary>
    public static IReadOnlyList<string> DefaultLast { get; } = ["*.html", "*.htm"];
}
