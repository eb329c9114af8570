using System.Runtime.CompilerServices;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Directories;

/// <summary>Finds the objects of a call: in the listing of a prefix, or in a list of keys, which takes no request.</summary>
/// <remarks>An object of a list has no size, ETag, or time. Its length is 0, and callers that need to know use the list itself to tell that it is unknown.</remarks>
internal static class SelectedObjects
{
    /// <param name="run">The transfer.</param>
    /// <param name="query">The prefix.</param>
    /// <param name="keys">The keys; null to list the objects.</param>
    /// <param name="filter">The filter, with which a listing skips folders. The caller still selects the objects.</param>
    /// <param name="folderLength">The length of the part of each key that the filter doesn't see.</param>
    /// <param name="outside">Receives each object whose key doesn't begin with the prefix.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static IAsyncEnumerable<ListedObject> ReadAsync(
        TransferRun run, ListQuery query, IAsyncEnumerable<string>? keys, PathFilter filter, int folderLength, Action<ListedObject> outside, CancellationToken cancellationToken)
        => keys is null
            ? SelectedListing.ReadAsync(run, query, filter, folderLength, outside, cancellationToken)
            : ReadAsync(query, keys, outside, cancellationToken);

    /// <summary>Validates the options of a call that has a list of keys.</summary>
    /// <param name="keys">The keys; null if the objects are listed.</param>
    /// <param name="filter">The filter of the call.</param>
    public static void Check(IAsyncEnumerable<string>? keys, ObjectFilter? filter)
    {
        if (keys is not null && filter is not null
            and not { MinSizeBytes: null, MaxSizeBytes: null, ModifiedSince: null, ModifiedBefore: null, StorageClasses.Count: 0 })
        {
            throw new ArgumentException("Keys can't be combined with a filter by size, time, or storage class, because a list of keys doesn't contain them.", nameof(filter));
        }
    }

    /// <summary>Gets the error for a key of a list that doesn't begin with the prefix.</summary>
    public static TransferException NotUnder(ListQuery query, ListedObject item)
        => new($"{new ObjectAddress(query.Bucket, item.Key)} is in the list of keys, but is not under '{query.Prefix}'.") { Bucket = query.Bucket, Key = item.Key };

    private static async IAsyncEnumerable<ListedObject> ReadAsync(
        ListQuery query, IAsyncEnumerable<string> keys, Action<ListedObject> outside, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        string? last = null;
        await foreach (string key in keys.WithCancellation(cancellationToken).ConfigureAwait(false))
        {
            // A request for an empty key would be one for the bucket.
            if (string.IsNullOrEmpty(key))
            {
                throw new TransferException($"The list of keys for {new ObjectAddress(query.Bucket, query.Prefix)} contains an empty key.") { Bucket = query.Bucket, Key = query.Prefix };
            }

            if (key == last)
            {
                continue;
            }

            last = key;
            ListedObject item = new(key, 0, null, null);
            if (key.StartsWith(query.Prefix, StringComparison.Ordinal))
            {
                yield return item;
            }
            else
            {
                outside(item);
            }
        }
    }
}
