namespace Transfer.Scheduling;

/// <summary>Where a user's programs keep what they want to find again: XDG Base Directory Specification, and what is usual elsewhere.</summary>
internal static class StateDirectory
{
    /// <returns>Null where the process has no home.</returns>
    public static string? Default(Func<string, string?> environment)
    {
        if (OperatingSystem.IsWindows() || OperatingSystem.IsMacOS())
        {
            return Below(Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData));
        }

        // A relative one is to be ignored, says the specification.
        return environment("XDG_STATE_HOME") is { } state && Path.IsPathFullyQualified(state) ? Below(state)
            : environment("HOME") is { } home && Path.IsPathFullyQualified(home) ? Below(Path.Combine(home, ".local", "state"))
            : null;
    }

    private static string? Below(string path) => path.Length == 0 ? null : Path.Combine(path, "transfer");
}
