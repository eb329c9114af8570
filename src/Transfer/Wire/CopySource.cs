using Transfer.S3.Integrity;

namespace Transfer.S3.Wire;

/// <summary>The state of an object when its copy started. Every request of the copy is bound to that state.</summary>
/// <param name="Address">The address of the object.</param>
/// <param name="Head">What the headers of its response tell.</param>
internal sealed record CopySource(ObjectAddress Address, ObjectHead Head)
{
    /// <summary>Gets the properties of the object.</summary>
    public ObjectInfo Info => Head.Info;

    /// <summary>
    /// Returns whether a part of a copy is the whole source. It is requested without a range then, so that it is whole even if the store told a wrong size.
    /// </summary>
    public bool IsWhole(long offset, long length) => offset == 0 && length == Info.Length;

    /// <summary>Gets the full-object checksum if S3 can also combine it from parts (Amazon S3 User Guide, "Checking object integrity"); otherwise, null.</summary>
    public StoredChecksum? FullObjectChecksum
        => Info.Checksum is { IsComposite: false } checksum && checksum.Algorithm.Crc() != CrcSet.Kinds.None ? checksum : null;
}
