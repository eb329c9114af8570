namespace Transfer.Wire;

/// <summary>An object as it was when its copy began. Every request of the copy is pinned to that state.</summary>
internal sealed record CopySource(ObjectAddress Address, ObjectInfo Info)
{
    public string? CacheControl { get; init; }

    public string? ContentDisposition { get; init; }

    public string? ContentEncoding { get; init; }

    public string? ContentLanguage { get; init; }

    public string? Expires { get; init; }

    /// <summary>The checksum of its bytes that S3 can also combine from parts (Amazon S3 User Guide, "Checking object integrity"); null where it has another or none.</summary>
    public StoredChecksum? FullObjectChecksum
        => Info.Checksum is { IsComposite: false, Algorithm: ChecksumAlgorithm.Crc64Nvme or ChecksumAlgorithm.Crc32C or ChecksumAlgorithm.Crc32 } checksum ? checksum : null;
}
