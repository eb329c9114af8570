using System.Runtime.CompilerServices;
using Transfer.Directories;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Sync;

/// <summary>Reads the sides of a synchronization in order, also what isn't selected, because it can shield a target. Only excluded folders can be left out.</summary>
internal static class SyncSides
{
    /// <summary>Reads a folder.</summary>
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
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding); // the caller must not wait for the disk
        DirectoryOptions everything = new() { SymbolicLinks = links };
        string? leftOut = state is null ? null : Path.TrimEndingDirectorySeparator(Path.GetFullPath(state));
        foreach (LocalFile file in new SortedFileTree(root, everything, prunes: prunes, tellsLinks: true, ignoresHidden: ignoresHidden).Walk())
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (file.Name.Length == 0)
            {
                throw failed(file.Error!);
            }

            if (leftOut is not null && file.Path.StartsWith(leftOut, StringComparison.Ordinal)
                && (file.Path.Length == leftOut.Length || file.Path[leftOut.Length] == Path.DirectorySeparatorChar))
            {
                continue;
            }

            yield return new SyncEntry(file.Name, file.Length)
            {
                Path = file.Path,
                LastWrite = file.LastModified?.UtcTicks ?? 0,
                Mark = SyncMark.OfFile(file.Identity),
                Error = file.Error,
                IsLink = file.IsSkippedLink,
                IsEmptyFolder = file.IsEmptyFolder,
            };
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
}
