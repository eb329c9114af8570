using Transfer.S3.Server.Checksums;

namespace Transfer.S3.Server.Storage;

/// <summary>A part of an incomplete upload.</summary>
internal sealed class StoredPart
{
    public required int Number { get; init; }

    public required string ETag { get; init; }

    public required DateTimeOffset LastModified { get; init; }

    /// <summary>Gets the computed checksums: that of the upload's algorithm, and any other that the client sent.</summary>
    public required IReadOnlyList<ChecksumValue> Checksums { get; init; }

    public required Content Content { get; init; }

    public long Size => Content.Length;

    public string? GetChecksum(ChecksumAlgorithm algorithm)
    {
        foreach (ChecksumValue checksum in Checksums)
        {
            if (checksum.Algorithm == algorithm)
            {
                return checksum.Value;
            }
        }

        return null;
    }
}
