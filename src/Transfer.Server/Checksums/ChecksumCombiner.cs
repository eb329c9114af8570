using System.Buffers.Binary;

namespace Transfer.Server.Checksums;

/// <summary>Computes the checksum of an object from those of its parts.</summary>
internal static class ChecksumCombiner
{
    /// <summary>Computes the checksum of all bytes from the values and lengths of the parts, without reading the content again.</summary>
    public static string FullObject(ChecksumKind algorithm, IEnumerable<(string Value, long Length)> parts) => algorithm switch
    {
        ChecksumKind.Crc64Nvme => Crc64Nvme.ToBase64(parts.Aggregate(
            0UL,
            static (crc, part) => Crc64Nvme.Combine(crc, BinaryPrimitives.ReadUInt64BigEndian(Convert.FromBase64String(part.Value)), part.Length))),
        ChecksumKind.Crc32 => Crc32.ToBase64(parts.Aggregate(
            0U,
            static (crc, part) => Crc32.Combine(crc, BinaryPrimitives.ReadUInt32BigEndian(Convert.FromBase64String(part.Value)), part.Length))),
        ChecksumKind.Crc32C => Crc32C.ToBase64(parts.Aggregate(
            0U,
            static (crc, part) => Crc32C.Combine(crc, BinaryPrimitives.ReadUInt32BigEndian(Convert.FromBase64String(part.Value)), part.Length))),
        _ => throw new InvalidOperationException($"{algorithm} can't be combined."),
    };

    /// <summary>Computes the checksum of the parts' binary checksums, followed by the number of parts.</summary>
    public static string Composite(ChecksumKind algorithm, IReadOnlyCollection<string> values)
    {
        using var checksum = new RunningChecksum(algorithm);
        foreach (string value in values)
        {
            checksum.Append(Convert.FromBase64String(value));
        }

        return $"{checksum.Finish()}-{values.Count}";
    }
}
