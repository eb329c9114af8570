using Transfer.S3.Files;

namespace Transfer.S3.Trees;

/// <summary>A directory that is being read, and the directories above it.</summary>
internal sealed class DirectoryCycleDetector(string folder, DirectoryCycleDetector? above)
{
    private string? _real;

    private string Real => _real ??= RealPath.Resolve(folder) + Path.DirectorySeparatorChar;

    /// <summary>Gets the target of a link in this directory.</summary>
    public LinkTarget Resolve(string path)
    {
        try
        {
            FileSystemInfo? target = new FileInfo(path).ResolveLinkTarget(returnFinalTarget: true);
            if (Directory.Exists(path))
            {
                string real = RealPath.Resolve(target!.FullName);
                return new LinkTarget(true, 0, IsInside(real) ? new IOException($"'{path}' is a link to '{real}', a directory that contains it. Following it would never end.") : null);
            }

            FileInfo file = new(target?.FullName ?? path);
            _ = File.GetAttributes(file.FullName); // throws if there is nothing, or nothing that can be examined
            return new LinkTarget(false, file.Length, LastModified: new DateTimeOffset(file.LastWriteTimeUtc));
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            return new LinkTarget(false, 0, new FileNotFoundException($"'{path}' is a symbolic link to something that does not exist.", path, e)) { IsMissing = true };
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return new LinkTarget(false, 0, e); // for example, circular links
        }
    }

    private bool IsInside(string real)
    {
        string start = Path.TrimEndingDirectorySeparator(real) + Path.DirectorySeparatorChar;
        return Real.StartsWith(start, StringComparison.Ordinal) || (above?.IsInside(real) ?? false);
    }
}
