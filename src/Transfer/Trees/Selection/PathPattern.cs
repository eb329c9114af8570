namespace Transfer.S3.Trees;

/// <summary>A pattern of paths, which is matched name by name.</summary>
/// <remarks>
/// <para>
/// The names of a path are what its slashes separate. Keys can contain anything, so an empty name, <c>.</c>, and <c>..</c> are names like others. A pattern that matches
/// a directory selects everything in it, so <c>logs/</c>, <c>logs/*</c>, and <c>logs/**</c> are the same.
/// </para>
/// <para>Matching allocates nothing, and takes at most the product of both lengths, whatever the pattern is.</para>
/// </remarks>
internal sealed class PathPattern
{
    private const string AnyNames = "**";
    private const string AnyName = "*";

    // The last one is never AnyNames.
    private readonly List<string> _names = [];

    private PathPattern(IEnumerable<string> names)
    {
        foreach (string name in names)
        {
            if (name != AnyNames || _names.Count == 0 || _names[^1] != AnyNames)
            {
                _names.Add(name);
            }
        }

        if (_names[^1] == AnyNames)
        {
            _names.Add(AnyName);
        }
        else if (_names[^1].Length == 0)
        {
            _names[^1] = AnyName;
        }
    }

    /// <summary>Parses a pattern. One without a slash matches at any depth.</summary>
    /// <returns>
    /// The pattern. If it begins with <c>/</c> or <c>./</c>, also the one without that, because it can mean a key with such a name as well as the place where the pattern
    /// applies. On Windows, also the one with slashes instead of backslashes, for the same reason.
    /// </returns>
    public static PathPattern[] Parse(string pattern)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(pattern);
        string[] names = pattern.Split('/');
        PathPattern[] parsed = names.Length == 1 ? [new PathPattern([AnyNames, pattern])]
            : names[0] is "" or "." ? [new PathPattern(names), new PathPattern(names[1..])]
            : [new PathPattern(names)];
        return OperatingSystem.IsWindows() && pattern.Contains('\\', StringComparison.Ordinal) ? [.. parsed, .. Parse(pattern.Replace('\\', '/'))] : parsed;
    }

    /// <summary>Returns whether the pattern matches a path, or a directory above it.</summary>
    /// <param name="path">The path. That of a directory ends in a slash.</param>
    public bool Selects(ReadOnlySpan<char> path) => Selects(path, andAnyBelow: false);

    /// <summary>Returns whether the pattern selects every path in a directory, at any depth.</summary>
    /// <param name="folder">The path of the directory, without a slash at its end.</param>
    public bool SelectsAllBelow(ReadOnlySpan<char> folder) => Selects(folder, andAnyBelow: true);

    /// <summary>Returns whether the pattern selects any path that can be in a directory.</summary>
    /// <param name="folder">The path of the directory, without a slash at its end.</param>
    public bool CanSelectBelow(ReadOnlySpan<char> folder)
    {
        int at = 0;
        foreach (string name in _names)
        {
            if (name == AnyNames || at > folder.Length)
            {
                return true;
            }

            int end = GetEnd(folder, at);
            if (!MatchesName(name, folder[at..end]))
            {
                return false;
            }

            at = end + 1;
        }

        return true;
    }

    /// <param name="path">The path.</param>
    /// <param name="andAnyBelow">Whether one more name follows, of which nothing is known, so that only a name that matches all can match it.</param>
    private bool Selects(ReadOnlySpan<char> path, bool andAnyBelow)
    {
        // The offset of a name that doesn't exist is behind the slash that would precede it. Only the last "any names" has to match more if the rest doesn't fit.
        int last = andAnyBelow ? path.Length + 1 : path.Length;
        int any = -1;
        int from = 0;
        int p = 0;
        int at = 0;
        while (p < _names.Count)
        {
            if (_names[p] == AnyNames)
            {
                (any, from) = (++p, at);
                continue;
            }

            if (at > last)
            {
                return false;
            }

            int end = GetEnd(path, at);
            if (at <= path.Length ? MatchesName(_names[p], path[at..end]) : MatchesEveryName(_names[p]))
            {
                (p, at) = (p + 1, end + 1);
            }
            else if (any >= 0)
            {
                from = GetEnd(path, from) + 1;
                (p, at) = (any, from);
            }
            else
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Gets the end of the name at an offset.</summary>
    private static int GetEnd(ReadOnlySpan<char> path, int at)
    {
        int length = at > path.Length ? 0 : path[at..].IndexOf('/');
        return length < 0 ? path.Length : at + length;
    }

    private static bool MatchesEveryName(ReadOnlySpan<char> pattern) => !pattern.IsEmpty && pattern.Trim('*').IsEmpty;

    private static bool MatchesName(ReadOnlySpan<char> pattern, ReadOnlySpan<char> name)
    {
        // Only the last star has to match more if the rest doesn't fit.
        int star = -1;
        int from = 0;
        int p = 0;
        int n = 0;
        while (n < name.Length)
        {
            if (p < pattern.Length && pattern[p] == '*')
            {
                (star, from) = (p++, n);
            }
            else if (p < pattern.Length && (pattern[p] == name[n] || pattern[p] == '?'))
            {
                (p, n) = (p + 1, n + 1);
            }
            else if (star >= 0)
            {
                (p, n) = (star + 1, ++from);
            }
            else
            {
                return false;
            }
        }

        return pattern[p..].Trim('*').IsEmpty;
    }
}
