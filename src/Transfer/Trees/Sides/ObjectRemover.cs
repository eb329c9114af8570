using Transfer.S3.Delete;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>Deletes objects that haven't changed since they were listed, in batches.</summary>
/// <param name="run">The synchronization.</param>
/// <param name="prefix">The prefix that the names are relative to.</param>
/// <param name="backup">Keeps each object before it is deleted; null if that isn't wanted.</param>
/// <param name="review">Looks at the source before objects are deleted; null if that isn't wanted.</param>
internal sealed class ObjectRemover(TransferRun run, ObjectAddress prefix, ObjectBackup? backup, SourceReview? review)
{
    /// <summary>The number of batches in flight. A store deletes the objects of one in parallel.</summary>
    private const int MaxBatches = 8;

    private readonly ObjectDeleter _deleter = new(run, prefix.Bucket, prefix.Access);
    private readonly Lock _telling = new();

    /// <param name="targets">The objects.</param>
    /// <param name="ended">Called for each object, one at a time, with its error; null if it doesn't exist anymore.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task RunAsync(IEnumerable<TreeEntry> targets, Action<TreeEntry, Exception?> ended, CancellationToken cancellationToken)
    {
        ParallelOptions parallel = new() { MaxDegreeOfParallelism = MaxBatches, CancellationToken = cancellationToken };
        await Parallel.ForEachAsync(
            targets.Chunk(SourceReview.BatchSize),
            parallel,
            async (listed, stopping) =>
            {
                IReadOnlyList<TreeEntry> entries = listed;
                if (review is not null)
                {
                    entries = await review.RunAsync(entries, Tell, stopping).ConfigureAwait(false);
                }

                if (backup is not null)
                {
                    entries = await KeepAsync(entries, Tell, stopping).ConfigureAwait(false);
                }

                TransferException?[] errors = await _deleter.DeleteAsync([.. entries.Select(ToDeletion)], stopping).ConfigureAwait(false);
                for (int i = 0; i < errors.Length; i++)
                {
                    Tell(entries[i], errors[i]);
                }
            }).ConfigureAwait(false);

        void Tell(TreeEntry target, Exception? error)
        {
            lock (_telling)
            {
                ended(target, error);
            }
        }
    }

    private ObjectDeletion ToDeletion(TreeEntry entry) => new(prefix.Key + entry.Name, entry.ETag)
    {
        Length = entry.Length,
        LastModified = entry.LastWrite == 0 ? null : new DateTimeOffset(entry.LastWrite, TimeSpan.Zero),
    };

    /// <summary>Keeps objects.</summary>
    /// <returns>The objects without those that could not be kept, which are reported.</returns>
    private async Task<IReadOnlyList<TreeEntry>> KeepAsync(IReadOnlyList<TreeEntry> entries, Action<TreeEntry, Exception?> ended, CancellationToken cancellationToken)
    {
        bool[] isKept = new bool[entries.Count];
        ParallelOptions parallel = new() { MaxDegreeOfParallelism = run.Client.Settings.MaxConcurrency, CancellationToken = cancellationToken };
        await Parallel.ForAsync(
            0,
            entries.Count,
            parallel,
            async (i, stopping) =>
            {
                try
                {
                    await backup!.RunAsync(run, entries[i], stopping).ConfigureAwait(false);
                    isKept[i] = true;
                }
                catch (TransferException e)
                {
                    // What doesn't exist anymore has neither a backup nor to be deleted.
                    ended(entries[i], e.IsOfMissingObject ? null : e);
                }
            }).ConfigureAwait(false);
        return [.. entries.Where((_, i) => isKept[i])];
    }
}
