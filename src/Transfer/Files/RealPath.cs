namespace Transfer.S3.Files;

/// <summary>Resolves links in paths.</summary>
internal static class RealPath
{
    /// <summary>Gets the path of a folder that exists, with all links resolved.</summary>
    public static string Resolve(string path)
    {
        string full = Path.TrimEndingDirectorySeparator(Path.GetFullPath(path));
        if (Path.GetDirectoryName(full) is not { } parent)
        {
            return full;
        }

        string here = Path.Combine(Resolve(parent), Path.GetFileName(full));
        return new DirectoryInfo(here).ResolveLinkTarget(returnFinalTarget: true) is { } target ? Resolve(target.FullName) : here;
    }

    /// <summary>Gets the path of a folder that can be compared with others: without links, with slashes, and with one at its end. The folder may not exist yet.</summary>
    public static string ToComparable(string folder)
    {
        string path = Path.TrimEndingDirectorySeparator(folder);
        return Directory.Exists(path) || Path.GetDirectoryName(path) is not { } parent
            ? Resolve(path).Replace(Path.DirectorySeparatorChar, '/').TrimEnd('/') + '/'
            : $"{ToComparable(parent)}{Path.GetFileName(path)}/";
    }
}
