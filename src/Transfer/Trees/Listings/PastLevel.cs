using System.Runtime.CompilerServices;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Trees;

/// <summary>
/// Lists one level of versions, or of the objects of a time. A store with a delimiter would also return prefixes below which everything was deleted, so all levels are listed, and the
/// listing continues behind a prefix after its first object.
/// </summary>
internal static class PastLevel
{
    /// <param name="run">The transfer.</param>
    /// <param name="query">The objects to list, at all levels.</param>
    /// <param name="delimiter">The delimiter that ends a level.</param>
    /// <param name="outside">Receives each object that the store lists although its key doesn't begin with the prefix.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static async IAsyncEnumerable<ListedObject> ReadAsync(
        TransferRun run, ListQuery query, string delimiter, Action<ListedObject> outside, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        string? last = null;
        await foreach (ListedObject item in SelectedListing.ReadAsync(run, query, GetPrefix, outside, cancellationToken).ConfigureAwait(false))
        {
            string? prefix = GetPrefix(item.Key);
            if (prefix is null)
            {
                yield return item;
            }
            else if (prefix != last)
            {
                yield return new ListedObject { Key = prefix, Length = 0, IsPrefix = true };
                last = prefix;
            }
        }

        string? GetPrefix(string key)
        {
            int end = key.IndexOf(delimiter, query.Prefix.Length, StringComparison.Ordinal);
            return end < 0 ? null : key[..(end + delimiter.Length)];
        }
    }
}
