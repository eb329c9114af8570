using System.Diagnostics;

namespace Transfer.Integrity;

/// <summary>Arithmetic on polynomials over GF(2), modulo the generator of a reflected CRC.</summary>
/// <remarks>
/// Values are reflected as the CRC itself is: the highest of <see cref="Width"/> bits is the coefficient of x^0, the lowest that of x^(width-1).
/// The same reflected generator taken at a greater width is the generator times x^(difference), and a register of the narrow CRC is a register
/// of the wide one as it stands. So every kernel here works at 64 bits and serves the 32-bit CRCs unchanged.
/// </remarks>
internal sealed class CrcPolynomial
{
    private readonly ulong _one;

    public CrcPolynomial(ulong reflected, int width)
    {
        Debug.Assert(width is 32 or 64, $"A CRC of {width} bits has no use here.");
        Debug.Assert(width == 64 || reflected >> width == 0, $"{reflected:x} has more than {width} bits.");
        Reflected = reflected;
        Width = width;
        _one = 1UL << (width - 1);
    }

    /// <summary>The generator without its leading term, reflected: the value of x^width modulo the generator.</summary>
    public ulong Reflected { get; }

    /// <summary>Degree of the generator.</summary>
    public int Width { get; }

    /// <summary>a times b, modulo the generator.</summary>
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

    /// <summary>x^exponent modulo the generator.</summary>
    public ulong PowerOfX(int exponent)
    {
        Debug.Assert(exponent >= 0, $"x^{exponent} is not a polynomial.");
        return Power(_one >> 1, (ulong)exponent);
    }

    /// <summary>x^(8 * <paramref name="byteCount"/>) modulo the generator: what a CRC is multiplied by when that many bytes follow it.</summary>
    public ulong ShiftOperator(long byteCount)
    {
        Debug.Assert(byteCount >= 0, $"{byteCount} bytes cannot follow.");
        return Power(_one >> 8, (ulong)byteCount);
    }

    /// <summary>
    /// x^(2 * width) divided by the generator, remainder dropped and without the leading x^width: the constant of Barrett's reduction.
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
