using System.Buffers.Binary;
using Transfer.S3.Integrity;

namespace Transfer.S3;

/// <summary>A CRC that S3 uses as a checksum. Checksums of adjacent blocks can be combined.</summary>
/// <remarks>The polynomials are reflected, with an initial value and a final XOR value of all ones. Values are final CRCs, as S3 returns them. All members are thread-safe.</remarks>
/// <example>
/// <code>
/// ulong first = Crc.Crc64Nvme.Compute("hello, "u8);
/// ulong second = Crc.Crc64Nvme.Compute("world"u8);
/// ulong whole = Crc.Crc64Nvme.Combine(first, second, "world"u8.Length);
/// Console.WriteLine(Crc.Crc64Nvme.ToBase64(whole)); // as x-amz-checksum-crc64nvme has it
/// </code>
/// </example>
public sealed class Crc
{
    private readonly CrcPolynomial _polynomial;
    private readonly CrcTable _table;
    private readonly CrcFold _fold;
    private readonly ulong _allOnes;

    // All parts of an object except the last have the same length. The record is immutable, so replacing it is one atomic write. Concurrent threads
    // may compute the same shift twice, which is harmless.
    private CrcShift _lastShift;

    private Crc(ulong reflectedPolynomial, int width)
    {
        CrcPolynomial extended = new(reflectedPolynomial, 64);
        _polynomial = new CrcPolynomial(reflectedPolynomial, width);
        _table = new CrcTable(extended);
        _fold = new CrcFold(extended, _table);
        _allOnes = ulong.MaxValue >> (64 - width);
        _lastShift = new CrcShift(0, _polynomial.ShiftOperator(0));
    }

    /// <summary>Gets CRC-64/NVME, the default of Amazon S3 (polynomial AD93D23594C93659).</summary>
    public static Crc Crc64Nvme { get; } = new(0x9A6C9329AC4BC9B5, 64);

    /// <summary>Gets CRC-32C, also known as Castagnoli (polynomial 1EDC6F41).</summary>
    public static Crc Crc32C { get; } = new(0x82F63B78, 32);

    /// <summary>Gets CRC-32, as used by ZIP, gzip, and Ethernet (polynomial 04C11DB7).</summary>
    public static Crc Crc32 { get; } = new(0xEDB88320, 32);

    private int ByteCount => _polynomial.Width / 8;

    /// <summary>Computes the CRC of data.</summary>
    /// <param name="data">The data.</param>
    /// <returns>The CRC.</returns>
    public ulong Compute(ReadOnlySpan<byte> data) => Append(0, data);

    /// <summary>Computes the CRC of a block followed by more data.</summary>
    /// <param name="crc">The CRC of the block; 0 for an empty block.</param>
    /// <param name="data">The data that follows the block.</param>
    /// <returns>The CRC.</returns>
    public ulong Append(ulong crc, ReadOnlySpan<byte> data)
    {
        ulong register = crc ^ _allOnes;
        return (CrcFold.IsSupported ? _fold.Append(register, data) : _table.Append(register, data)) ^ _allOnes;
    }

    /// <summary>Computes the CRC of two adjacent blocks from their CRCs.</summary>
    /// <param name="first">The CRC of the first block.</param>
    /// <param name="second">The CRC of the second block.</param>
    /// <param name="secondLength">The length of the second block, in bytes. The length of the first block isn't needed.</param>
    /// <returns>The CRC.</returns>
    /// <remarks>The time grows with the logarithm of the length. If the length is the same as in the previous call, one multiplication is enough.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Thrown when <paramref name="secondLength"/> is negative.</exception>
    public ulong Combine(ulong first, ulong second, long secondLength)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(secondLength);
        CrcShift shift = _lastShift;
        if (shift.ByteCount != secondLength)
        {
            shift = new CrcShift(secondLength, _polynomial.ShiftOperator(secondLength));
            _lastShift = shift;
        }

        // The initial value and the final XOR value are equal, so they cancel out: final CRCs combine in the same way as raw ones.
        return _polynomial.Multiply(first, shift.Operator) ^ second;
    }

    /// <summary>Converts a CRC to the form that S3 uses: the base64 encoding of its bytes, most significant byte first.</summary>
    /// <param name="value">The CRC.</param>
    /// <returns>The base64 encoding.</returns>
    public string ToBase64(ulong value)
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64BigEndian(bytes, value);
        return Convert.ToBase64String(bytes[^ByteCount..]);
    }

    /// <summary>Parses a CRC in the form of <see cref="ToBase64"/>.</summary>
    /// <param name="text">The base64 encoding.</param>
    /// <param name="value">The CRC; 0 if the text is invalid.</param>
    /// <returns>
    /// <see langword="true"/> if the text is valid; otherwise, <see langword="false"/>. A composite checksum (<c>...-N</c>) is invalid, because it isn't the CRC of
    /// the content.
    /// </returns>
    public bool TryParseBase64(string? text, out ulong value)
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        bytes.Clear();

        // Without the check of the length, text that contains white space would be accepted.
        if (text is null || text.Length != (ByteCount + 2) / 3 * 4
            || !Convert.TryFromBase64String(text, bytes[^ByteCount..], out int written) || written != ByteCount)
        {
            value = 0;
            return false;
        }

        value = BinaryPrimitives.ReadUInt64BigEndian(bytes);
        return true;
    }
}
