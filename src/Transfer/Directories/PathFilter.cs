using Microsoft.Extensions.FileSystemGlobbing;

namespace Transfer.Directories;

/// <summary>Selects paths relative to the directory or the prefix by patterns.</summary>
internal sealed class PathFilter
{
    private readonly Matcher? _matcher;
    private readonly bool _takesHidden;

    public PathFilter(DirectoryOptions options)
    {
        _takesHidden = options.IncludeHidden;
        if (options.Include.Count + options.Exclude.Count > 0)
        {
            _matcher = new Matcher(StringComparison.Ordinal);
            _matcher.AddIncludePatterns(options.Include.Count > 0 ? options.Include.Select(Full) : ["**/*"]);
            _matcher.AddExcludePatterns(options.Exclude.Select(Full));
        }
    }

    /// <summary>Returns whether a path is selected. It has slashes as separators, and the path of a directory ends in one.</summary>
    public bool Takes(string path)
        => (_takesHidden || !(path.StartsWith('.') || path.Contains("/.", StringComparison.Ordinal)))
            && (_matcher is null || _matcher.Match(path.TrimEnd('/')).HasMatches);

    private static string Full(string pattern)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(pattern);
        return pattern.EndsWith('/') ? pattern + "**"
            : pattern.Contains('/', StringComparison.Ordinal) ? pattern
            : "**/" + pattern;
    }
}
