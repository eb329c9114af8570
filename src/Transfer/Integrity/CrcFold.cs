using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;
using ArmAes = System.Runtime.Intrinsics.Arm.Aes;

namespace Transfer.S3.Integrity;

/// <summary>Computes a CRC by carry-less multiplication, 16 to 256 bytes per step.</summary>
/// <remarks>
/// <para>
/// The algorithm is that of Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction". Data is treated as a
/// polynomial. A block that precedes another by D bits can be replaced by any polynomial that is congruent to block * x^D and is added to the other
/// block. Multiplying the two halves of the block by two constants results in such a polynomial of 128 bits. Several accumulators, one stride apart,
/// hide the latency of the multiplier.
/// </para>
/// <para>
/// Bit i of a 128-bit lane is the coefficient of x^(127-i), so the lower half contains the higher powers. The product of two reflected 64-bit values
/// has 127 bits and is one position too low, which is equivalent to an additional factor x. Therefore, the exponents of the constants are odd.
/// </para>
/// </remarks>
internal sealed class CrcFold
{
    /// <summary>The minimum number of bytes for this algorithm. Shorter data is processed with the table.</summary>
    public const int MinimumBytes = 16;

    /// <summary>The minimum number of bytes for <see cref="Append256"/> and for <see cref="Append512"/>.</summary>
    public const int Minimum256 = 128;
    public const int Minimum512 = 256;

    private readonly Vector128<ulong> _over16Bytes;
    private readonly Vector128<ulong> _over32Bytes;
    private readonly Vector128<ulong> _over64Bytes;
    private readonly Vector128<ulong> _over128Bytes;
    private readonly Vector128<ulong> _over256Bytes;
    private readonly Vector128<ulong> _over8Bytes;
    private readonly Vector128<ulong> _reduction;
    private readonly CrcTable _table;

    /// <param name="polynomial">The polynomial with a width of 64 bits, regardless of the width of the CRC.</param>
    /// <param name="table">The table of the same polynomial, for the bytes after the last full block.</param>
    public CrcFold(CrcPolynomial polynomial, CrcTable table)
    {
        Debug.Assert(polynomial.Width == 64, "The register has 64 bits.");
        _table = table;
        _over16Bytes = MoveOver(polynomial, 16);
        _over32Bytes = MoveOver(polynomial, 32);
        _over64Bytes = MoveOver(polynomial, 64);
        _over128Bytes = MoveOver(polynomial, 128);
        _over256Bytes = MoveOver(polynomial, 256);
        _over8Bytes = MoveOver(polynomial, 8);
        _reduction = Vector128.Create(polynomial.Reciprocal(), polynomial.Reflected);
    }

    /// <summary>Gets a value that indicates whether the processor supports carry-less multiplication.</summary>
    public static bool IsSupported => Pclmulqdq.IsSupported || ArmAes.IsSupported;

    /// <summary>Gets a value that indicates whether the processor supports carry-less multiplication of 256-bit vectors, as most client processors since 2020.</summary>
    public static bool Is256Supported => Pclmulqdq.V256.IsSupported && Vector256.IsHardwareAccelerated;

    /// <summary>Gets a value that indicates whether the processor supports carry-less multiplication of 512-bit vectors.</summary>
    public static bool Is512Supported => Pclmulqdq.V512.IsSupported && Vector512.IsHardwareAccelerated;

    /// <summary>
    /// Updates a register, which has neither an initial value nor a final XOR applied, with data. The fastest kernel for the length is used.
    /// </summary>
    public ulong Append(ulong register, ReadOnlySpan<byte> data) => data.Length switch
    {
        < MinimumBytes => _table.Append(register, data),
        >= Minimum512 when Is512Supported => Append512(register, data),
        >= Minimum256 when Is256Supported => Append256(register, data),
        _ => Append128(register, data),
    };

    /// <summary>The kernel for 128-bit vectors: four accumulators, 64 bytes per step.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)] // in a short process, the unoptimized form would take more time than the data
    internal ulong Append128(ulong register, ReadOnlySpan<byte> data)
    {
        Debug.Assert(data.Length >= MinimumBytes, $"{data.Length} bytes do not fill a block.");
        ref byte start = ref MemoryMarshal.GetReference(data);
        nuint length = (nuint)data.Length;
        nuint offset = 16;
        Vector128<ulong> a = Load128(ref start, 0) ^ Vector128.CreateScalar(register);
        if (length >= 64)
        {
            Vector128<ulong> over = _over64Bytes;
            Vector128<ulong> b = Load128(ref start, 16);
            Vector128<ulong> c = Load128(ref start, 32);
            Vector128<ulong> d = Load128(ref start, 48);
            for (offset = 64; length - offset >= 64; offset += 64)
            {
                a = Fold(a, over) ^ Load128(ref start, offset);
                b = Fold(b, over) ^ Load128(ref start, offset + 16);
                c = Fold(c, over) ^ Load128(ref start, offset + 32);
                d = Fold(d, over) ^ Load128(ref start, offset + 48);
            }

            a = Join(a, b, c, d);
        }

        return Finish(a, data, offset);
    }

    /// <summary>The kernel for 256-bit vectors: four accumulators, 128 bytes per step.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)] // see Append128
    internal ulong Append256(ulong register, ReadOnlySpan<byte> data)
    {
        Debug.Assert(data.Length >= Minimum256, $"{data.Length} bytes do not fill four blocks of 32 bytes.");
        ref byte start = ref MemoryMarshal.GetReference(data);
        nuint length = (nuint)data.Length;
        Vector256<ulong> over = Vector256.Create(_over128Bytes, _over128Bytes);
        Vector256<ulong> a = Load256(ref start, 0) ^ Vector256.CreateScalar(register);
        Vector256<ulong> b = Load256(ref start, 32);
        Vector256<ulong> c = Load256(ref start, 64);
        Vector256<ulong> d = Load256(ref start, 96);
        nuint offset = 128;
        for (; length - offset >= 128; offset += 128)
        {
            a = Fold(a, over) ^ Load256(ref start, offset);
            b = Fold(b, over) ^ Load256(ref start, offset + 32);
            c = Fold(c, over) ^ Load256(ref start, offset + 64);
            d = Fold(d, over) ^ Load256(ref start, offset + 96);
        }

        over = Vector256.Create(_over32Bytes, _over32Bytes);
        a = Fold(a, over) ^ b;
        a = Fold(a, over) ^ c;
        a = Fold(a, over) ^ d;
        for (; length - offset >= 32; offset += 32)
        {
            a = Fold(a, over) ^ Load256(ref start, offset);
        }

        return Finish(Fold(a.GetLower(), _over16Bytes) ^ a.GetUpper(), data, offset);
    }

    /// <summary>The kernel for 512-bit vectors: four accumulators, 256 bytes per step.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)] // see Append128
    internal ulong Append512(ulong register, ReadOnlySpan<byte> data)
    {
        Debug.Assert(data.Length >= Minimum512, $"{data.Length} bytes do not fill four blocks of 64 bytes.");
        ref byte start = ref MemoryMarshal.GetReference(data);
        nuint length = (nuint)data.Length;
        Vector512<ulong> over = Vector512.Create(_over256Bytes);
        Vector512<ulong> a = Load512(ref start, 0) ^ Vector512.CreateScalar(register);
        Vector512<ulong> b = Load512(ref start, 64);
        Vector512<ulong> c = Load512(ref start, 128);
        Vector512<ulong> d = Load512(ref start, 192);
        nuint offset = 256;
        for (; length - offset >= 256; offset += 256)
        {
            a = Fold(a, over) ^ Load512(ref start, offset);
            b = Fold(b, over) ^ Load512(ref start, offset + 64);
            c = Fold(c, over) ^ Load512(ref start, offset + 128);
            d = Fold(d, over) ^ Load512(ref start, offset + 192);
        }

        over = Vector512.Create(_over64Bytes);
        a = Fold(a, over) ^ b;
        a = Fold(a, over) ^ c;
        a = Fold(a, over) ^ d;
        for (; length - offset >= 64; offset += 64)
        {
            a = Fold(a, over) ^ Load512(ref start, offset);
        }

        Vector256<ulong> front = a.GetLower();
        Vector256<ulong> back = a.GetUpper();
        return Finish(Join(front.GetLower(), front.GetUpper(), back.GetLower(), back.GetUpper()), data, offset);
    }

    /// <summary>
    /// Gets the constants that move a block by the specified number of bytes: one for its higher powers (the lower half), and one for the others.
    /// </summary>
    private static Vector128<ulong> MoveOver(CrcPolynomial polynomial, int bytes) =>
        Vector128.Create(polynomial.PowerOfX((8 * bytes) + 63), polynomial.PowerOfX((8 * bytes) - 1));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<ulong> Load128(ref byte start, nuint offset) => Vector128.LoadUnsafe(ref start, offset).AsUInt64();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<ulong> Load256(ref byte start, nuint offset) => Vector256.LoadUnsafe(ref start, offset).AsUInt64();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector512<ulong> Load512(ref byte start, nuint offset) => Vector512.LoadUnsafe(ref start, offset).AsUInt64();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<ulong> MultiplyLower(Vector128<ulong> a, Vector128<ulong> b) => Pclmulqdq.IsSupported
        ? Pclmulqdq.CarrylessMultiply(a, b, 0x00)
        : ArmAes.PolynomialMultiplyWideningLower(a.GetLower(), b.GetLower());

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<ulong> MultiplyUpper(Vector128<ulong> a, Vector128<ulong> b) => Pclmulqdq.IsSupported
        ? Pclmulqdq.CarrylessMultiply(a, b, 0x11)
        : ArmAes.PolynomialMultiplyWideningUpper(a, b);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<ulong> Fold(Vector128<ulong> block, Vector128<ulong> over) => MultiplyLower(block, over) ^ MultiplyUpper(block, over);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<ulong> Fold(Vector256<ulong> block, Vector256<ulong> over) =>
        Pclmulqdq.V256.CarrylessMultiply(block, over, 0x00) ^ Pclmulqdq.V256.CarrylessMultiply(block, over, 0x11);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector512<ulong> Fold(Vector512<ulong> block, Vector512<ulong> over) =>
        Pclmulqdq.V512.CarrylessMultiply(block, over, 0x00) ^ Pclmulqdq.V512.CarrylessMultiply(block, over, 0x11);

    /// <summary>Combines four adjacent blocks into one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private Vector128<ulong> Join(Vector128<ulong> a, Vector128<ulong> b, Vector128<ulong> c, Vector128<ulong> d)
    {
        Vector128<ulong> over = _over16Bytes;
        return Fold(Fold(Fold(a, over) ^ b, over) ^ c, over) ^ d;
    }

    /// <summary>Processes the rest of the data, and reduces the accumulator to a register.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ulong Finish(Vector128<ulong> block, ReadOnlySpan<byte> data, nuint offset)
    {
        ref byte start = ref MemoryMarshal.GetReference(data);
        for (nuint length = (nuint)data.Length; length - offset >= 16; offset += 16)
        {
            block = Fold(block, _over16Bytes) ^ Load128(ref start, offset);
        }

        ulong register = Reduce(block);
        return offset == (nuint)data.Length ? register : _table.Append(register, data[(int)offset..]);
    }

    /// <summary>Computes block * x^64 modulo the polynomial with Barrett's method, which gets the quotient by multiplying by the reciprocal.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ulong Reduce(Vector128<ulong> block)
    {
        // The higher powers are moved by eight bytes, which results in 128 bits. The lower powers times x^64 are already the upper part of these.
        Vector128<ulong> dividend = MultiplyLower(block, _over8Bytes) ^ Vector128.CreateScalar(block.GetElement(1));
        ulong high = dividend.GetElement(0);

        // Both constants omit their leading term, which would add the other factor to the upper part of the product. The shifts remove the additional
        // factor x.
        ulong quotient = high ^ (MultiplyLower(dividend, _reduction).GetElement(0) << 1);
        Vector128<ulong> multiple = MultiplyUpper(Vector128.Create(0, quotient), _reduction);
        return dividend.GetElement(1) ^ (multiple.GetElement(1) << 1) ^ (multiple.GetElement(0) >> 63);
    }
}
