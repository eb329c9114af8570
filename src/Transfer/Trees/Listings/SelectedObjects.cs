using System.Runtime.CompilerServices;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>Finds the objects of a call: in the listing of a prefix, or in a list of keys, which takes no request.</summary>
internal static class SelectedObjects
{
    /// <param name="run">The transfer.</param>
    /// <param name="query">The prefix.</param>
    /// <param name="keys">The keys; null to list the objects.</param>
    /// <param name="filter">The filter, with which a listing skips folders. The caller still selects the objects.</param>
    /// <param name="folderLength">The length of the part of each key that the filter doesn't see.</param>
    /// <param name="outside">Receives each object whose key doesn't begin with the prefix.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static IAsyncEnumerable<SelectedObject> ReadAsync(
        TransferRun run, ListQuery query, IAsyncEnumerable<ObjectKey>? keys, PathFilter filter, int folderLength, Action<ListedObject> outside, CancellationToken cancellationToken)
        => keys is null
            ? SelectedListing.ReadAsync(run, query, filter, folderLength, outside, cancellationToken).Select(static listed => new SelectedObject(listed, HasLength: true))
            : ReadListAsync(query, keys, takesVersions: false, outside, cancellationToken);

    /// <summary>Gets a list of keys about whose objects nothing is known; null if there is no list.</summary>
    public static IAsyncEnumerable<ObjectKey>? AsKeysAsync(IAsyncEnumerable<string>? keys) => keys?.Select(static key => new ObjectKey { Key = key });

    /// <summary>Validates the options of a call that has a list of keys.</summary>
    /// <param name="hasKeys">Whether there is a list; otherwise, the objects are listed.</param>
    /// <param name="filter">The filter of the call.</param>
    /// <param name="asOf">The time of the call.</param>
    public static void Check(bool hasKeys, ObjectFilter? filter, DateTimeOffset? asOf)
    {
        if (hasKeys && asOf is not null)
        {
            throw new ArgumentException("Keys can't be combined with a time, because the versions of that time are found by listing the prefix.", nameof(asOf));
        }

        if (hasKeys && filter is not null
            and not { MinSizeBytes: null, MaxSizeBytes: null, ModifiedSince: null, ModifiedBefore: null, StorageClasses.Count: 0 })
        {
            throw new ArgumentException("Keys can't be combined with a filter by size, time, or storage class, because a list of keys may not contain them.", nameof(filter));
        }
    }

    /// <summary>Gets the outcome of an object that the store listed, or a list contains, although it isn't under the prefix.</summary>
    /// <param name="query">The prefix.</param>
    /// <param name="item">The object.</param>
    /// <param name="isInList">Whether it comes from a list of keys.</param>
    public static Outcome NotUnder(ListQuery query, ListedObject item, bool isInList) => new()
    {
        Status = OutcomeStatus.Failed,
        Name = item.Key,
        Bytes = item.Length,
        From = new Place { Bucket = query.Bucket, Prefix = string.Empty },
        Error = isInList ? NotInPrefix(query, item) : ObjectListing.NotUnder(query, item),
    };

    /// <summary>Gets the error for a key of a list that doesn't begin with the prefix.</summary>
    public static TransferException NotInPrefix(ListQuery query, ListedObject item)
        => new($"{new ObjectAddress(query.Bucket, item.Key)} is in the list of keys, but is not under '{query.Prefix}'.") { Bucket = query.Bucket, Key = item.Key };

    /// <summary>Reads a list of keys.</summary>
    /// <param name="query">The prefix.</param>
    /// <param name="keys">The keys.</param>
    /// <param name="takesVersions">Whether the list can name versions.</param>
    /// <param name="outside">Receives each object whose key doesn't begin with the prefix.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static async IAsyncEnumerable<SelectedObject> ReadListAsync(
        ListQuery query, IAsyncEnumerable<ObjectKey> keys, bool takesVersions, Action<ListedObject> outside, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        string? last = null;
        await foreach (ObjectKey listed in keys.WithCancellation(cancellationToken).ConfigureAwait(false))
        {
            // A request for an empty key would be one for the bucket.
            if (listed is not { Key: { Length: > 0 } key })
            {
                throw new TransferException($"The list of keys for {new ObjectAddress(query.Bucket, query.Prefix)} contains an empty key.") { Bucket = query.Bucket, Key = query.Prefix };
            }

            if (key == last && !takesVersions)
            {
                continue;
            }

            last = key;
            if (listed.Length < 0)
            {
                throw new TransferException($"The list of keys contains the impossible size {listed.Length} for {new ObjectAddress(query.Bucket, key)}.") { Bucket = query.Bucket, Key = key };
            }

            if (listed.VersionId is { } version && !takesVersions)
            {
                throw new TransferException($"The list of keys names the version '{version}' of {new ObjectAddress(query.Bucket, key)}, and only the plan of a job can have versions.") { Bucket = query.Bucket, Key = key };
            }

            ListedObject item = new() { Key = key, Length = listed.Length ?? 0, ETag = listed.ETag, VersionId = listed.VersionId };
            if (key.StartsWith(query.Prefix, StringComparison.Ordinal))
            {
                yield return new SelectedObject(item, HasLength: listed.Length is not null);
            }
            else
            {
                outside(item);
            }
        }
    }
}
