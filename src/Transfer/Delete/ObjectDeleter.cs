using System.Net;
using Transfer.S3.Scheduling;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.Delete;

/// <summary>Deletes objects, one at a time or in batches. An object that doesn't exist is deleted, also if it has a condition.</summary>
/// <remarks>
/// <para>
/// So a deletion can be repeated when its response was lost: the store then says that there is no such object. Some stores say that the condition failed instead, so
/// that a HEAD request finds out whether there is another object.
/// </para>
/// <para>A version that doesn't exist is an error, unless an earlier attempt may have deleted it, because a caller can have specified a wrong one.</para>
/// </remarks>
/// <param name="run">The call that the requests belong to.</param>
/// <param name="bucket">The bucket.</param>
/// <param name="access">The access options.</param>
internal sealed class ObjectDeleter(TransferRun run, string bucket, ReadAccess access)
{
    /// <summary>The time for which a store can delete a batch without sending data. Some stores delete the objects one after the other.</summary>
    private static readonly TimeSpan BatchTimeout = TimeSpan.FromMinutes(2);

    private int _rejectsBatches;

    /// <summary>Deletes one object.</summary>
    /// <exception cref="PreconditionFailedException">The object has another ETag.</exception>
    /// <exception cref="TransferException">The object was not deleted, or the store doesn't tell whether it was.</exception>
    public async Task<DeletedObject> DeleteAsync(ObjectDeletion item, CancellationToken cancellationToken)
    {
        ObjectAddress address = GetAddress(item);
        AmbiguousAttempts attempts = new();
        try
        {
            return await run.SendAsync(token => attempts.WatchAsync(() => run.Client.Wire.DeleteObjectAsync(address, item.ETag, token)), cancellationToken).ConfigureAwait(false);
        }
        catch (WireException e)
        {
            return await ErrorOfAsync(item, e, item.VersionId is null || attempts.MayBeDone(e), cancellationToken).ConfigureAwait(false) is { } error
                ? throw error
                : new DeletedObject(item.VersionId, IsDeleteMarker: false);
        }
    }

    /// <summary>Deletes the objects of a batch. Those that the store refuses temporarily are sent again, without the others.</summary>
    /// <returns>The error of each object, in the order of the batch; null for the objects that don't exist anymore.</returns>
    public async Task<TransferException?[]> DeleteAsync(DeletionBatch batch, CancellationToken cancellationToken)
    {
        IReadOnlyList<ObjectDeletion> items = batch.Objects;
        TransferException?[] errors = new TransferException?[items.Count];
        List<int> together = [];
        List<int> alone = [];
        for (int i = 0; i < items.Count; i++)
        {
            (DeletionBatch.Accepts(items[i]) ? together : alone).Add(i);
        }

        if (together.Count == 1 || Volatile.Read(ref _rejectsBatches) != 0 || (together.Count > 0 && !await DeleteTogetherAsync(items, together, errors, cancellationToken).ConfigureAwait(false)))
        {
            alone.AddRange(together);
        }

        ParallelOptions parallel = new() { MaxDegreeOfParallelism = run.Client.Settings.MaxConcurrency, CancellationToken = cancellationToken };
        await Parallel.ForEachAsync(alone, parallel, async (i, stopping) => errors[i] = await TryDeleteAsync(items[i], stopping).ConfigureAwait(false)).ConfigureAwait(false);
        return errors;
    }

    /// <returns>False if the store doesn't support batches.</returns>
    private async Task<bool> DeleteTogetherAsync(IReadOnlyList<ObjectDeletion> items, List<int> indexes, TransferException?[] errors, CancellationToken cancellationToken)
    {
        WireException?[] refused = new WireException?[items.Count];
        List<int> remaining = indexes;
        try
        {
            await run.SendAsync(SendAsync, cancellationToken, BatchTimeout).ConfigureAwait(false);
        }
        catch (WireException e) when (IsUnsupported(e))
        {
            Volatile.Write(ref _rejectsBatches, 1);
            return false;
        }
        catch (WireException e)
        {
            foreach (int i in remaining)
            {
                WireException last = refused[i] ?? e;
                last.Attempts = e.Attempts;
                refused[i] = last;
            }
        }

        foreach (int i in indexes)
        {
            // Versions come from a listing, so one that doesn't exist was deleted in the meantime.
            errors[i] = refused[i] is { } error ? await ErrorOfAsync(items[i], error, isGoneIfMissing: true, cancellationToken).ConfigureAwait(false) : null;
        }

        return true;

        async Task<bool> SendAsync(CancellationToken token)
        {
            ObjectDeletion[] sent = [.. remaining.Select(i => items[i])];
            IReadOnlyList<RefusedDeletion> answers = await run.Client.Wire.DeleteObjectsAsync(bucket, sent, access, token).ConfigureAwait(false);
            Dictionary<(string Key, string? VersionId), int>? places = answers.Count == 0 ? null : remaining.ToDictionary(i => (items[i].Key, items[i].VersionId));
            remaining.ForEach(i => refused[i] = null);
            List<int> again = [];
            WireException? temporary = null;
            foreach (RefusedDeletion answer in answers)
            {
                if (!places!.TryGetValue((answer.Key, answer.VersionId), out int i) && !places.TryGetValue((answer.Key, null), out i))
                {
                    throw new WireException(FailureKind.Transient, $"the store did not delete '{answer.Key}', which was not requested: {answer.Error.Message}");
                }

                refused[i] = answer.Error;
                if (answer.Error.MayRetry)
                {
                    again.Add(i);
                    temporary = temporary is { IsThrottling: true } ? temporary : answer.Error; // if one of them was throttled, all wait as for that
                }
            }

            remaining = again;
            return temporary is null ? true : throw temporary;
        }
    }

    private async Task<TransferException?> TryDeleteAsync(ObjectDeletion item, CancellationToken cancellationToken)
    {
        try
        {
            await DeleteAsync(item, cancellationToken).ConfigureAwait(false);
            return null;
        }
        catch (TransferException e)
        {
            return e;
        }
    }

    /// <summary>Converts the error of a deletion; null if the object doesn't exist.</summary>
    private async Task<TransferException?> ErrorOfAsync(ObjectDeletion item, WireException e, bool isGoneIfMissing, CancellationToken cancellationToken)
    {
        if (isGoneIfMissing && e.ErrorCode is "NoSuchKey" or "NoSuchVersion")
        {
            return null;
        }

        ObjectAddress address = GetAddress(item);
        if (e.Kind != FailureKind.PreconditionFailed || item.ETag is null)
        {
            return Failures.Create(address, "delete the object", null, e);
        }

        return await IsAbsentAsync(address, cancellationToken).ConfigureAwait(false)
            ? null
            : new PreconditionFailedException($"{address} was not deleted: its ETag is not {item.ETag}.", address, e);
    }

    private async Task<bool> IsAbsentAsync(ObjectAddress address, CancellationToken cancellationToken)
    {
        try
        {
            return await PresenceLookup.RunAsync(run, address, cancellationToken).ConfigureAwait(false) == ObjectPresence.Absent;
        }
        catch (WireException)
        {
            return false; // the condition failed, and that is what is known
        }
    }

    private ObjectAddress GetAddress(ObjectDeletion item) => new(bucket, item.Key, item.VersionId, access);

    private static bool IsUnsupported(WireException e)
        => e.StatusCode is HttpStatusCode.NotImplemented or HttpStatusCode.MethodNotAllowed || e.ErrorCode is "NotImplemented" or "MethodNotAllowed";
}
