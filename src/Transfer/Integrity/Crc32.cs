using Transfer.Integrity;

namespace Transfer;

/// <summary>CRC-32 as in zip, gzip and Ethernet: computed as bytes pass, and combined from the values of neighbouring blocks.</summary>
/// <remarks>
/// Polynomial 04C11DB7, reflected, preset and inverted at the end. S3 calls it CRC32.
/// The static members are safe for use by several threads; an instance is not.
/// </remarks>
public sealed class Crc32
{
    private const int Width = 32;
    private const uint ReflectedPolynomial = 0xEDB88320;

    private static readonly CrcAlgorithm Algorithm = new(ReflectedPolynomial, Width);

    /// <summary>The CRC of all bytes appended so far; 0 when there are none.</summary>
    public uint Value { get; private set; }

    /// <summary>Number of bytes appended so far.</summary>
    public long Length { get; private set; }

    /// <summary>The CRC of <paramref name="data"/>.</summary>
    public static uint Compute(ReadOnlySpan<byte> data) => Append(0, data);

    /// <summary>The CRC of a block followed by <paramref name="data"/>.</summary>
    /// <param name="crc">The CRC of the block; 0 for an empty one.</param>
    /// <param name="data">The bytes behind it.</param>
    public static uint Append(uint crc, ReadOnlySpan<byte> data) => (uint)Algorithm.Append(crc, data);

    /// <summary>The CRC of two blocks, one behind the other, from the CRC of each.</summary>
    /// <param name="first">The CRC of the first block.</param>
    /// <param name="second">The CRC of the second block.</param>
    /// <param name="secondLength">The length of the second block in bytes; the length of the first does not matter.</param>
    /// <remarks>The work grows with the logarithm of the length; for the same length as in the call before, it is one multiplication.</remarks>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="secondLength"/> is negative.</exception>
    public static uint Combine(uint first, uint second, long secondLength) => (uint)Algorithm.Combine(first, second, secondLength);

    /// <summary>A value as S3 sends it: base64 of its bytes, most significant first.</summary>
    public static string ToBase64(uint value) => Algorithm.ToBase64(value);

    /// <summary>Reads what <see cref="ToBase64"/> writes.</summary>
    /// <param name="text">A value as S3 sends it.</param>
    /// <param name="value">The value; 0 when the text is none.</param>
    /// <returns>False for anything else: null, another length, or a composite checksum (<c>...-N</c>), which is not the CRC of the bytes.</returns>
    public static bool TryParseBase64(string? text, out uint value)
    {
        bool parsed = Algorithm.TryParseBase64(text, out ulong wide);
        value = (uint)wide;
        return parsed;
    }

    /// <summary>Takes in the next bytes.</summary>
    public void Append(ReadOnlySpan<byte> data)
    {
        Value = Append(Value, data);
        Length += data.Length;
    }

    /// <summary>Starts again with no bytes.</summary>
    public void Reset()
    {
        Value = 0;
        Length = 0;
    }
}
