using Microsoft.Extensions.FileSystemGlobbing;

namespace Transfer.S3.Directories;

/// <summary>
/// Selects paths relative to the directory or the prefix by patterns, and files and objects by their properties. The last rule that matches a path decides. A
/// directory in which no path can be selected is neither opened nor reported.
/// </summary>
internal sealed class PathFilter
{
    private const string Standard = "STANDARD";

    // Consecutive rules of the same kind are one group, because their order doesn't matter.
    private readonly List<Group> _groups = [];
    private readonly ObjectFilter? _properties;
    private readonly bool _takesHidden;
    private readonly bool _takesOthers = true;

    public PathFilter(DirectoryOptions options)
    {
        _takesHidden = options.IncludeHidden;
        _properties = options.Filter;
        foreach (FilterRule rule in GetRules(options))
        {
            if (_groups.Count == 0 || _groups[^1].IsIncluded != rule.IsIncluded)
            {
                _groups.Add(new Group(rule.IsIncluded));
            }

            _groups[^1].Add(Full(rule.Pattern));
        }

        _takesOthers = _groups is [] or [{ IsIncluded: false }, ..];
    }

    /// <summary>Gets a value that indicates whether paths are selected by patterns.</summary>
    public bool HasRules => _groups.Count > 0;

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
            throw new ArgumentException($"{nameof(filter.Rules)} can't be combined with {nameof(DirectoryOptions.Include)} and {nameof(DirectoryOptions.Exclude)}.", nameof(filter));
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

        string name = path.TrimEnd('/');
        for (int i = _groups.Count - 1; i >= 0; i--)
        {
            if (_groups[i].Matches(name))
            {
                return _groups[i].IsIncluded && !(path.EndsWith('/') && Prunes(path));
            }
        }

        return _takesOthers && !(path.EndsWith('/') && Prunes(path));
    }

    /// <summary>Returns whether the content of a directory that can't be read may be selected.</summary>
    /// <param name="folder">The path of the directory, which ends in a slash.</param>
    public bool MayTakeFrom(string folder)
    {
        string name = folder.TrimEnd('/');
        return _groups.FindLast(group => group.Matches(name)) is not { IsIncluded: false } && !Prunes(folder);
    }

    /// <summary>Returns whether an object is selected.</summary>
    public bool Takes(string path, ListedObject listed)
        => Takes(path) && TakesProperties(listed.Length, listed.LastModified, string.IsNullOrEmpty(listed.StorageClass) ? Standard : listed.StorageClass);

    /// <summary>Returns whether a file is selected.</summary>
    public bool Takes(LocalFile file) => Takes(file.Name) && TakesProperties(file);

    /// <summary>Returns whether a file has the properties to select. A directory has none.</summary>
    public bool TakesProperties(LocalFile file)
        => _properties is null || (file.IsFolder ? _properties is { MinSizeBytes: null, MaxSizeBytes: null, ModifiedSince: null, ModifiedBefore: null } : TakesProperties(file.Length, file.LastModified, null));

    /// <summary>Returns whether an object has the properties to select.</summary>
    public bool TakesProperties(ListedObject listed) => TakesProperties(listed.Length, listed.LastModified, string.IsNullOrEmpty(listed.StorageClass) ? Standard : listed.StorageClass);

    /// <summary>Returns whether no path in a directory can be selected, so that it doesn't have to be opened or listed.</summary>
    /// <param name="folder">The path of the directory, which ends in a slash.</param>
    public bool Prunes(string folder)
    {
        string[] names = folder[..^1].Split('/');
        for (int i = _groups.Count - 1; i >= 0; i--)
        {
            if (_groups[i].IsIncluded ? _groups[i].CanMatchBelow(names) : _groups[i].MatchesAllBelow(names))
            {
                return !_groups[i].IsIncluded;
            }
        }

        return !_takesOthers;
    }

    /// <summary>Gets the topmost directory above a path that is pruned; null if there is none.</summary>
    public string? GetExcludedFolder(string path)
    {
        for (int slash = path.IndexOf('/', StringComparison.Ordinal); slash >= 0; slash = path.IndexOf('/', slash + 1))
        {
            if (Prunes(path[..(slash + 1)]))
            {
                return path[..(slash + 1)];
            }
        }

        return null;
    }

    private bool TakesProperties(long length, DateTimeOffset? modified, string? storageClass)
        => _properties is not { } wanted
            || (length >= (wanted.MinSizeBytes ?? 0)
                && length <= (wanted.MaxSizeBytes ?? long.MaxValue)
                && (wanted.ModifiedSince is null || modified >= wanted.ModifiedSince)
                && (wanted.ModifiedBefore is null || modified < wanted.ModifiedBefore)
                && (wanted.StorageClasses.Count == 0 || wanted.StorageClasses.Contains(storageClass, StringComparer.OrdinalIgnoreCase)));

    private static IEnumerable<FilterRule> GetRules(DirectoryOptions options) => options.Filter is { Rules.Count: > 0 } filter
        ? filter.Rules
        : options.Include.Select(static pattern => new FilterRule(pattern, true)).Concat(options.Exclude.Select(static pattern => new FilterRule(pattern, false)));

    private static string Full(string pattern)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(pattern);
        return pattern.EndsWith('/') ? pattern + "**"
            : pattern.Contains('/', StringComparison.Ordinal) ? pattern
            : "**/" + pattern;
    }

    /// <summary>Consecutive rules that all include, or all exclude.</summary>
    private sealed class Group(bool isIncluded)
    {
        private readonly Matcher _matcher = new(StringComparison.Ordinal);
        private readonly List<GlobPath> _patterns = [];

        public bool IsIncluded => isIncluded;

        public void Add(string pattern)
        {
            _matcher.AddInclude(pattern);
            _patterns.Add(new GlobPath(pattern));
        }

        public bool Matches(string path) => _matcher.Match(path).HasMatches;

        public bool CanMatchBelow(string[] folder) => _patterns.Exists(pattern => pattern.CanMatchBelow(folder));

        public bool MatchesAllBelow(string[] folder) => _patterns.Exists(pattern => pattern.MatchesAllBelow(folder));
    }
}
