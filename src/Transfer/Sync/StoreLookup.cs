using Transfer.S3.Download;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Sync;

/// <summary>Finds objects under a prefix.</summary>
/// <param name="run">The call.</param>
/// <param name="prefix">The prefix.</param>
internal sealed class StoreLookup(TransferRun run, ObjectAddress prefix) : ISideLookup
{
    private readonly ObjectFinder _objects = new(run, prefix);

    public async Task<SyncEntry?[]> FindAsync(IReadOnlyList<string> names, CancellationToken cancellationToken)
    {
        FoundObject[] found = await _objects.FindAsync([.. names.Select(name => prefix.Key + name)], cancellationToken).ConfigureAwait(false);
        SyncEntry?[] entries = new SyncEntry?[names.Count];
        for (int i = 0; i < entries.Length; i++)
        {
            entries[i] = found[i] switch
            {
                { Error: { } error } => new SyncEntry(names[i], 0) { Error = error },
                { Object: { } listed } => new SyncEntry(names[i], listed.Length) { ETag = listed.ETag, Listed = listed },
                _ => null,
            };
        }

        return entries;
    }
}
