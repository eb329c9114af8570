namespace Transfer.S3.Trees;

/// <summary>
/// Remembers names at the source that shield the targets with the same name and everything under it. Names come in the order of their bytes, so only the chain of
/// names that start with each other has to be remembered.
/// </summary>
internal sealed class SubtreeShield
{
    private readonly Stack<string> _chain = new();

    /// <summary>Shields a name and everything under it.</summary>
    public void Add(string name) => _chain.Push(name.TrimEnd('/'));

    /// <summary>Returns whether a name is shielded. Later calls must be for later names.</summary>
    public bool Covers(string name) => Find(name) is not null;

    /// <summary>Gets what shields a name, with a slash at its end; null if nothing does. Later calls must be for later names.</summary>
    public string? Find(string name)
    {
        while (_chain.TryPeek(out string? top) && !name.StartsWith(top, StringComparison.Ordinal))
        {
            _chain.Pop();
        }

        foreach (string shielded in _chain)
        {
            if (name.Length == shielded.Length || name[shielded.Length] == '/')
            {
                return shielded + "/";
            }
        }

        return null;
    }
}
