using System.Buffers.Binary;
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Transfer.S3.Integrity;

/// <summary>
/// Computes a CRC with tables, eight bytes per step. It is used without carry-less multiplication, and for the bytes that <see cref="CrcFold"/>
/// leaves.
/// </summary>
/// <remarks>
/// The algorithm is slicing-by-8 of Kounavis and Berry, "Novel Table Lookup-Based Algorithms for High-Performance CRC Generation". Sixteen slices
/// would fill the first-level cache, which the data needs.
/// </remarks>
internal sealed class CrcTable
{
    private const int Slices = 8;
    private const int SliceLength = 256;

    // Entry [slice, b] is the register after byte b, followed by as many zero bytes as the index of the slice. Slices are stored one after the other.
    private readonly ulong[] _entries = new ulong[Slices * SliceLength];

    /// <param name="polynomial">The polynomial with a width of 64 bits, regardless of the width of the CRC.</param>
    public CrcTable(CrcPolynomial polynomial)
    {
        Debug.Assert(polynomial.Width == 64, "The register has 64 bits.");
        for (int value = 0; value < SliceLength; value++)
        {
            ulong register = (ulong)value;
            for (int bit = 0; bit < 8; bit++)
            {
                register = (register >> 1) ^ (polynomial.Reflected & unchecked(0UL - (register & 1)));
            }

            _entries[value] = register;
        }

        for (int index = SliceLength; index < _entries.Length; index++)
        {
            ulong before = _entries[index - SliceLength];
            _entries[index] = (before >> 8) ^ _entries[(int)(before & 0xFF)];
        }
    }

    /// <summary>Updates a register, which has neither an initial value nor a final XOR applied, with data.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)] // in a short process, the unoptimized form would take more time than the data
    public ulong Append(ulong register, ReadOnlySpan<byte> data)
    {
        ReadOnlySpan<ulong> entries = _entries.AsSpan(0, Slices * SliceLength); // the compiler knows this length and omits range checks below
        while (data.Length >= sizeof(ulong))
        {
            register ^= BinaryPrimitives.ReadUInt64LittleEndian(data);
            register = entries[(7 * SliceLength) + (int)(register & 0xFF)]
                ^ entries[(6 * SliceLength) + (int)((register >> 8) & 0xFF)]
                ^ entries[(5 * SliceLength) + (int)((register >> 16) & 0xFF)]
                ^ entries[(4 * SliceLength) + (int)((register >> 24) & 0xFF)]
                ^ entries[(3 * SliceLength) + (int)((register >> 32) & 0xFF)]
                ^ entries[(2 * SliceLength) + (int)((register >> 40) & 0xFF)]
                ^ entries[(1 * SliceLength) + (int)((register >> 48) & 0xFF)]
                ^ entries[(int)(register >> 56)];
            data = data[sizeof(ulong)..];
        }

        foreach (byte value in data)
        {
            register = (register >> 8) ^ entries[(int)((register ^ value) & 0xFF)];
        }

        return register;
    }
}
