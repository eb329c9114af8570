using System.IO.Enumeration;

namespace Transfer.Directories;

/// <summary>Walks a tree of files as they are asked for: only the way down from the root is ever in memory.</summary>
internal sealed class LocalTree(string root, DirectoryOptions options)
{
    private static readonly EnumerationOptions Everything = new() { AttributesToSkip = 0, IgnoreInaccessible = false, RecurseSubdirectories = false, ReturnSpecialDirectories = false };

    public IEnumerable<LocalFile> Walk() => Walk(root, string.Empty, null);

    private IEnumerable<LocalFile> Walk(string folder, string prefix, Above? above)
    {
        Above here = new(folder, above);
        bool isEmpty = true;
        using Reader reader = new(folder);
        while (reader.TryNext(out Entry entry))
        {
            bool isLeftOut = (!options.IncludeHidden && entry.Name.StartsWith('.')) || (entry.IsLink && options.SymbolicLinks == SymbolicLinks.Skip);
            if (isLeftOut)
            {
                continue;
            }

            isEmpty = false;
            string path = Path.Combine(folder, entry.Name);
            string name = prefix + entry.Name;
            IEnumerable<LocalFile>? below = entry.IsLink ? Follow(path, name, here)
                : entry.IsFolder ? Walk(path, name + "/", here)
                : null;
            if (below is null)
            {
                yield return new LocalFile(path, name, entry.Length);
                continue;
            }

            foreach (LocalFile file in below)
            {
                yield return file;
            }
        }

        if (reader.Error is not null || (isEmpty && prefix.Length > 0))
        {
            yield return new LocalFile(folder, prefix, 0, reader.Error);
        }
    }

    private IEnumerable<LocalFile> Follow(string path, string name, Above above)
    {
        try
        {
            FileSystemInfo? target = new FileInfo(path).ResolveLinkTarget(returnFinalTarget: true);
            if (Directory.Exists(path))
            {
                string real = RealPath(target!.FullName);
                return above.IsInside(real)
                    ? [new LocalFile(path, name, 0, new IOException($"'{path}' is a link to '{real}', a folder above it: its files would never end."))]
                    : Walk(path, name + "/", above);
            }

            return File.Exists(path)
                ? [new LocalFile(path, name, new FileInfo(target!.FullName).Length)]
                : [new LocalFile(path, name, 0, new FileNotFoundException($"'{path}' is a link to nothing.", path))];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return [new LocalFile(path, name, 0, e)]; // links in a circle, for one
        }
    }

    /// <summary>The path without links on the way to it.</summary>
    private static string RealPath(string path)
    {
        string full = Path.TrimEndingDirectorySeparator(Path.GetFullPath(path));
        if (Path.GetDirectoryName(full) is not { } parent)
        {
            return full;
        }

        string here = Path.Combine(RealPath(parent), Path.GetFileName(full));
        return new DirectoryInfo(here).ResolveLinkTarget(returnFinalTarget: true) is { } target ? RealPath(target.FullName) : here;
    }

    /// <summary>The folders above one that is being walked.</summary>
    private sealed class Above(string folder, Above? next)
    {
        private string? _real;

        private string Real => _real ??= RealPath(folder) + Path.DirectorySeparatorChar;

        public bool IsInside(string real)
        {
            string start = Path.TrimEndingDirectorySeparator(real) + Path.DirectorySeparatorChar;
            return Real.StartsWith(start, StringComparison.Ordinal) || (next?.IsInside(real) ?? false);
        }
    }

    private readonly record struct Entry(string Name, bool IsFolder, bool IsLink, long Length);

    /// <summary>Reads one folder, whatever goes wrong with it.</summary>
    private sealed class Reader : IDisposable
    {
        private readonly IEnumerator<Entry>? _entries;

        public Reader(string folder)
        {
            try
            {
                _entries = new FileSystemEnumerable<Entry>(folder, Read, Everything).GetEnumerator();
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                Error = e;
            }
        }

        public Exception? Error { get; private set; }

        public bool TryNext(out Entry entry)
        {
            try
            {
                if (_entries?.MoveNext() == true)
                {
                    entry = _entries.Current;
                    return true;
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

        private static Entry Read(ref FileSystemEntry entry)
        {
            bool isLink = (entry.Attributes & FileAttributes.ReparsePoint) != 0;
            return new Entry(entry.FileName.ToString(), entry.IsDirectory, isLink, entry.IsDirectory || isLink ? 0 : entry.Length);
        }
    }
}
