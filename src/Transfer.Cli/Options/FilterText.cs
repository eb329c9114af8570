namespace Transfer.S3.Cli.Options;

/// <summary>Says why filters select nothing.</summary>
internal static class FilterText
{
    /// <summary>Gets the message; null if there are no filters.</summary>
    /// <param name="filter">The filter; null for none.</param>
    /// <param name="leavesOutHidden">Whether --no-hidden is given.</param>
    public static string? NothingMatched(ObjectFilter? filter, bool leavesOutHidden)
    {
        filter ??= new ObjectFilter();
        FilterRule? last = filter.Rules.Count > 1 && filter.Rules.Any(static rule => rule.IsIncluded) ? filter.Rules[^1] : null;
        if (last is { IsIncluded: false, Pattern: "*" or "**" or "**/*" })
        {
            return $"nothing matched: --exclude '{last.Pattern}' also removes what --include selects before it; give it first, or omit it, because --include alone leaves out everything else";
        }

        string[] given =
        [
            .. filter.Rules.Select(static rule => $"{(rule.IsIncluded ? "--include" : "--exclude")} '{rule.Pattern}'"),
            .. filter.MinSizeBytes is { } min ? [$"--min-size {ByteSize.FormatExact(min)}"] : Array.Empty<string>(),
            .. filter.MaxSizeBytes is { } max ? [$"--max-size {ByteSize.FormatExact(max)}"] : Array.Empty<string>(),
            .. filter.ModifiedSince is null ? Array.Empty<string>() : ["--newer-than"],
            .. filter.ModifiedBefore is null ? Array.Empty<string>() : ["--older-than"],
            .. filter.StorageClasses.Select(static name => $"--in-storage-class {name}"),
            .. leavesOutHidden ? ["--no-hidden"] : Array.Empty<string>(),
        ];
        return given.Length == 0 ? null : $"nothing matched {string.Join(" ", given)}";
    }
}
