using Transfer.S3.Integrity;

namespace Transfer.S3;

/// <summary>
/// Computes CRC-32 checksums, as used by ZIP, gzip, and Ethernet. Data can be appended in pieces, and checksums of adjacent blocks can be combined.
/// </summary>
/// <remarks>
/// The polynomial is 04C11DB7, reflected, with an initial value and a final XOR value of all ones. S3 calls the algorithm CRC32. Static members are thread-safe;
/// instance members are not.
/// </remarks>
public sealed class Crc32
{
    private const int Width = 32;
    private const uint ReflectedPolynomial = 0xEDB88320;

    private static readonly CrcAlgorithm Algorithm = new(ReflectedPolynomial, Width);

    /// <summary>Gets the CRC of all data that was appended; 0 if there is none.</summary>
    public uint Value { get; private set; }

    /// <summary>Gets the number of bytes that were appended.</summary>
    public long Length { get; private set; }

    /// <summary>Computes the CRC of data.</summary>
    /// <param name="data">The data.</param>
    /// <returns>The CRC.</returns>
    public static uint Compute(ReadOnlySpan<byte> data) => Append(0, data);

    /// <summary>Computes the CRC of a block followed by more data.</summary>
    /// <param name="crc">The CRC of the block; 0 for an empty block.</param>
    /// <param name="data">The data that follows the block.</param>
    /// <returns>The CRC.</returns>
    public static uint Append(uint crc, ReadOnlySpan<byte> data) => (uint)Algorithm.Append(crc, data);

    /// <summary>Computes the CRC of two adjacent blocks from their CRCs.</summary>
    /// <param name="first">The CRC of the first block.</param>
    /// <param name="second">The CRC of the second block.</param>
    /// <param name="secondLength">The length of the second block, in bytes. The length of the first block isn't needed.</param>
    /// <returns>The CRC.</returns>
    /// <remarks>The time grows with the logarithm of the length. If the length is the same as in the previous call, one multiplication is enough.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Thrown when <paramref name="secondLength"/> is negative.</exception>
    public static uint Combine(uint first, uint second, long secondLength) => (uint)Algorithm.Combine(first, second, secondLength);

    /// <summary>Converts a CRC to the form that S3 uses: the base64 encoding of its bytes, most significant byte first.</summary>
    /// <param name="value">The CRC.</param>
    /// <returns>The base64 encoding.</returns>
    public static string ToBase64(uint value) => Algorithm.ToBase64(value);

    /// <summary>Parses a CRC in the form of <see cref="ToBase64"/>.</summary>
    /// <param name="text">The base64 encoding.</param>
    /// <param name="value">The CRC; 0 if the text is invalid.</param>
    /// <returns>
    /// <see langword="true"/> if the text is valid; otherwise, <see langword="false"/>. A composite checksum (<c>...-N</c>) is invalid, because it isn't the CRC of
    /// the content.
    /// </returns>
    public static bool TryParseBase64(string? text, out uint value)
    {
        bool parsed = Algorithm.TryParseBase64(text, out ulong wide);
        value = (uint)wide;
        return parsed;
    }

    /// <summary>Appends data.</summary>
    /// <param name="data">The data.</param>
    public void Append(ReadOnlySpan<byte> data)
    {
        Value = Append(Value, data);
        Length += data.Length;
    }

    /// <summary>Resets the instance to its initial state.</summary>
    public void Reset()
    {
        Value = 0;
        Length = 0;
    }
}
