using System.Runtime.CompilerServices;
using Transfer.S3.Download;
using Transfer.S3.Trees;
using Transfer.S3.Wire;

namespace Transfer.S3.Jobs;

/// <summary>
/// Finds both sides of what a list of keys selects, in the order of the names. The source isn't listed: the list tells sizes and ETags, and objects of which it tells
/// only one or none are looked up.
/// </summary>
/// <param name="sync">The sides.</param>
/// <param name="source">The source.</param>
internal sealed class KeySides(Pairing sync, StoreSide source)
{
    /// <summary>The number of names for which both sides are found at the same time: as many as a page of a listing has.</summary>
    private const int BatchSize = 1000;

    private const int MaxLookups = 32;

    private const long UnknownLength = -1;

    public async IAsyncEnumerable<(TreeEntry Source, TreeEntry? Target)> ReadAsync(IAsyncEnumerable<ObjectKey> keys, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        ListQuery query = source.Query;
        using EntrySort sort = new(source.Client.Settings.StateDirectory);
        await foreach ((ListedObject item, bool hasLength) in SelectedObjects
            .ReadListAsync(query, keys, takesVersions: true, one => throw SelectedObjects.NotInPrefix(query, one), cancellationToken).ConfigureAwait(false))
        {
            // The prefix itself is an object that consoles create to show a folder.
            if (item.Key.Length > query.Prefix.Length && sync.Filter.Takes(item.Key[query.Prefix.Length..]))
            {
                sort.Add(new TreeEntry(item.Key[query.Prefix.Length..], hasLength ? item.Length : UnknownLength)
                {
                    ETag = item.ETag is { Length: > 0 } etag and not "*" ? ETags.Quoted(etag) : null, // any ETag would match the star
                    VersionId = item.VersionId,
                });
            }
        }

        Func<IReadOnlyList<string>, CancellationToken, Task<TreeEntry?[]>> findTargetsAsync = sync.Target.StartFinding();
        foreach (TreeEntry[] batch in Unite(sort.Read()).Chunk(BatchSize))
        {
            Task finding = FindSourcesAsync(batch, cancellationToken);
            Task<TreeEntry?[]> found = findTargetsAsync([.. batch.Select(static entry => entry.Name)], cancellationToken);
            await Task.WhenAll(finding, found).ConfigureAwait(false);
            foreach ((TreeEntry entry, TreeEntry? target) in batch.Zip(await found.ConfigureAwait(false)))
            {
                long length = Math.Max(0, entry.Length); // it isn't known if there is an error
                yield return (entry with { Length = length, Listed = new ListedObject { Key = query.Prefix + entry.Name, Length = length, ETag = entry.ETag } }, target);
            }
        }
    }

    /// <summary>Makes one entry of those with the same name. What they tell differently isn't known.</summary>
    private IEnumerable<TreeEntry> Unite(IEnumerable<TreeEntry> sorted)
    {
        TreeEntry? last = null;
        foreach (TreeEntry entry in sorted)
        {
            if (last is not null && last.Name != entry.Name)
            {
                yield return last;
                last = null;
            }

            last = last is null || last.Error is not null ? last ?? entry
                : last.VersionId != entry.VersionId ? last with { Error = OfObject(last, "the list of keys names several of its versions, and there can be only one target") }
                : last.Length == entry.Length && last.ETag == entry.ETag ? last
                : last with { Length = UnknownLength, ETag = null };
        }

        if (last is not null)
        {
            yield return last;
        }
    }

    /// <summary>Looks up the sources whose size or ETag isn't known.</summary>
    private Task FindSourcesAsync(TreeEntry[] batch, CancellationToken cancellationToken)
    {
        ParallelOptions parallel = new() { MaxDegreeOfParallelism = MaxLookups, CancellationToken = cancellationToken };
        IEnumerable<int> unknown = Enumerable.Range(0, batch.Length).Where(i => batch[i].Error is null && (batch[i].Length == UnknownLength || batch[i].ETag is null));
        return Parallel.ForEachAsync(unknown, parallel, async (i, token) => batch[i] = await FindSourceAsync(batch[i], token).ConfigureAwait(false));
    }

    private async Task<TreeEntry> FindSourceAsync(TreeEntry entry, CancellationToken cancellationToken)
    {
        try
        {
            ObjectInfo info = await ObjectLookup.RunAsync(source.Run, source.GetAddress(entry), cancellationToken).ConfigureAwait(false);
            bool isSame = (entry.Length == UnknownLength || entry.Length == info.Length) && (entry.ETag is null || ETags.AreSame(info.ETag, entry.ETag));
            return isSame ? entry with { Length = info.Length, ETag = info.ETag } : entry with { Length = info.Length, Error = OfObject(entry, "it was replaced after the list of keys was made") };
        }
        catch (Exception e) when (TreeSync.IsOfObject(e))
        {
            return entry with { Error = e };
        }
    }

    private TransferException OfObject(TreeEntry entry, string reason)
    {
        ObjectAddress address = source.GetAddress(entry);
        return new TransferException($"{address} can't be planned: {reason}.") { Bucket = address.Bucket, Key = address.Key };
    }
}
