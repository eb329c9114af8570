namespace Transfer.Files;

/// <summary>What a path on this machine is, for a download that is to be written to it.</summary>
internal static class LocalTarget
{
    /// <summary>The full path of the file that a download is to replace: behind links, so that a link stays one.</summary>
    /// <exception cref="ArgumentException">The path is a folder.</exception>
    public static string Resolve(string path)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        string full = Path.GetFullPath(path);
        if (Path.EndsInDirectorySeparator(path) || Directory.Exists(full))
        {
            throw new ArgumentException($"The path '{path}' is a directory. Specify the file to write.", nameof(path));
        }

        // A link whose target is missing is still a link: the target is what is made.
        FileInfo file = new(full);
        return file.LinkTarget is null ? full : file.ResolveLinkTarget(returnFinalTarget: true)?.FullName ?? full;
    }

    /// <summary>Whether something is there that is no regular file: a device or a pipe, which is written to and never replaced.</summary>
    public static bool IsSpecial(string path)
    {
        if (!File.Exists(path))
        {
            return false;
        }

        return OperatingSystem.IsLinux() ? !Libc.KindOf(path, followsLinks: true).IsRegularFile : path.StartsWith("/dev/", StringComparison.Ordinal);
    }
}
