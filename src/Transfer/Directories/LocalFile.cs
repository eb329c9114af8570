namespace Transfer.Directories;

/// <summary>A file of a local tree, or a folder that has nothing in it.</summary>
/// <param name="Path">Where it is.</param>
/// <param name="Name">Its path below the tree's root, with slashes between names; a folder's ends in one.</param>
/// <param name="Length">Its bytes; 0 of a folder.</param>
/// <param name="Error">Why it can't be taken; null where it can.</param>
internal readonly record struct LocalFile(string Path, string Name, long Length, Exception? Error = null)
{
    public bool IsFolder => Name.EndsWith('/');
}
