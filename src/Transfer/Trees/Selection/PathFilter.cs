namespace Transfer.S3.Trees;

/// <summary>
/// Selects paths relative to the directory or the prefix by patterns, and files and objects by their properties. The last rule that matches a path decides. A
/// directory in which no path can be selected is neither opened nor reported.
/// </summary>
internal sealed class PathFilter
{
    private const string Standard = "STANDARD";

    private readonly List<(PathPattern Pattern, bool IsIncluded)> _rules = [];
    private readonly ObjectFilter? _properties;
    private readonly bool _takesHidden;
    private readonly bool _takesOthers;

    public PathFilter(TreeOptions options)
        : this(options.Include, options.Exclude, options.Filter, options.IncludeHidden)
    {
    }

    public PathFilter(IReadOnlyList<string> include, IReadOnlyList<string> exclude, ObjectFilter? properties, bool takesHidden = true)
    {
        (_properties, _takesHidden) = (properties, takesHidden);
        foreach (FilterRule rule in properties is { Rules.Count: > 0 } ? properties.Rules : GetRules(include, exclude))
        {
            foreach (PathPattern pattern in PathPattern.Parse(rule.Pattern))
            {
                _rules.Add((pattern, rule.IsIncluded));
            }
        }

        _takesOthers = _rules is [] or [(_, IsIncluded: false), ..];
    }

    /// <summary>Gets a value that indicates whether paths are selected by patterns.</summary>
    public bool HasRules => _rules.Count > 0;

    /// <summary>Gets the filter that selects everything.</summary>
    public static PathFilter All { get; } = new([], [], null);

    private bool TakesAll => !HasRules && _takesHidden && _properties is null;

    /// <summary>Validates a filter.</summary>
    /// <param name="include">The patterns to include.</param>
    /// <param name="exclude">The patterns to exclude.</param>
    /// <param name="filter">The filter, if any.</param>
    /// <param name="hasStorageClass">Whether what is selected has a storage class.</param>
    public static void Check(IReadOnlyList<string> include, IReadOnlyList<string> exclude, ObjectFilter? filter, bool hasStorageClass = true)
    {
        if (filter is null)
        {
            return;
        }

        if (filter.Rules.Count > 0 && include.Count + exclude.Count > 0)
        {
            throw new ArgumentException($"{nameof(filter.Rules)} can't be combined with {nameof(TreeOptions.Include)} and {nameof(TreeOptions.Exclude)}.", nameof(filter));
        }

        ArgumentOutOfRangeException.ThrowIfNegative(filter.MinSizeBytes ?? 0, nameof(filter.MinSizeBytes));
        ArgumentOutOfRangeException.ThrowIfLessThan(filter.MaxSizeBytes ?? long.MaxValue, filter.MinSizeBytes ?? 0, nameof(filter.MaxSizeBytes));
        if (!hasStorageClass && filter.StorageClasses.Count > 0)
        {
            throw new ArgumentException($"{nameof(filter.StorageClasses)} can't be set for an upload, because files have no storage class.", nameof(filter));
        }
    }

    /// <summary>Returns whether a path is selected. It has slashes as separators, and the path of a directory ends in one.</summary>
    public bool Takes(string path)
    {
        if (!_takesHidden && (path.StartsWith('.') || path.Contains("/.", StringComparison.Ordinal)))
        {
            return false;
        }

        for (int i = _rules.Count - 1; i >= 0; i--)
        {
            if (_rules[i].Pattern.Selects(path))
            {
                return _rules[i].IsIncluded;
            }
        }

        return _takesOthers;
    }

    /// <summary>
    /// Returns whether a listed object is selected: by transfers, deletions, and listings alike. A prefix that stands for objects is selected if one below it can be.
    /// </summary>
    /// <param name="listed">The object or the prefix.</param>
    /// <param name="folderLength">
    /// The length of the folder, to which paths are relative. The object of the folder itself, which consoles create to show it, has no name that a pattern could match.
    /// </param>
    public bool Takes(ListedObject listed, int folderLength)
    {
        if (TakesAll)
        {
            return true; // without a string for each object
        }

        string path = listed.Key[folderLength..];
        return listed.IsPrefix ? GetExcludedFolder(path) is null : (path.Length == 0 ? !HasRules : Takes(path)) && TakesProperties(listed);
    }

    /// <summary>Returns whether a file has the properties to select. A directory has none.</summary>
    /// <param name="isFolder">Whether it is a directory.</param>
    /// <param name="length">The size, in bytes.</param>
    /// <param name="modified">The last-write time; null if it isn't known, and then no time selects it.</param>
    public bool TakesProperties(bool isFolder, long length, DateTimeOffset? modified)
        => _properties is null || (isFolder ? _properties is { MinSizeBytes: null, MaxSizeBytes: null, ModifiedSince: null, ModifiedBefore: null } : TakesProperties(length, modified, null));

    /// <summary>Returns whether an object has the properties to select.</summary>
    public bool TakesProperties(ListedObject listed) => TakesProperties(listed.Length, listed.LastModified, string.IsNullOrEmpty(listed.StorageClass) ? Standard : listed.StorageClass);

    /// <summary>Returns whether no path in a directory can be selected, so that it doesn't have to be opened or listed.</summary>
    /// <param name="folder">The path of the directory, which ends in a slash.</param>
    public bool Prunes(string folder) => PrunesFolder(folder.AsSpan(0, folder.Length - 1));

    /// <summary>Gets the topmost directory above a path that is pruned; null if there is none.</summary>
    public string? GetExcludedFolder(string path)
    {
        for (int slash = path.IndexOf('/', StringComparison.Ordinal); slash >= 0; slash = path.IndexOf('/', slash + 1))
        {
            if (PrunesFolder(path.AsSpan(0, slash)))
            {
                return path[..(slash + 1)];
            }
        }

        return null;
    }

    private bool PrunesFolder(ReadOnlySpan<char> folder)
    {
        for (int i = _rules.Count - 1; i >= 0; i--)
        {
            (PathPattern pattern, bool isIncluded) = _rules[i];
            if (isIncluded ? pattern.CanSelectBelow(folder) : pattern.SelectsAllBelow(folder))
            {
                return !isIncluded;
            }
        }

        return !_takesOthers;
    }

    private bool TakesProperties(long length, DateTimeOffset? modified, string? storageClass)
        => _properties is not { } wanted
            || (length >= (wanted.MinSizeBytes ?? 0)
                && length <= (wanted.MaxSizeBytes ?? long.MaxValue)
                && (wanted.ModifiedSince is null || modified >= wanted.ModifiedSince)
                && (wanted.ModifiedBefore is null || modified < wanted.ModifiedBefore)
                && (wanted.StorageClasses.Count == 0 || wanted.StorageClasses.Contains(storageClass, StringComparer.OrdinalIgnoreCase)));

    private static IEnumerable<FilterRule> GetRules(IReadOnlyList<string> include, IReadOnlyList<string> exclude)
        => include.Select(static pattern => new FilterRule(pattern, true)).Concat(exclude.Select(static pattern => new FilterRule(pattern, false)));
}
