namespace Transfer.S3.Trees;

/// <summary>An object of a call, which is in a listing or in a list of keys.</summary>
/// <param name="Listed">The object as a listing has it. If it is in a list of keys, it has no time.</param>
/// <param name="HasLength">Whether its length is known. Otherwise, <see cref="ListedObject.Length"/> is 0.</param>
internal sealed record SelectedObject(ListedObject Listed, bool HasLength)
{
    /// <summary>Gets the size, in bytes; null if it isn't known.</summary>
    public long? Length => HasLength ? Listed.Length : null;
}
