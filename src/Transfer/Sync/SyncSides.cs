using System.Runtime.CompilerServices;
using Transfer.S3.Directories;
using Transfer.S3.Scheduling;
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
    /// <param name="state">The directory in which clients keep their state, which changes while it is read; null for none. It is left out.</param>
    /// <param name="prunes">Returns whether a directory isn't opened.</param>
    /// <param name="ignoresHidden">Whether a directory is empty if it only has hidden entries.</param>
    /// <param name="failed">Creates the exception for a directory that can't be read.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static async IAsyncEnumerable<SyncEntry> ReadFolderAsync(
        string root, SymbolicLinks links, string? state, Func<string, bool> prunes, bool ignoresHidden, Func<Exception, Exception> failed, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        DirectoryOptions everything = new() { SymbolicLinks = links };
        string? leftOut = state is null ? null : Path.TrimEndingDirectorySeparator(Path.GetFullPath(state));
        using IEnumerator<LocalFile> files = new SortedFileTree(root, everything, prunes: prunes, tellsLinks: true, ignoresHidden: ignoresHidden).Walk().GetEnumerator();
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
        }

        List<SyncEntry> ReadNext()
        {
            List<SyncEntry> entries = new(most);
            while (entries.Count < most && files.MoveNext())
            {
                cancellationToken.ThrowIfCancellationRequested();
                if (files.Current.Name.Length == 0 || !IsUnder(leftOut, files.Current.Path))
                {
                    entries.Add(ToEntry(files.Current));
                }
            }

            return entries;
        }
    }

    /// <summary>Lists a prefix.</summary>
    /// <param name="run">The call.</param>
    /// <param name="prefix">The prefix.</param>
    /// <param name="filter">Tells which folders don't have to be listed.</param>
    /// <param name="asOf">The time whose objects are listed; null for now.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    /// <exception cref="TransferException">Thrown when the listing fails, or isn't to be trusted.</exception>
    public static async IAsyncEnumerable<SyncEntry> ListAsync(
        TransferRun run, ObjectAddress prefix, PathFilter filter, DateTimeOffset? asOf, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        ListQuery query = new(prefix.Bucket, prefix.Key, prefix.Access) { AsOf = asOf };
        await foreach (ListedObject listed in OrderedListing.ReadAsync(run, query, filter, item => throw ObjectListing.NotUnder(query, item), cancellationToken).ConfigureAwait(false))
        {
            // The prefix itself is an object that consoles create to show a folder.
            if (listed.Key.Length > prefix.Key.Length)
            {
                yield return new SyncEntry(listed.Key[prefix.Key.Length..], listed.Length) { ETag = listed.ETag, VersionId = listed.VersionId, Listed = listed };
            }
        }
    }

    private static bool IsUnder(string? folder, string path)
        => folder is not null && path.StartsWith(folder, StringComparison.Ordinal) && (path.Length == folder.Length || path[folder.Length] == Path.DirectorySeparatorChar);

    private static SyncEntry ToEntry(LocalFile file) => new(file.Name, file.Length)
    {
        Path = file.Path,
        LastWrite = file.LastModified?.UtcTicks ?? 0,
        State = file.Identity,
        Mark = SyncMark.OfFile(file.Identity),
        Error = file.Error,
        IsLink = file.IsSkippedLink,
        IsEmptyFolder = file.IsEmptyFolder,
    };
}
