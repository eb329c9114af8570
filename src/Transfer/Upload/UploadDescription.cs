namespace Transfer.S3.Upload;

/// <summary>What an upload is created with, and what is known of its source.</summary>
/// <param name="Request">The target with all headers.</param>
internal sealed record UploadDescription(UploadRequest Request)
{
    /// <summary>Gets the properties of the source that the target doesn't have, whatever the store does.</summary>
    public IReadOnlyList<string> Lost { get; init; } = [];

    /// <summary>Gets the encryption of the source, which the target may not have; null if nothing can be lost.</summary>
    public string? SourceEncryption { get; init; }

    /// <summary>Gets the checksum of the whole source that its store has; null if it has none that can be compared.</summary>
    public StoredChecksum? SourceChecksum { get; init; }
}
