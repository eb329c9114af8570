namespace Transfer.Cli.Options;

/// <summary>Says why filters select nothing.</summary>
internal static class FilterText
{
    /// <summary>Gets the message; null if there are no filters.</summary>
    /// <param name="include">The patterns of --include.</param>
    /// <param name="exclude">The patterns of --exclude.</param>
    /// <param name="leavesOutHidden">Whether --no-hidden is given.</param>
    public static string? NothingMatched(IReadOnlyList<string> include, IReadOnlyList<string> exclude, bool leavesOutHidden)
    {
        string? all = exclude.FirstOrDefault(pattern => pattern is "*" or "**" or "**/*");
        if (all is not null && include.Count > 0)
        {
            return $"nothing matched: --exclude '{all}' also removes what --include selects, in any order; omit it, because --include alone leaves out everything else";
        }

        string[] given = [.. include.Select(pattern => $"--include '{pattern}'"), .. exclude.Select(pattern => $"--exclude '{pattern}'"), .. leavesOutHidden ? ["--no-hidden"] : Array.Empty<string>()];
        return given.Length == 0 ? null : $"nothing matched {string.Join(" ", given)}";
    }
}
