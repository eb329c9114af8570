using System.Runtime.CompilerServices;
using Transfer.S3.Directories;
using Transfer.S3.Files;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Sync;

/// <summary>Reads the sides of a synchronization in order, also what isn't selected, because it can shield a target. Only excluded folders can be left out.</summary>
internal static class SyncSides
{
    /// <summary>The number of entries of a folder that are read first, before any of them is used.</summary>
    private const int FirstAhead = 16;

    /// <summary>The maximum number of entries of a folder that are read while as many others are used: those of a page of a listing. They take less than 1 MiB.</summary>
    private const int MostAhead = 1000;

    /// <summary>Reads a folder. More is read while what was read before is used.</summary>
    /// <param name="root">The directory.</param>
    /// <param name="links">Whether links are followed.</param>
    /// <param name="client">The client, whose state and other files of its own are left out.</param>
    /// <param name="selected">What is selected, to log what of it is left out; null to log nothing.</param>
    /// <param name="prunes">Returns whether a directory isn't opened.</param>
    /// <param name="ignoresHidden">Whether a directory is empty if it only has hidden entries.</param>
    /// <param name="failed">Creates the exception for a directory that can't be read.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static async IAsyncEnumerable<SyncEntry> ReadFolderAsync(
        string root, SymbolicLinks links, ClientContext client, PathFilter? selected, Func<string, bool> prunes, bool ignoresHidden, Func<Exception, Exception> failed, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        DirectoryOptions everything = new() { SymbolicLinks = links };
        LeftOutFiles leftOut = new(client.Logger);
        using IEnumerator<LocalFile> files = new SortedFileTree(root, everything, prunes: prunes, tellsLinks: true, ignoresHidden: ignoresHidden, own: new OwnEntries(client.Settings)).Walk().GetEnumerator();
        int most = FirstAhead;
        Task<List<SyncEntry>> coming = Task.Run(ReadNext, CancellationToken.None); // the caller must not wait for the disk
        try
        {
            while (await coming.ConfigureAwait(false) is { Count: > 0 } entries)
            {
                most = Math.Min(2 * most, MostAhead);
                coming = Task.Run(ReadNext, CancellationToken.None);
                foreach (SyncEntry entry in entries)
                {
                    yield return entry.Name.Length == 0 ? throw failed(entry.Error!) : entry;
                }
            }
        }
        finally
        {
            await ((Task)coming).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            leftOut.LogCount();
        }

        List<SyncEntry> ReadNext()
        {
            List<SyncEntry> entries = new(most);
            while (entries.Count < most && files.MoveNext())
            {
                cancellationToken.ThrowIfCancellationRequested();
                if (files.Current.LeftOut != LeftOut.None && selected?.Takes(files.Current.Name) == true)
                {
                    leftOut.Note(files.Current.LeftOut, files.Current.Path);
                }

                entries.Add(ToEntry(files.Current));
            }

            return entries;
        }
    }

    /// <summary>Lists a prefix.</summary>
    /// <param name="run">The call.</param>
    /// <param name="prefix">The prefix.</param>
    /// <param name="filter">Tells which folders don't have to be listed.</param>
    /// <param name="asOf">The time whose objects are listed; null for now.</param>
    /// <param name="leftOut">Logs files of transfers, which aren't content if the other side is a folder; null if it is another prefix.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <exception cref="TransferException">Thrown when the listing fails, or isn't to be trusted.</exception>
    public static async IAsyncEnumerable<SyncEntry> ListAsync(
        TransferRun run, ObjectAddress prefix, PathFilter filter, DateTimeOffset? asOf, LeftOutFiles? leftOut, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        ListQuery query = new(prefix.Bucket, prefix.Key, prefix.Access) { AsOf = asOf };
        await foreach (ListedObject listed in OrderedListing.ReadAsync(run, query, filter, item => throw ObjectListing.NotUnder(query, item), cancellationToken).ConfigureAwait(false))
        {
            // The prefix itself is an object that consoles create to show a folder.
            if (listed.Key.Length > prefix.Key.Length)
            {
                string name = listed.Key[prefix.Key.Length..];
                bool isLeftOut = leftOut is not null && HiddenFileName.IsMatch(name.AsSpan(name.LastIndexOf('/') + 1));
                if (isLeftOut && filter.Takes(name))
                {
                    leftOut!.Note(LeftOut.TransferFile, listed.Key);
                }

                yield return new SyncEntry(name, listed.Length)
                {
                    ETag = listed.ETag,
                    VersionId = listed.VersionId,
                    Listed = listed,
                    LeftOut = isLeftOut ? LeftOut.TransferFile : LeftOut.None,
                };
            }
        }

        leftOut?.LogCount();
    }

    private static SyncEntry ToEntry(LocalFile file) => new(file.Name, file.Length)
    {
        Path = file.Path,
        LastWrite = file.LastModified?.UtcTicks ?? 0,
        State = file.Identity,
        Error = file.LeftOut == LeftOut.None ? file.Error : null,
        LeftOut = file.LeftOut,
        IsEmptyFolder = file.IsEmptyFolder,
    };
}
