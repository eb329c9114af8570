using System.Text;

namespace Transfer.Directories;

/// <summary>Finds keys that would meet in one place: a file where another key needs a folder, and names that a case-blind file system takes for one.</summary>
/// <remarks>
/// Stores list keys in the order of their bytes, so a key that another one begins with came before it, and only the chain of such keys has to be remembered. Where the
/// file system is case-blind, a hash of every name is kept.
/// </remarks>
internal sealed class TakenNames
{
    private readonly Stack<string> _chain = new();
    private readonly CaseBlindNames? _all;

    /// <param name="isCaseBlind">Whether the file system takes names for one that differ in upper and lower case, or in how letters are put together.</param>
    public TakenNames(bool isCaseBlind) => _all = isCaseBlind ? new CaseBlindNames() : null;

    /// <summary>Takes a key's name.</summary>
    /// <returns>Why it can't be taken; null where it is taken now.</returns>
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
