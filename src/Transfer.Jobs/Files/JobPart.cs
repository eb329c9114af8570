using System.Text.Json.Serialization;
using Transfer.S3.Integrity;
using Transfer.S3.Wire;

namespace Transfer.S3.Jobs;

/// <summary>A part of a huge object that the store has received.</summary>
/// <param name="Number">The number, from 1.</param>
/// <param name="Bytes">The size.</param>
/// <param name="ETag">The ETag.</param>
internal sealed record JobPart(int Number, long Bytes, [property: JsonPropertyName("etag")] string ETag)
{
    /// <summary>Gets the algorithm of the checksum; null if none was computed, because the store has copied the part by itself.</summary>
    public ChecksumAlgorithm? Algorithm { get; init; }

    /// <summary>Gets the checksum that was computed while the part was read; null if none was.</summary>
    public string? Checksum { get; init; }

    /// <summary>Gets the checksum in the response, if it isn't the same, such as that of a copied part.</summary>
    public string? Stored { get; init; }

    /// <summary>Gets a value that indicates whether the store returned the checksum.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool IsChecksumKnown { get; init; }

    public static JobPart From(UploadedPart part, long bytes, PartChecksumValue checksum)
    {
        string? computed = checksum.Digest is { } digest ? Convert.ToBase64String(digest) : checksum.Crc.ToBase64(checksum.Algorithm);
        return new JobPart(part.Number, bytes, part.ETag)
        {
            Algorithm = computed is null ? null : checksum.Algorithm,
            Checksum = computed,
            Stored = part.Checksum == computed ? null : part.Checksum,
            IsChecksumKnown = part.IsChecksumKnown,
        };
    }

    /// <summary>Gets the part as the request that completes the upload needs it.</summary>
    public UploadedPart ToUploaded() => new(Number, ETag, Stored ?? Checksum) { IsChecksumKnown = IsChecksumKnown };

    /// <summary>Gets the checksum, to combine it with those of the other parts.</summary>
    public PartChecksumValue ToChecksum() => PartChecksum.TryParse(Algorithm ?? ChecksumAlgorithm.None, Checksum, Bytes) ?? new PartChecksumValue(ChecksumAlgorithm.None, CrcSet.Unknown(Bytes), null);
}
