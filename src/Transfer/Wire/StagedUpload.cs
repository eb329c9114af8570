using System.Text.Json.Serialization;

namespace Transfer.S3.Wire;

/// <summary>A multipart upload whose parts the store has: what the request needs that completes it, and what shows that it was completed.</summary>
/// <param name="UploadId">The ID of the upload.</param>
/// <param name="Parts">The parts, in order.</param>
/// <param name="Bytes">The number of bytes in all parts.</param>
/// <param name="Began">The time when the upload started; null if it isn't known.</param>
internal sealed record StagedUpload(string UploadId, IReadOnlyList<UploadedPart> Parts, long Bytes, DateTimeOffset? Began = null)
{
    /// <summary>Gets the algorithm of the checksums that were computed of the parts; None if none were, because the store has copied them.</summary>
    public ChecksumAlgorithm Algorithm { get; init; } = ChecksumAlgorithm.None;

    /// <summary>Gets the full-object checksum; null if none can be combined from the parts.</summary>
    public string? FullObject { get; init; }

    /// <summary>Gets the checksum that the store must have, full-object or composite; null if none is known.</summary>
    public string? Expected { get; init; }

    /// <summary>Gets the checksum of the whole source, if the parts are copies of another object; null if its store has none that can be compared.</summary>
    public StoredChecksum? SourceChecksum { get; init; }

    /// <summary>Gets the encryption of the source, which the object may not have; null if nothing can be lost.</summary>
    public string? SourceEncryption { get; init; }

    /// <summary>Gets the algorithm and the checksum with which the object is recognized.</summary>
    [JsonIgnore]
    public (ChecksumAlgorithm Algorithm, string? Value) Content => SourceChecksum is { } source ? (source.Algorithm, source.Value) : (Algorithm, Expected);

    /// <summary>Gets the same upload with the checksums of its parts.</summary>
    public StagedUpload With(Integrity.ObjectChecksum checksum) => this with { Algorithm = checksum.Algorithm, FullObject = checksum.FullObject, Expected = checksum.Expected };
}
