using System.Text;

namespace Transfer.S3.Trees;

/// <summary>
/// Detects keys that need the same path: a file where another key needs a directory, and names that a file system that isn't case-sensitive can't distinguish.
/// </summary>
/// <remarks>
/// Stores list keys in the order of their bytes, so a key precedes all keys that start with it, and only the chain of such keys has to be remembered. If the file
/// system isn't case-sensitive, a hash of every name is kept.
/// </remarks>
internal sealed class PathConflictDetector
{
    private readonly Stack<string> _chain = new();
    private readonly CaseInsensitiveNames? _all;

    /// <param name="isCaseBlind">Whether the file system doesn't distinguish names that differ only by case or Unicode normalization.</param>
    public PathConflictDetector(bool isCaseBlind) => _all = isCaseBlind ? new CaseInsensitiveNames() : null;

    /// <summary>Reserves the path of a key.</summary>
    /// <returns>The reason why the path can't be used; null if it is reserved now.</returns>
    public string? Take(string relativeKey)
    {
        while (_chain.TryPeek(out string? before) && !relativeKey.StartsWith(before, StringComparison.Ordinal))
        {
            _chain.Pop();
        }

        foreach (string file in _chain)
        {
            if (relativeKey.Length > file.Length && relativeKey[file.Length] == '/')
            {
                return $"'{file}' is also an object, and a path can't be both a file and a directory";
            }
        }

        bool isFolder = relativeKey[^1] == '/';
        if (!isFolder)
        {
            _chain.Push(relativeKey);
        }

        return _all is null || _all.Add(relativeKey.Normalize(NormalizationForm.FormC)) ? null : "another key differs only by case or Unicode normalization, and the file system does not distinguish them";
    }
}
