using System.IO.Enumeration;
using System.Runtime.CompilerServices;
using Transfer.S3.Files;
using Transfer.S3.Trees;

namespace Transfer.S3.Jobs;

/// <summary>The files of a job in a folder of a shared file system. Each file appears whole, and is flushed to disk before.</summary>
internal sealed class DiskJobFolder(string directory) : JobFolder
{
    private const int BufferBytes = 128 * 1024;

    public override string Address => directory;

    internal override bool Overlaps(Place place) => place.Path is { } path && Overlap.Exists(RealPath.ToComparable(path), RealPath.ToComparable(directory));

    internal override async Task<bool> TryCreateAsync(string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        using MemoryStream stream = new(content.ToArray(), writable: false);
        try
        {
            await WriteAsync(name, stream, overwrite: false, cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (TransferException e) when (e.InnerException is IOException && File.Exists(GetPath(name)))
        {
            return false;
        }
    }

    internal override Task WriteAsync(string name, Stream content, CancellationToken cancellationToken) => WriteAsync(name, content, overwrite: true, cancellationToken);

    internal override async Task<bool> ReadAsync(string name, Stream target, CancellationToken cancellationToken)
    {
        try
        {
            FileStream file = new(GetPath(name), FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, BufferBytes);
            await using (file.ConfigureAwait(false))
            {
                await file.CopyToAsync(target, cancellationToken).ConfigureAwait(false);
                return true;
            }
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            return false;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new TransferException($"'{GetPath(name)}' could not be read: {e.Message}", e);
        }
    }

    internal override async IAsyncEnumerable<string> ListAsync(string prefix, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding); // the caller must not wait for the disk
        string folder = GetPath(prefix);
        using IEnumerator<string>? found = Read(() => Directory.Exists(folder) ? Enumerate(folder).GetEnumerator() : null);
        while (found is not null && Read(found.MoveNext))
        {
            cancellationToken.ThrowIfCancellationRequested();
            yield return Path.GetRelativePath(directory, found.Current).Replace(Path.DirectorySeparatorChar, '/');
        }

        T Read<T>(Func<T> read)
        {
            try
            {
                return read();
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                throw new TransferException($"'{folder}' could not be read: {e.Message}", e);
            }
        }
    }

    internal override Task DeleteAsync(string name, CancellationToken cancellationToken) => Task.Run(
        () =>
        {
            try
            {
                using LocalFolder? folder = Directory.Exists(directory) ? OpenFolder(name, creates: false) : null;
                if (folder is not null)
                {
                    File.Delete(folder.GetPath(Path.GetFileName(name)));
                }
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                throw new TransferException($"'{GetPath(name)}' could not be deleted: {e.Message}", e);
            }
        },
        cancellationToken);

    /// <summary>Enumerates all files and links in a folder and the folders in it.</summary>
    private static FileSystemEnumerable<string> Enumerate(string folder)
        => new(folder, static (ref FileSystemEntry entry) => entry.ToFullPath(), new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = 0, IgnoreInaccessible = false })
        {
            ShouldIncludePredicate = static (ref FileSystemEntry entry) => !entry.IsDirectory || IsLink(in entry),
            ShouldRecursePredicate = static (ref FileSystemEntry entry) => !IsLink(in entry),
        };

    /// <summary>Opens the folder of a file. Links are rejected, except in the path that the caller gave.</summary>
    /// <returns>Null if it doesn't exist and isn't created.</returns>
    private LocalFolder? OpenFolder(string name, bool creates)
    {
        LocalFolder? folder = LocalFolder.Open(directory);
        foreach (string child in name.Split('/')[..^1])
        {
            using LocalFolder parent = folder;
            folder = creates ? parent.OpenChild(child) : parent.TryOpenChild(child);
            if (folder is null)
            {
                break;
            }
        }

        return folder;
    }

    private static bool IsLink(in FileSystemEntry entry) => entry.Attributes.HasFlag(FileAttributes.ReparsePoint);

    private string GetPath(string name) => Path.Combine(directory, name.Replace('/', Path.DirectorySeparatorChar));

    private async Task WriteAsync(string name, Stream content, bool overwrite, CancellationToken cancellationToken)
    {
        string path = GetPath(name);
        try
        {
            using LocalFolder folder = OpenFolder(name, creates: true)!;
            using AtomicFile file = AtomicFile.Create(folder, Path.GetFileName(path), 0);
            byte[] buffer = new byte[BufferBytes];
            long offset = 0;
            while (await content.ReadAsync(buffer, cancellationToken).ConfigureAwait(false) is > 0 and var count)
            {
                FileContent.Write(file.Handle, buffer.AsSpan(0, count), offset);
                offset += count;
            }

            file.Publish(overwrite, default, DiskFlush.Instance);
            DiskFlush.Instance.Folder(folder.Path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new TransferException($"'{path}' could not be written: {e.Message}", e);
        }
    }
}
