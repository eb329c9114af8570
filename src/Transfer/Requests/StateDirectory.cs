namespace Transfer.S3.Requests;

/// <summary>Gets the directory for the state of a user's programs: by the XDG Base Directory Specification, or the usual directory of other systems.</summary>
internal static class StateDirectory
{
    /// <returns>Null if the process has no home directory.</returns>
    public static string? Default(Func<string, string?> environment)
    {
        if (OperatingSystem.IsWindows() || OperatingSystem.IsMacOS())
        {
            return Below(Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData));
        }

        // The specification requires that relative paths are ignored.
        return environment("XDG_STATE_HOME") is { } state && Path.IsPathFullyQualified(state) ? Below(state)
            : environment("HOME") is { } home && Path.IsPathFullyQualified(home) ? Below(Path.Combine(home, ".local", "state"))
            : null;
    }

    private static string? Below(string path) => path.Length == 0 ? null : Path.Combine(path, "transfer");
}
