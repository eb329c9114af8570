using System.Security.Cryptography;
using System.Text;
using System.Text.Json.Serialization;

namespace Transfer.S3.Jobs;

/// <summary>The multipart upload of a huge object, which all workers of the job share.</summary>
/// <param name="Key">The key of the object.</param>
/// <param name="UploadId">The ID of the upload.</param>
/// <param name="Checksum">The algorithm of the checksums of its parts.</param>
/// <param name="Began">When it was created, by the clock of the worker.</param>
internal sealed record JobUpload(string Key, string UploadId, ChecksumAlgorithm Checksum, DateTimeOffset Began)
{
    private const int MarkLength = 16;

    /// <summary>Gets the properties of the source that the target doesn't have, whatever the store does.</summary>
    public IReadOnlyList<string> Lost { get; init; } = [];

    /// <summary>Gets the encryption of the source, which the target may not have; null if nothing can be lost.</summary>
    public string? SourceEncryption { get; init; }

    /// <summary>Gets the checksum of the whole source that its store has; null if it has none that can be compared.</summary>
    public StoredChecksum? SourceChecksum { get; init; }

    /// <summary>Gets a short text that tells the upload from others. Results have it, so that parts of another upload don't count.</summary>
    [JsonIgnore]
    public string Mark => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(UploadId)))[..MarkLength];
}
