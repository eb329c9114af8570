using System.Buffers.Binary;

namespace Transfer.S3.Integrity;

/// <summary>Implements the reflected CRCs whose initial value and final XOR value are all ones.</summary>
/// <remarks>Values are final CRCs, as S3 returns them. All members are thread-safe.</remarks>
internal sealed class CrcAlgorithm
{
    private readonly CrcPolynomial _polynomial;
    private readonly CrcTable _table;
    private readonly CrcFold _fold;
    private readonly ulong _allOnes;

    // All parts of an object except the last have the same length. The record is immutable, so replacing it is one atomic write. Concurrent threads
    // may compute the same shift twice, which is harmless.
    private CrcShift _lastShift;

    public CrcAlgorithm(ulong reflectedPolynomial, int width)
    {
        CrcPolynomial extended = new(reflectedPolynomial, 64);
        _polynomial = new CrcPolynomial(reflectedPolynomial, width);
        _table = new CrcTable(extended);
        _fold = new CrcFold(extended, _table);
        _allOnes = ulong.MaxValue >> (64 - width);
        _lastShift = new CrcShift(0, _polynomial.ShiftOperator(0));
    }

    private int ByteCount => _polynomial.Width / 8;

    /// <summary>Computes the CRC of a block with CRC <paramref name="crc"/> followed by <paramref name="data"/>.</summary>
    public ulong Append(ulong crc, ReadOnlySpan<byte> data)
    {
        ulong register = crc ^ _allOnes;
        return (CrcFold.IsSupported ? _fold.Append(register, data) : _table.Append(register, data)) ^ _allOnes;
    }

    /// <summary>Computes the CRC of two adjacent blocks, of which the second has <paramref name="secondLength"/> bytes.</summary>
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

    /// <summary>Returns the base64 encoding of the big-endian bytes, as in the x-amz-checksum headers.</summary>
    public string ToBase64(ulong value)
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64BigEndian(bytes, value);
        return Convert.ToBase64String(bytes[^ByteCount..]);
    }

    /// <summary>Parses the result of <see cref="ToBase64"/>.</summary>
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
