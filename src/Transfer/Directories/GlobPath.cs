namespace Transfer.S3.Directories;

/// <summary>What a pattern can match in a directory. It decides only whether a directory has to be opened; <see cref="PathFilter"/> matches the paths in it.</summary>
internal sealed class GlobPath
{
    private const string AnyFolders = "**";

    private readonly string[] _names;

    // A pattern with other forms that the matcher knows, such as "..", decides nothing here.
    private readonly bool _isPlain;

    public GlobPath(string pattern)
    {
        _names = pattern.Split('/');
        _isPlain = Array.TrueForAll(_names, static name => name == AnyFolders
            || (name.Length > 0 && name is not ("." or ".." or "*.*") && !name.Contains(AnyFolders, StringComparison.Ordinal) && !name.Contains('\\', StringComparison.Ordinal)));
    }

    /// <summary>Returns false only if the pattern matches no path in a directory.</summary>
    /// <param name="folder">The names of the directory and of those above it.</param>
    public bool CanMatchBelow(ReadOnlySpan<string> folder) => !_isPlain || Leads(_names, folder, static rest => rest.Length > 0);

    /// <summary>Returns true only if the pattern matches every path in a directory, at any depth.</summary>
    /// <param name="folder">The names of the directory and of those above it.</param>
    public bool MatchesAllBelow(ReadOnlySpan<string> folder) => _isPlain && Leads(_names, folder, IsAll);

    /// <summary>Returns whether the first names of the pattern match a directory, so that one of the possible rests meets a condition.</summary>
    private static bool Leads(ReadOnlySpan<string> pattern, ReadOnlySpan<string> folder, Func<string[], bool> condition)
    {
        if (folder.IsEmpty)
        {
            return condition(pattern.ToArray());
        }

        return !pattern.IsEmpty && (pattern[0] == AnyFolders
            ? Leads(pattern[1..], folder, condition) || Leads(pattern, folder[1..], condition)
            : MatchesName(pattern[0], folder[0]) && Leads(pattern[1..], folder[1..], condition));
    }

    /// <summary>Returns whether the rest of a pattern is <c>**</c> or <c>**/*</c>.</summary>
    private static bool IsAll(string[] rest) => rest.Length > 0 && rest[0] == AnyFolders && (rest.Length == 1 || (rest.Length == 2 && rest[1] is "*" or AnyFolders));

    private static bool MatchesName(ReadOnlySpan<char> pattern, ReadOnlySpan<char> name)
    {
        // The last star can match more if the rest doesn't fit.
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
            else if (p < pattern.Length && pattern[p] == name[n])
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
