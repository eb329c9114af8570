using System.Runtime.CompilerServices;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Directories;

/// <content>Compares the objects of a list of keys.</content>
internal sealed partial class DirectoryVerify
{
    /// <summary>Looks for the files of a list of keys.</summary>
    private async IAsyncEnumerable<Pair> FindAsync(
        IAsyncEnumerable<string> keys, ManyTally totals, TransferRun whole, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        ListQuery query = new(_address.Bucket, _address.Key, _address.Access);
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding); // the caller must not wait for the disk
        await foreach ((ListedObject listed, _) in SelectedObjects.ReadAsync(whole, query, SelectedObjects.AsKeysAsync(keys), _filter, query.Prefix.Length, item => totals.Refused(NotUnder(query, item, isInList: true)), cancellationToken).ConfigureAwait(false))
        {
            string name = listed.Key[query.Prefix.Length..];
            if (name.Length == 0 || !_filter.Takes(name))
            {
                continue; // the prefix itself, which consoles create to show a folder
            }

            NamedObject there = new(name, listed);
            if (!KeyPath.TrySplit(name, OperatingSystem.IsWindows(), allowsSpecial: true, out _, out _)) // nothing is written
            {
                totals.Refused(OnlyThere(there));
                continue;
            }

            string path = Path.Combine(_directory, name);
            FileInfo file = new(path);
            if (!(there.IsFolder ? Directory.Exists(path) : file.Exists) || (_selection.SymbolicLinks == SymbolicLinks.Skip && file.LinkTarget is not null))
            {
                totals.Refused(OnlyThere(there));
            }
            else if (there.IsFolder)
            {
                totals.Refused(Compared(name, OutcomeStatus.Same));
            }
            else
            {
                LocalFile here = new(path, name, GetLength(file));
                totals.Found(here.Length);
                yield return new Pair(here, listed);
            }
        }
    }

    /// <summary>Gets the size of a file for the progress. The comparison reads it again, and reports what can't be read.</summary>
    private static long GetLength(FileInfo file)
    {
        try
        {
            return file.Length;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return 0;
        }
    }
}
