using Transfer.Integrity;

namespace Transfer;

/// <summary>
/// CRC-64/NVME, the checksum S3 keeps of an object unless told otherwise: computed as bytes pass, and combined from the values of
/// neighbouring blocks.
/// </summary>
/// <remarks>
/// Polynomial AD93D23594C93659, reflected, preset and inverted at the end. S3 calls it CRC64NVME.
/// The static members are safe for use by several threads; an instance is not.
/// </remarks>
public sealed class Crc64Nvme
{
    private const int Width = 64;
    private const ulong ReflectedPolynomial = 0x9A6C9329AC4BC9B5;

    private static readonly CrcAlgorithm Algorithm = new(ReflectedPolynomial, Width);

    /// <summary>The CRC of all bytes appended so far; 0 when there are none.</summary>
    public ulong Value { get; private set; }

    /// <summary>Number of bytes appended so far.</summary>
    public long Length { get; private set; }

    /// <summary>The CRC of <paramref name="data"/>.</summary>
    public static ulong Compute(ReadOnlySpan<byte> data) => Append(0, data);

    /// <summary>The CRC of a block followed by <paramref name="data"/>.</summary>
    /// <param name="crc">The CRC of the block; 0 for an empty one.</param>
    /// <param name="data">The bytes behind it.</param>
    public static ulong Append(ulong crc, ReadOnlySpan<byte> data) => Algorithm.Append(crc, data);

    /// <summary>The CRC of two blocks, one behind the other, from the CRC of each.</summary>
    /// <param name="first">The CRC of the first block.</param>
    /// <param name="second">The CRC of the second block.</param>
    /// <param name="secondLength">The length of the second block in bytes; the length of the first does not matter.</param>
    /// <remarks>The work grows with the logarithm of the length; for the same length as in the call before, it is one multiplication.</remarks>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="secondLength"/> is negative.</exception>
    public static ulong Combine(ulong first, ulong second, long secondLength) => Algorithm.Combine(first, second, secondLength);

    /// <summary>A value as S3 sends it: base64 of its bytes, most significant first.</summary>
    public static string ToBase64(ulong value) => Algorithm.ToBase64(value);

    /// <summary>Reads what <see cref="ToBase64"/> writes.</summary>
    /// <param name="text">A value as S3 sends it.</param>
    /// <param name="value">The value; 0 when the text is none.</param>
    /// <returns>False for anything else: null, another length, or a composite checksum (<c>...-N</c>), which is not the CRC of the bytes.</returns>
    public static bool TryParseBase64(string? text, out ulong value) => Algorithm.TryParseBase64(text, out value);

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
