namespace Transfer.Wire;

/// <summary>The ETag of a part and, if one was sent, its checksum.</summary>
internal readonly record struct UploadedPart(int Number, string? ETag, string? Checksum)
{
    /// <summary>Gets a value that indicates whether the store returned the checksum, so that it knows checksums of parts.</summary>
    public bool IsChecksumKnown { get; init; }
}
