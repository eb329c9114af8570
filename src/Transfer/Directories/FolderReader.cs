using System.IO.Enumeration;

namespace Transfer.Directories;

/// <summary>Reads what of one folder is wanted, whatever goes wrong with it.</summary>
internal sealed class FolderReader : IDisposable
{
    private static readonly EnumerationOptions Everything = new() { AttributesToSkip = 0, IgnoreInaccessible = false, RecurseSubdirectories = false, ReturnSpecialDirectories = false };

    private readonly DirectoryOptions _options;
    private readonly IEnumerator<FolderEntry>? _entries;

    public FolderReader(string folder, DirectoryOptions options)
    {
        _options = options;
        try
        {
            _entries = new FileSystemEnumerable<FolderEntry>(folder, Read, Everything).GetEnumerator();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Error = e;
        }
    }

    public Exception? Error { get; private set; }

    public bool TryNext(out FolderEntry entry)
    {
        try
        {
            while (_entries?.MoveNext() == true)
            {
                entry = _entries.Current;
                bool isLeftOut = (!_options.IncludeHidden && entry.Name.StartsWith('.')) || (entry.IsLink && _options.SymbolicLinks == SymbolicLinks.Skip);
                if (!isLeftOut)
                {
                    return true;
                }
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Error = e;
        }

        entry = default;
        return false;
    }

    public void Dispose() => _entries?.Dispose();

    private static FolderEntry Read(ref FileSystemEntry entry)
    {
        bool isLink = (entry.Attributes & FileAttributes.ReparsePoint) != 0;
        return new FolderEntry(entry.FileName.ToString(), entry.IsDirectory, isLink, entry.IsDirectory || isLink ? 0 : entry.Length);
    }
}
