namespace Transfer.Wire;

/// <summary>An object as it was when its copy began. Every request of the copy is pinned to that state.</summary>
/// <param name="Address">Where it is.</param>
/// <param name="Info">What it is.</param>
/// <param name="Headers">What a copy is to be: CopyObject keeps that by itself, a multipart upload knows only what it is told.</param>
internal sealed record CopySource(ObjectAddress Address, ObjectInfo Info, ObjectHeaders Headers)
{
    /// <summary>The checksum of its bytes that S3 can also combine from parts (Amazon S3 User Guide, "Checking object integrity"); null where it has another or none.</summary>
    public StoredChecksum? FullObjectChecksum
        => Info.Checksum is { IsComposite: false, Algorithm: ChecksumAlgorithm.Crc64Nvme or ChecksumAlgorithm.Crc32C or ChecksumAlgorithm.Crc32 } checksum ? checksum : null;
}
