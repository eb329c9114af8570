using System.Diagnostics;

namespace Transfer.S3.Integrity;

/// <summary>Arithmetic with polynomials over GF(2), modulo the generator of a reflected CRC.</summary>
/// <remarks>
/// Values are reflected like the CRC: the highest of <see cref="Width"/> bits is the coefficient of x^0, and the lowest is that of x^(width-1). A
/// reflected generator that is used with a greater width is the generator times x^(difference), and a register of the narrow CRC is also a valid
/// register of the wide one. Therefore, all kernels use 64 bits and also compute 32-bit CRCs.
/// </remarks>
internal sealed class CrcPolynomial
{
    private readonly ulong _one;

    public CrcPolynomial(ulong reflected, int width)
    {
        Debug.Assert(width is 32 or 64, $"The width is {width}; it must be 32 or 64.");
        Debug.Assert(width == 64 || reflected >> width == 0, $"{reflected:x} has more than {width} bits.");
        Reflected = reflected;
        Width = width;
        _one = 1UL << (width - 1);
    }

    /// <summary>Gets the reflected generator without its leading term: the value of x^width modulo the generator.</summary>
    public ulong Reflected { get; }

    /// <summary>Gets the degree of the generator.</summary>
    public int Width { get; }

    /// <summary>Multiplies two polynomials, modulo the generator.</summary>
    public ulong Multiply(ulong a, ulong b)
    {
        ulong product = 0;
        for (ulong term = _one; term != 0; term >>= 1)
        {
            if ((a & term) != 0)
            {
                product ^= b;
            }

            b = MultiplyByX(b);
        }

        return product;
    }

    /// <summary>Computes x^exponent modulo the generator.</summary>
    public ulong PowerOfX(int exponent)
    {
        Debug.Assert(exponent >= 0, $"x^{exponent} is not a polynomial.");
        return Power(_one >> 1, (ulong)exponent);
    }

    /// <summary>
    /// Computes x^(8 * <paramref name="byteCount"/>) modulo the generator: the factor for a CRC that is followed by that number of bytes.
    /// </summary>
    public ulong ShiftOperator(long byteCount)
    {
        Debug.Assert(byteCount >= 0, $"{byteCount} bytes can't follow.");
        return Power(_one >> 8, (ulong)byteCount);
    }

    /// <summary>
    /// Computes x^(2 * width) divided by the generator, without the remainder and the leading x^width: the constant of Barrett's reduction.
    /// </summary>
    public ulong Reciprocal()
    {
        ulong quotient = 0;
        ulong remainder = Reflected;
        for (int bit = 0; bit < Width; bit++)
        {
            quotient |= (remainder & 1) << bit;
            remainder = MultiplyByX(remainder);
        }

        return quotient;
    }

    private ulong MultiplyByX(ulong value) => (value >> 1) ^ (Reflected & unchecked(0UL - (value & 1)));

    private ulong Power(ulong value, ulong exponent)
    {
        ulong result = _one;
        for (; exponent != 0; exponent >>= 1)
        {
            if ((exponent & 1) != 0)
            {
                result = Multiply(result, value);
            }

            value = Multiply(value, value);
        }

        return result;
    }
}
