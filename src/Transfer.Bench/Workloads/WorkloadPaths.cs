namespace Transfer.S3.Bench.Workloads;

/// <summary>Maps keys to files in a directory.</summary>
internal static class WorkloadPaths
{
    /// <summary>Gets whether a key is a path to a file in the directory. Files of downloads are deleted before each run, so others must not be reachable.</summary>
    public static bool IsInside(string key)
        => !key.Contains('\0', StringComparison.Ordinal)
            && !Path.IsPathRooted(key)
            && key.Split('/').All(static name => name is not ("" or "." or ".."))
            && (!OperatingSystem.IsWindows() || key.IndexOfAny(['\\', ':', '*', '?', '"', '<', '>', '|']) < 0);

    public static string GetPath(string folder, string key) => Path.Combine([folder, .. key.Split('/')]);
}
