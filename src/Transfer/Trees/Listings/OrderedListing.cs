using System.Runtime.CompilerServices;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>
/// Lists the objects under a prefix in the order of the bytes of their keys. Stores list keys in that order; if one doesn't, an exception is thrown.
/// </summary>
internal static class OrderedListing
{
    public static IAsyncEnumerable<ListedObject> ReadAsync(TransferRun run, ListQuery query, PathFilter filter, Action<ListedObject> outside, CancellationToken cancellationToken)
    {
        IAsyncEnumerable<ListedObject> listed = SelectedListing.ReadAsync(run, query, filter, query.Prefix.Length, outside, cancellationToken);
        return PageRules.GetObjects(query.Bucket).IsOrdered ? CheckAsync(query.Bucket, listed, cancellationToken) : SortAsync(listed, cancellationToken);
    }

    /// <summary>Sorts the listing of a directory bucket, which has no order (Amazon S3 API Reference, "ListObjectsV2"), so all of it must be in memory.</summary>
    private static async IAsyncEnumerable<ListedObject> SortAsync(IAsyncEnumerable<ListedObject> listed, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        List<ListedObject> all = [];
        await foreach (ListedObject item in listed.WithCancellation(cancellationToken).ConfigureAwait(false))
        {
            all.Add(item);
        }

        all.Sort(static (x, y) => KeyOrder.Instance.Compare(x.Key, y.Key));
        foreach (ListedObject item in all)
        {
            yield return item;
        }
    }

    private static async IAsyncEnumerable<ListedObject> CheckAsync(
        string bucket, IAsyncEnumerable<ListedObject> listed, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        string? last = null;
        await foreach (ListedObject item in listed.WithCancellation(cancellationToken).ConfigureAwait(false))
        {
            if (last is not null && KeyOrder.Instance.Compare(item.Key, last) <= 0)
            {
                throw new TransferException(
                    $"s3://{bucket} can't be compared with a directory: the store does not list keys in the order of their UTF-8 bytes ('{item.Key}' follows '{last}').")
                {
                    Bucket = bucket,
                    Key = item.Key,
                };
            }

            yield return item;
            last = item.Key;
        }
    }
}
