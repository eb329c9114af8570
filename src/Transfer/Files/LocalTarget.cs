namespace Transfer.S3.Files;

/// <summary>Examines the local path that a download is written to.</summary>
internal static class LocalTarget
{
    /// <summary>Gets the full path of the file that a download replaces, or of the device or pipe that it writes to. Links to files are followed, so that a link stays a link.</summary>
    /// <exception cref="ArgumentException">Thrown when the path is a directory.</exception>
    public static string Resolve(string path)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        string full = Path.GetFullPath(path);
        if (Path.EndsInDirectorySeparator(path) || Directory.Exists(full))
        {
            throw new ArgumentException($"The path '{path}' is a directory. Specify the file to write.", nameof(path));
        }

        // The text of a link to a pipe, such as /dev/stdout, isn't a path.
        if (IsSpecial(full))
        {
            return full;
        }

        // A link whose target doesn't exist is kept, and its target is created.
        FileInfo file = new(full);
        return file.LinkTarget is null ? full : file.ResolveLinkTarget(returnFinalTarget: true)?.FullName ?? full;
    }

    /// <summary>Returns whether the path is a device or a pipe, which is written to and never replaced.</summary>
    public static bool IsSpecial(string path)
    {
        if (!File.Exists(path))
        {
            return false;
        }

        return OperatingSystem.IsLinux() ? !Libc.GetKind(path, followsLinks: true).IsRegularFile : path.StartsWith("/dev/", StringComparison.Ordinal);
    }
}
