using System.Runtime.CompilerServices;
using Transfer.S3.Directories;
using Transfer.S3.Files;

namespace Transfer.S3.Jobs;

/// <summary>The files of a job in a folder of a shared file system. Each file appears whole, and is flushed to disk before.</summary>
internal sealed class DiskJobFolder(string directory) : JobFolder
{
    private const int BufferBytes = 128 * 1024;

    public override string Address => directory;

    internal override bool Overlaps(JobLocation place) => place.Path is { } path && Overlap.Exists(RealPath.ToComparable(path), RealPath.ToComparable(directory));

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
        IEnumerable<string> found;
        try
        {
            // Files that are being written begin with a dot.
            found = Directory.Exists(folder)
                ? [.. Directory.EnumerateFiles(folder, "*", new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = 0 }).Where(static path => Path.GetFileName(path)[0] != '.')]
                : [];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new TransferException($"'{folder}' could not be read: {e.Message}", e);
        }

        foreach (string path in found)
        {
            cancellationToken.ThrowIfCancellationRequested();
            yield return Path.GetRelativePath(directory, path).Replace(Path.DirectorySeparatorChar, '/');
        }
    }

    internal override Task DeleteAsync(string name, CancellationToken cancellationToken) => Task.Run(
        () =>
        {
            try
            {
                File.Delete(GetPath(name));
            }
            catch (DirectoryNotFoundException)
            {
                // It doesn't exist either.
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                throw new TransferException($"'{GetPath(name)}' could not be deleted: {e.Message}", e);
            }
        },
        cancellationToken);

    private string GetPath(string name) => Path.Combine(directory, name.Replace('/', Path.DirectorySeparatorChar));

    private async Task WriteAsync(string name, Stream content, bool overwrite, CancellationToken cancellationToken)
    {
        string path = GetPath(name);
        try
        {
            using LocalFolder folder = LocalFolder.Open(Path.GetDirectoryName(path)!);
            using AtomicFile file = AtomicFile.Create(folder, Path.GetFileName(path), 0);
            byte[] buffer = new byte[BufferBytes];
            long offset = 0;
            while (await content.ReadAsync(buffer, cancellationToken).ConfigureAwait(false) is > 0 and var count)
            {
                RandomAccess.Write(file.Handle, buffer.AsSpan(0, count), offset);
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
