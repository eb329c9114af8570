using System.Net;
using Transfer.S3.Delete;
using Transfer.S3.Download;
using Transfer.S3.Scheduling;
using Transfer.S3.Wire;

namespace Transfer.S3.Sync;

/// <summary>
/// Deletes objects that haven't changed since they were listed, in batches. Each has its ETag as the condition. In a store that rejects such conditions, and for objects
/// without an ETag, each object is looked up immediately before it is deleted.
/// </summary>
/// <param name="run">The synchronization.</param>
/// <param name="prefix">The prefix that the names are relative to.</param>
/// <param name="backup">Keeps each object before it is deleted; null if that isn't wanted.</param>
internal sealed class ObjectRemover(TransferRun run, ObjectAddress prefix, ObjectBackup? backup)
{
    /// <summary>The number of batches in flight. A store deletes the objects of one in parallel.</summary>
    private const int MaxBatches = 8;

    private readonly ObjectDeleter _deleter = new(run, prefix.Bucket, prefix.Access);
    private readonly Lock _telling = new();

    /// <param name="targets">The objects.</param>
    /// <param name="ended">Called for each object, one at a time, with its error; null if it doesn't exist anymore.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task RunAsync(IEnumerable<SyncEntry> targets, Action<SyncEntry, Exception?> ended, CancellationToken cancellationToken)
    {
        ParallelOptions parallel = new() { MaxDegreeOfParallelism = MaxBatches, CancellationToken = cancellationToken };
        await Parallel.ForEachAsync(
            Batches(targets),
            parallel,
            async (listed, stopping) =>
            {
                Batch batch = backup is null ? listed : await KeepAsync(listed, Tell, stopping).ConfigureAwait(false);
                TransferException?[] errors = await _deleter.DeleteAsync(batch.Deletions, stopping).ConfigureAwait(false);
                for (int i = 0; i < errors.Length; i++)
                {
                    TransferException? error = errors[i] is { } refused && IsRefusal(refused) ? await DeleteLookedUpAsync(batch.Entries[i], stopping).ConfigureAwait(false) : errors[i];
                    Tell(batch.Entries[i], error);
                }

                if (batch.Untagged is { } untagged)
                {
                    Tell(untagged, await DeleteLookedUpAsync(untagged, stopping).ConfigureAwait(false));
                }
            }).ConfigureAwait(false);

        void Tell(SyncEntry target, Exception? error)
        {
            lock (_telling)
            {
                ended(target, error);
            }
        }
    }

    /// <summary>Keeps the objects of a batch.</summary>
    /// <returns>The batch without the objects that could not be kept, which are reported.</returns>
    private async Task<Batch> KeepAsync(Batch batch, Action<SyncEntry, Exception?> ended, CancellationToken cancellationToken)
    {
        SyncEntry[] entries = [.. batch.Entries, .. batch.Untagged is { } untagged ? [untagged] : Array.Empty<SyncEntry>()];
        bool[] isKept = new bool[entries.Length];
        ParallelOptions parallel = new() { MaxDegreeOfParallelism = run.Client.Settings.MaxConcurrency, CancellationToken = cancellationToken };
        await Parallel.ForAsync(
            0,
            entries.Length,
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
        return Batches(entries.Where((_, i) => isKept[i])).SingleOrDefault() ?? new Batch(new DeletionBatch(), [], null);
    }

    private IEnumerable<Batch> Batches(IEnumerable<SyncEntry> targets)
    {
        DeletionBatch batch = new();
        List<SyncEntry> entries = [];
        foreach (SyncEntry target in targets)
        {
            if (target.ETag is null || ETags.IsWeak(target.ETag))
            {
                yield return new Batch(new DeletionBatch(), [], target);
                continue;
            }

            ObjectDeletion deletion = new(prefix.Key + target.Name, ETags.Quoted(target.ETag));
            if (!batch.TryAdd(deletion))
            {
                yield return new Batch(batch, entries, null);
                (batch, entries) = (new DeletionBatch(), []);
                batch.TryAdd(deletion);
            }

            entries.Add(target);
        }

        if (entries.Count > 0)
        {
            yield return new Batch(batch, entries, null);
        }
    }

    /// <summary>Looks an object up and deletes it without a condition.</summary>
    /// <returns>The error; null if the object doesn't exist anymore.</returns>
    private async Task<TransferException?> DeleteLookedUpAsync(SyncEntry entry, CancellationToken cancellationToken)
    {
        ObjectAddress address = prefix with { Key = prefix.Key + entry.Name };
        try
        {
            ObjectInfo now = await ObjectLookup.RunAsync(run, address, cancellationToken).ConfigureAwait(false);
            if (now.Length != entry.Length || !ETags.AreSame(now.ETag, entry.ETag))
            {
                return new PreconditionFailedException($"{address} was not deleted, because it was replaced after it was listed.") { Bucket = address.Bucket, Key = address.Key };
            }

            await _deleter.DeleteAsync(new ObjectDeletion(address.Key), cancellationToken).ConfigureAwait(false);
            return null;
        }
        catch (TransferException e)
        {
            return e.IsOfMissingObject ? null : e;
        }
    }

    private static bool IsRefusal(TransferException e)
        => e.StatusCode == HttpStatusCode.NotImplemented || e.ErrorCode is "NotImplemented" or "MalformedXML" or "InvalidArgument" or "InvalidRequest" or "UnsupportedHeader";

    /// <summary>Objects that are deleted with one request.</summary>
    /// <param name="Deletions">The deletions.</param>
    /// <param name="Entries">The objects of the deletions.</param>
    /// <param name="Untagged">An object that can't be in a batch, because it has no ETag; null for none.</param>
    private sealed record Batch(DeletionBatch Deletions, List<SyncEntry> Entries, SyncEntry? Untagged);
}
