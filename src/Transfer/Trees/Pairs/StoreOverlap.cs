using Transfer.S3.Delete;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>Refuses to synchronize a prefix with itself, with what is under it, or with what it is under.</summary>
internal static class StoreOverlap
{
    /// <summary>Checks what the addresses tell.</summary>
    /// <exception cref="ArgumentException">Thrown when the prefixes overlap.</exception>
    public static void Check(StorePairing pair)
    {
        if (pair.IsSameStore && Exists(pair))
        {
            throw new ArgumentException($"{pair.From.Name} and {pair.To.Name} overlap. A prefix can't be synchronized with itself, with what is under it, or with what it is under.");
        }
    }

    /// <summary>Checks that buckets of the same name in stores with different addresses are different buckets, if the prefixes would overlap otherwise.</summary>
    /// <exception cref="TransferException">Thrown when they aren't, or when the store doesn't tell.</exception>
    public static async Task CheckAsync(StorePairing pair, CancellationToken cancellationToken)
    {
        // An object is in both buckets with the same ETag and date only if they are the same. So the first one of each side is looked up on the other. The second look
        // is for the case that the first object was replaced at that moment.
        if (Exists(pair)
            && (await IsOnOtherAsync(pair.From, pair.To, cancellationToken).ConfigureAwait(false) || await IsOnOtherAsync(pair.To, pair.From, cancellationToken).ConfigureAwait(false)))
        {
            throw new TransferException(
                $"{pair.From.Name} and {pair.To.Name} overlap: both stores have an object with the same key, ETag, and date, so they are the same store under two names.")
            {
                Error = TransferError.Overlap,
                Bucket = pair.To.Address.Bucket,
                Key = pair.To.Address.Key,
            };
        }
    }

    private static bool Exists(StorePairing pair) => pair.From.Address.Bucket == pair.To.Address.Bucket && Overlap.Exists(pair.From.Address.Key, pair.To.Address.Key);

    private static async Task<bool> IsOnOtherAsync(StoreSide here, StoreSide there, CancellationToken cancellationToken)
    {
        ListQuery query = here.Query;
        IAsyncEnumerator<ListedObject> first = ObjectListing.ReadAsync(here.Run, query, item => throw ObjectListing.NotUnder(query, item), cancellationToken).GetAsyncEnumerator(cancellationToken);
        await using (first.ConfigureAwait(false))
        {
            if (!await first.MoveNextAsync().ConfigureAwait(false))
            {
                return false;
            }

            bool has = await SameBucket.HasAsync(there.Run, there.Address, first.Current, cancellationToken).ConfigureAwait(false)
                ?? throw new TransferException(
                    $"{here.Name} and {there.Name} overlap if they are the same store under two names, and the other store doesn't tell. Allow HEAD requests, or use another bucket or prefix.")
                {
                    Bucket = there.Address.Bucket,
                    Key = there.Address.Key,
                };
            return has && (here.Address.Key != there.Address.Key || await AreListedAlikeAsync(here.Run, there.Run, query, cancellationToken).ConfigureAwait(false));
        }
    }

    /// <summary>
    /// Returns whether two stores list the same objects with the same times on their first pages. A single object that was copied within a second looks the same in both
    /// stores, so it alone must not prevent that a mirror is updated. Nothing is lost if the prefixes are the same and the stores are, too, because all objects are.
    /// </summary>
    private static async Task<bool> AreListedAlikeAsync(TransferRun here, TransferRun there, ListQuery query, CancellationToken cancellationToken)
    {
        Page<ListedObject> one = await ObjectListing.RequestPageAsync(here, query, null, cancellationToken).ConfigureAwait(false);
        Page<ListedObject> other = await ObjectListing.RequestPageAsync(there, query, null, cancellationToken).ConfigureAwait(false);
        return one.Items.Select(static item => (item.Key, item.Length, item.LastModified)).SequenceEqual(other.Items.Select(static item => (item.Key, item.Length, item.LastModified)));
    }
}
