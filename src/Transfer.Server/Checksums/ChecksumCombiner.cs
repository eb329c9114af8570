using System.Buffers.Binary;

namespace Transfer.S3.Server.Checksums;

/// <summary>Computes the checksum of an object from those of its parts.</summary>
internal static class ChecksumCombiner
{
    /// <summary>Computes the checksum of all bytes from the values and lengths of the parts, without reading the content again.</summary>
    public static string FullObject(ChecksumAlgorithm algorithm, IEnumerable<(string Value, long Length)> parts)
    {
        ChecksumInfo info = ChecksumInfo.Get(algorithm);
        Func<ulong, ulong, long, ulong> combine = info.Combine ?? throw new InvalidOperationException($"{algorithm} can't be combined.");
        return ToBase64(parts.Aggregate(0UL, (crc, part) => combine(crc, FromBase64(part.Value), part.Length)), info.Bytes);
    }

    /// <summary>Computes the checksum of the parts' binary checksums, followed by the number of parts.</summary>
    public static string Composite(ChecksumAlgorithm algorithm, IReadOnlyCollection<string> values)
    {
        using RunningChecksum checksum = ChecksumInfo.Get(algorithm).Begin();
        foreach (string value in values)
        {
            checksum.Append(Convert.FromBase64String(value));
        }

        return $"{checksum.Finish()}-{values.Count}";
    }

    /// <summary>Converts a CRC to its <paramref name="bytes"/> bytes in big-endian order, in base64.</summary>
    public static string ToBase64(ulong crc, int bytes)
    {
        Span<byte> wide = stackalloc byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64BigEndian(wide, crc);
        return Convert.ToBase64String(wide[^bytes..]);
    }

    private static ulong FromBase64(string value)
    {
        Span<byte> wide = stackalloc byte[sizeof(ulong)];
        byte[] bytes = Convert.FromBase64String(value);
        wide.Clear();
        bytes.CopyTo(wide[^bytes.Length..]);
        return BinaryPrimitives.ReadUInt64BigEndian(wide);
    }
}
