using Transfer.Wire;

namespace Transfer.Directories;

/// <summary>An object of a listing by what its key is below the prefix.</summary>
/// <param name="Name">Not empty; that of a folder ends in a slash.</param>
/// <param name="Listed">What the listing tells of it.</param>
internal readonly record struct NamedObject(string Name, ListedObject Listed)
{
    public bool IsFolder => Name.EndsWith('/');
}
