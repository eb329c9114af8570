using System.IO.Enumeration;
using System.Runtime.Versioning;
using Transfer.S3.Files;

namespace Transfer.S3.Trees;

/// <summary>Reads the selected entries of one directory. An I/O error ends the enumeration and is available in <see cref="Error"/>.</summary>
internal sealed class FolderReader : IDisposable
{
    private static readonly EnumerationOptions Everything = new() { AttributesToSkip = 0, IgnoreInaccessible = false, RecurseSubdirectories = false, ReturnSpecialDirectories = false };

    private readonly SourceFolder _folder;
    private readonly SymbolicLinks _links;
    private readonly bool _readsHidden;
    private readonly OwnEntries? _own;
    private readonly bool _tellsLinks;
    private readonly IEnumerator<FolderEntry>? _entries;

    /// <param name="folder">The directory.</param>
    /// <param name="links">Whether links are followed.</param>
    /// <param name="readsHidden">Whether names that begin with a dot are returned.</param>
    /// <param name="own">What the program writes itself; null if there is nothing.</param>
    /// <param name="tellsLinks">Whether links are returned even if they are skipped.</param>
    public FolderReader(SourceFolder folder, SymbolicLinks links, bool readsHidden, OwnEntries? own, bool tellsLinks = false)
    {
        _own = own;
        _tellsLinks = tellsLinks;
        _folder = folder;
        (_links, _readsHidden) = (links, readsHidden);
        Error = folder.Error;
        if (Error is not null)
        {
            return;
        }

        try
        {
            _entries = new FileSystemEnumerable<FolderEntry>(folder.HeldPath, OperatingSystem.IsLinux() ? ReadOnce : Read, Everything).GetEnumerator();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Error = Named(e);
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
                bool isSkippedLink = entry.IsLink && _links == SymbolicLinks.Skip;
                if ((!_readsHidden && entry.Name.StartsWith('.')) || (isSkippedLink && !_tellsLinks))
                {
                    continue;
                }

                LeftOut leftOut = isSkippedLink ? LeftOut.Link
                    : _own?.Contains(_folder, entry) == true ? LeftOut.OwnFile
                    : !entry.IsFolder && HiddenFileName.IsMatch(entry.Name) ? LeftOut.TransferFile
                    : LeftOut.None;
                if (leftOut == LeftOut.OwnFile && entry.IsFolder)
                {
                    continue; // the state directory
                }

                entry = entry with { LeftOut = leftOut };
                return true;
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Error = Named(e);
        }

        entry = default;
        return false;
    }

    public void Dispose() => _entries?.Dispose();

    /// <summary>Creates an exception with the name of the directory if it was read under another name.</summary>
    private Exception Named(Exception e)
    {
        string held = _folder.HeldPath;
        string message = e.Message.Replace(held, _folder.Path, StringComparison.Ordinal);
        return held == _folder.Path ? e : e is UnauthorizedAccessException ? new UnauthorizedAccessException(message, e) : new IOException(message, e);
    }

    /// <summary>Reads all properties of an entry with one system call. .NET would need several for the same.</summary>
    [SupportedOSPlatform("linux")]
    private FolderEntry ReadOnce(ref FileSystemEntry entry)
    {
        string name = entry.FileName.ToString();
        (FileKind kind, FileIdentity? identity, long length, DateTime lastWrite) = _folder.Look(name);
        return kind.IsThere && !kind.IsLink
            ? new FolderEntry(name, kind.IsFolder, IsLink: false, kind.IsFolder ? 0 : length, kind.IsFolder ? default : new DateTimeOffset(lastWrite)) { Identity = identity }
            : Read(ref entry);
    }

    private static FolderEntry Read(ref FileSystemEntry entry)
    {
        bool isLink = (entry.Attributes & FileAttributes.ReparsePoint) != 0;
        return new FolderEntry(entry.FileName.ToString(), entry.IsDirectory, isLink, entry.IsDirectory || isLink ? 0 : entry.Length, entry.IsDirectory || isLink ? default : entry.LastWriteTimeUtc);
    }
}
