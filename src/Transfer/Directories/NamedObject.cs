namespace Transfer.S3.Directories;

/// <summary>A listed object with its name relative to the prefix.</summary>
/// <param name="Name">The name; not empty. The name of a folder ends in a slash.</param>
/// <param name="Listed">The object in the listing.</param>
internal sealed record NamedObject(string Name, ListedObject Listed)
{
    public bool IsFolder => Name.EndsWith('/');
}
