using Transfer.Server.Checksums;

namespace Transfer.Server.Storage;

/// <summary>A part of an upload that is not completed.</summary>
internal sealed class StoredPart
{
    public required int Number { get; init; }

    public required string ETag { get; init; }

    public required DateTimeOffset LastModified { get; init; }

    /// <summary>What was computed: the upload's algorithm, and what the client sent beside it.</summary>
    public required IReadOnlyList<ChecksumValue> Checksums { get; init; }

    public required Content Content { get; init; }

    public long Size => Content.Length;

    public string? ChecksumOf(ChecksumKind algorithm)
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
