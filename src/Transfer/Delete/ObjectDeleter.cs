using Transfer.S3.Download;
using Transfer.S3.Requests;
using Transfer.S3.Stores;
using Transfer.S3.Upload;
using Transfer.S3.Wire;
using Failures = Transfer.S3.Upload.Failures;

namespace Transfer.S3.Delete;

/// <summary>
/// Deletes objects, one at a time or in batches: the only place that does. If a deletion was decided on a state of the object, another state is never deleted. An object
/// that doesn't exist is deleted, also if it has a condition.
/// </summary>
/// <remarks>
/// <para>
/// The state is a condition of the request (Amazon S3 User Guide, "Conditional deletes"). Many stores ignore or refuse that condition. So unless a store is known to
/// honor it, and for states without an ETag, each object is also looked up immediately before.
/// </para>
/// <para>
/// A deletion can be repeated when its response was lost: the store then says that there is no such object. Some stores say that the condition failed instead, so
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

    /// <summary>Gets the requests that delete one object in a known state.</summary>
    /// <param name="profile">What is known about the store.</param>
    /// <param name="bucket">The bucket.</param>
    /// <param name="looksUp">Whether it is looked up also if the store honors conditions.</param>
    public static StoreUsage Estimate(StoreProfile profile, string bucket, bool looksUp = false)
        => RequestKind.DeleteObject.ToUsage() + (looksUp || profile.GetSupport(StoreTrait.DeleteMatch, bucket) != StoreSupport.Supported ? RequestKind.HeadObject.ToUsage() : default);

    /// <summary>Gets the requests that delete objects together.</summary>
    /// <param name="profile">What is known about the store.</param>
    /// <param name="bucket">The bucket.</param>
    /// <param name="count">The number of objects, at most <see cref="DeletionBatch.MaxObjects"/>.</param>
    /// <param name="isBound">Whether only the state that was listed is deleted.</param>
    public static StoreUsage Estimate(StoreProfile profile, string bucket, int count, bool isBound)
    {
        StoreUsage one = isBound ? Estimate(profile, bucket) : RequestKind.DeleteObject.ToUsage();
        return count == 1 || profile.GetSupport(StoreTrait.BatchDelete, StoreProfile.EveryBucket) == StoreSupport.Refused ? one * count
            : RequestKind.DeleteObjects.ToUsage() + (isBound && profile.GetSupport(StoreTrait.BatchDeleteMatch, bucket) != StoreSupport.Supported ? ObjectFinder.Estimate(count) : default);
    }

    /// <summary>Deletes one object.</summary>
    /// <param name="item">The object.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <param name="check">Returns why the object isn't deleted as it is now; null for no other check than that of its state.</param>
    /// <exception cref="TransferException">The object is in another state (<see cref="TransferError.PreconditionFailed"/>).</exception>
    /// <exception cref="TransferException">The object was not deleted, or the store doesn't tell whether it was.</exception>
    public async Task<DeletedObject> DeleteAsync(ObjectDeletion item, CancellationToken cancellationToken, Func<ObjectInfo, TransferException?>? check = null)
    {
        StoreSupport support = GetSupport(StoreTrait.DeleteMatch);
        bool looksUp = check is not null || (item.IsBound && (item.IfMatch is null || support != StoreSupport.Supported));
        bool isSent = item.IfMatch is not null && support != StoreSupport.Refused;
        try
        {
            return await SendAsync(item, looksUp, isSent, check, cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException e) when (isSent && Refusals.IsOfValue(e.StatusCode, e.ErrorCode))
        {
            Learn(StoreTrait.DeleteMatch, StoreSupport.Refused, e.Message);
            return await SendAsync(item, looksUp: true, isSent: false, check, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Deletes objects. Those that the store refuses temporarily are sent again, without the others.</summary>
    /// <param name="items">The objects, each at most once: as many as one request can delete, or more.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>The error of each object, in the same order; null for the objects that don't exist anymore.</returns>
    public async Task<TransferException?[]> DeleteAsync(IReadOnlyList<ObjectDeletion> items, CancellationToken cancellationToken)
    {
        TransferException?[] errors = new TransferException?[items.Count];
        List<int> alone = [];
        foreach (List<int> batch in Divide(items, alone))
        {
            alone.AddRange(batch.Count == 1 ? batch : await DeleteTogetherAsync(items, batch, errors, cancellationToken).ConfigureAwait(false));
        }

        ParallelOptions parallel = new() { MaxDegreeOfParallelism = run.Client.Settings.MaxConcurrency, CancellationToken = cancellationToken };
        await Parallel.ForEachAsync(alone, parallel, async (i, stopping) => errors[i] = await TryDeleteAsync(items[i], stopping).ConfigureAwait(false)).ConfigureAwait(false);
        return errors;
    }

    /// <summary>Divides objects into batches, and those that can't be in one.</summary>
    private static List<List<int>> Divide(IReadOnlyList<ObjectDeletion> items, List<int> alone)
    {
        List<List<int>> batches = [];
        DeletionBatch? batch = null;
        for (int i = 0; i < items.Count; i++)
        {
            if (!DeletionBatch.Accepts(items[i]))
            {
                alone.Add(i);
                continue;
            }

            if (batch?.TryAdd(items[i]) is not true)
            {
                batches.Add([]);
                batch = new DeletionBatch();
                batch.TryAdd(items[i]);
            }

            batches[^1].Add(i);
        }

        return batches;
    }

    /// <summary>Deletes objects with one request.</summary>
    /// <param name="items">All objects.</param>
    /// <param name="indexes">Those to delete.</param>
    /// <param name="errors">Receives the errors.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <returns>
    /// Those that have to be deleted one by one: if the store doesn't support batches or their conditions, or because a lookup is too old when a request has to be sent
    /// again.
    /// </returns>
    private async Task<IReadOnlyList<int>> DeleteTogetherAsync(IReadOnlyList<ObjectDeletion> items, List<int> indexes, TransferException?[] errors, CancellationToken cancellationToken)
    {
        if (run.Client.Profile.GetSupport(StoreTrait.BatchDelete, StoreProfile.EveryBucket) == StoreSupport.Refused)
        {
            return indexes;
        }

        StoreSupport support = GetSupport(StoreTrait.BatchDeleteMatch);
        int[] uncertain = [.. indexes.Where(i => items[i].IsBound && (items[i].IfMatch is null || support != StoreSupport.Supported))];
        List<int> remaining = uncertain.Length == 0 ? indexes : await LookUpAsync(items, indexes, uncertain, errors, cancellationToken).ConfigureAwait(false);
        if (remaining.Count == 0)
        {
            return [];
        }

        List<int> sent = remaining;
        bool isSent = support != StoreSupport.Refused;
        bool isFirst = true;
        WireException?[] refused = new WireException?[items.Count];
        try
        {
            await run.SendAsync(SendAsync, cancellationToken, BatchTimeout).ConfigureAwait(false);
        }
        catch (WireException e) when (Refusals.IsOfOperation(e.StatusCode, e.ErrorCode))
        {
            run.Client.Profile.Learn(StoreTrait.BatchDelete, StoreProfile.EveryBucket, StoreSupport.Refused, e.Message);
            return remaining;
        }
        catch (WireException e)
        {
            foreach (int i in remaining)
            {
                WireException last = refused[i] ?? e;
                last.Attempts = e.Attempts;
                refused[i] = last;
            }

            remaining = [];
        }

        List<int> alone = remaining;
        foreach (int i in sent.Except(remaining))
        {
            // Versions come from a listing, so one that doesn't exist was deleted in the meantime.
            errors[i] = refused[i] is { } error
                ? await ErrorOfAsync(items[i], error, StoreTrait.BatchDeleteMatch, isGoneIfMissing: true, cancellationToken).ConfigureAwait(false)
                : null;
            if (isSent && items[i].IfMatch is not null && errors[i] is { } refusal && Refusals.IsOfValue(refusal.StatusCode, refusal.ErrorCode))
            {
                Learn(StoreTrait.BatchDeleteMatch, StoreSupport.Refused, refusal.Message);
                errors[i] = null;
                alone.Add(i);
            }
        }

        return alone;

        async Task<bool> SendAsync(CancellationToken token)
        {
            if (!isFirst && uncertain.Length > 0)
            {
                return true; // the rest is looked up again
            }

            isFirst = false;
            ObjectDeletion[] batch = [.. remaining.Select(i => isSent ? items[i] : items[i].Unbound)];
            IReadOnlyList<RefusedDeletion> answers = await run.Client.Wire.DeleteObjectsAsync(bucket, batch, access, token).ConfigureAwait(false);
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

    /// <summary>Looks objects up immediately before they are deleted.</summary>
    /// <returns>The objects to delete, without those that are in another state, or that don't exist.</returns>
    private async Task<List<int>> LookUpAsync(IReadOnlyList<ObjectDeletion> items, List<int> indexes, int[] uncertain, TransferException?[] errors, CancellationToken cancellationToken)
    {
        Array.Sort(uncertain, (x, y) => KeyOrder.Instance.Compare(items[x].Key, items[y].Key));
        string[] keys = [.. uncertain.Select(i => items[i].Key)];
        FoundObject[] found = await new ObjectFinder(run, new ObjectAddress(bucket, GetCommonPrefix(keys[0], keys[^1]), null, access)).FindAsync(keys, cancellationToken).ConfigureAwait(false);
        HashSet<int> ended = [];
        foreach ((int i, FoundObject one) in uncertain.Zip(found))
        {
            errors[i] = one.Error is { } error ? NotLookedUp(items[i], error)
                : one.Object is { } now && !items[i].Matches(now.Length, now.ETag, now.LastModified) ? Replaced(items[i], now.ETag)
                : null;
            if (errors[i] is not null || one.Object is null)
            {
                ended.Add(i);
            }
        }

        return [.. indexes.Where(i => !ended.Contains(i))];
    }

    /// <summary>Gets what two keys begin with. Half of a surrogate pair would be another character in the request, and the store would list nothing.</summary>
    private static string GetCommonPrefix(string one, string other)
    {
        int length = one.AsSpan().CommonPrefixLength(other);
        return one[..(length > 0 && char.IsHighSurrogate(one[length - 1]) ? length - 1 : length)];
    }

    /// <summary>Deletes one object.</summary>
    /// <param name="item">The object.</param>
    /// <param name="looksUp">Whether it is looked up before: in each attempt, because an earlier one may have deleted it.</param>
    /// <param name="isSent">Whether its condition is sent.</param>
    /// <param name="check">Returns why the object isn't deleted as it is now; null for no other check than that of its state.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    private async Task<DeletedObject> SendAsync(
        ObjectDeletion item, bool looksUp, bool isSent, Func<ObjectInfo, TransferException?>? check, CancellationToken cancellationToken)
    {
        ObjectAddress address = GetAddress(item);
        AmbiguousAttempts attempts = new();
        bool isLookup = false;
        try
        {
            return await run.SendAsync(SendOnceAsync, cancellationToken).ConfigureAwait(false);
        }
        catch (WireException e) when (isLookup)
        {
            throw NotLookedUp(item, Failures.Create(address, "read the headers", null, e));
        }
        catch (WireException e)
        {
            return await ErrorOfAsync(isSent ? item : item.Unbound, e, StoreTrait.DeleteMatch, item.VersionId is null || attempts.MayBeDone(e), cancellationToken).ConfigureAwait(false) is { } error
                ? throw error
                : new DeletedObject(item.VersionId, IsDeleteMarker: false);
        }

        async Task<DeletedObject> SendOnceAsync(CancellationToken token)
        {
            isLookup = looksUp;
            if (looksUp && !await ExistsAsync(item, check, token).ConfigureAwait(false))
            {
                return new DeletedObject(item.VersionId, IsDeleteMarker: false);
            }

            isLookup = false;
            return await attempts.WatchAsync(run.Client.Wire.DeleteObjectAsync(address, isSent ? item.IfMatch : null, token)).ConfigureAwait(false);
        }
    }

    private async Task<TransferException?> TryDeleteAsync(ObjectDeletion item, CancellationToken cancellationToken)
    {
        try
        {
            await DeleteAsync(item, cancellationToken).ConfigureAwait(false);
            return null;
        }
        catch (TransferException e) when (e.Error != TransferError.LimitReached)
        {
            return e;
        }
    }

    /// <summary>Looks an object up, as part of an attempt to delete it.</summary>
    /// <returns>False if it doesn't exist.</returns>
    /// <exception cref="TransferException">The object is in another state (<see cref="TransferError.PreconditionFailed"/>).</exception>
    private async Task<bool> ExistsAsync(ObjectDeletion item, Func<ObjectInfo, TransferException?>? check, CancellationToken cancellationToken)
    {
        try
        {
            ObjectInfo now = (await run.Client.Wire.HeadAsync(GetAddress(item), cancellationToken).ConfigureAwait(false)).Info;
            return !item.Matches(now.Length, now.ETag, now.LastModified) ? throw Replaced(item, now.ETag)
                : check?.Invoke(now) is { } error ? throw error
                : true;
        }
        catch (WireException e) when (ErrorKinds.IsOfMissingObject(e.StatusCode, e.ErrorCode))
        {
            return false;
        }
    }

    /// <summary>Converts the error of a deletion; null if the object doesn't exist.</summary>
    private async Task<TransferException?> ErrorOfAsync(ObjectDeletion item, WireException e, StoreTrait trait, bool isGoneIfMissing, CancellationToken cancellationToken)
    {
        if (isGoneIfMissing && e.ErrorCode is "NoSuchKey" or "NoSuchVersion")
        {
            return null;
        }

        ObjectAddress address = GetAddress(item);
        if (e.Kind != FailureKind.PreconditionFailed || item.IfMatch is null)
        {
            return Failures.Create(address, "delete the object", null, e);
        }

        if (await IsAbsentAsync(address, cancellationToken).ConfigureAwait(false))
        {
            return null; // which tells nothing about objects that are there
        }

        Learn(trait, StoreSupport.Supported);
        return new TransferException($"{address} was not deleted: its ETag is not {item.IfMatch}.", address, e) { Error = TransferError.PreconditionFailed };
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

    private TransferException Replaced(ObjectDeletion item, string? etag)
    {
        string difference = ETags.AreSame(item.ETag, etag) ? "it was replaced after its deletion was decided" : $"its ETag is not {ETags.Quoted(item.ETag!)}";
        return new TransferException($"{GetAddress(item)} was not deleted: {difference}.") { Error = TransferError.PreconditionFailed, Bucket = bucket, Key = item.Key };
    }

    private TransferException NotLookedUp(ObjectDeletion item, TransferException e)
        => new($"{GetAddress(item)} was not deleted, because it could not be looked up, and the store isn't known to check the condition of a deletion: {e.Message}", GetAddress(item), e);

    private ObjectAddress GetAddress(ObjectDeletion item) => new(bucket, item.Key, item.VersionId, access);

    private StoreSupport GetSupport(StoreTrait trait) => run.Client.Profile.GetSupport(trait, bucket);

    private void Learn(StoreTrait trait, StoreSupport support, string reason = "") => run.Client.Profile.Learn(trait, bucket, support, reason);
}
