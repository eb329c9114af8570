using Transfer.S3.Integrity;

namespace Transfer.S3.Tests.Integrity;

public sealed class CrcPolynomialTests
{
    [Theory]
    [InlineData(CrcBitwise.Crc32, 32, 12, 0x6655004f)]
    [InlineData(CrcBitwise.Crc32C, 32, 12, 0xa66805eb)]
    [InlineData(CrcBitwise.Crc64Nvme, 64, 12, 0x41088a3e5d7cb183)]
    [InlineData(CrcBitwise.Crc64Nvme, 64, 348575, 0xf13f9fffb8e59e83)]
    [InlineData(CrcBitwise.Crc64Nvme, 64, 5 << 20, 0xe852c6e487ad204d)]
    [InlineData(CrcBitwise.Crc64Nvme, 64, 8 << 20, 0x2574114889f670b2)]
    public void ShiftOperator_KnownLength_KnownValue(ulong reflected, int width, long byteCount, ulong expected) =>
        Assert.Equal(expected, new CrcPolynomial(reflected, width).ShiftOperator(byteCount));

    [Theory]
    [InlineData(CrcBitwise.Crc32, 32, 0xcbf43926, 0x6655004f, 0x871ebaf7)]
    [InlineData(CrcBitwise.Crc32C, 32, 0xe3069283, 0xa66805eb, 0x3f217db5)]
    [InlineData(CrcBitwise.Crc64Nvme, 64, 0xae8b14860a799888, 0x41088a3e5d7cb183, 0xf4f06423103cb5ab)]
    public void Multiply_KnownFactors_KnownProduct(ulong reflected, int width, ulong a, ulong b, ulong expected)
    {
        CrcPolynomial polynomial = new(reflected, width);

        Assert.Equal(expected, polynomial.Multiply(a, b));
        Assert.Equal(expected, polynomial.Multiply(b, a));
    }

    [Theory]
    [InlineData(CrcBitwise.Crc32, 32)]
    [InlineData(CrcBitwise.Crc32C, 32)]
    [InlineData(CrcBitwise.Crc64Nvme, 64)]
    public void PowerOfX_FirstPowers_AreSingleBitsThenThePolynomial(ulong reflected, int width)
    {
        CrcPolynomial polynomial = new(reflected, width);
        for (int exponent = 0; exponent < width; exponent++)
        {
            Assert.Equal(1UL << (width - 1 - exponent), polynomial.PowerOfX(exponent));
        }

        Assert.Equal(reflected, polynomial.PowerOfX(width));
        Assert.Equal(polynomial.ShiftOperator(97), polynomial.PowerOfX(8 * 97));
    }

    [Theory]
    [InlineData(CrcBitwise.Crc32)]
    [InlineData(CrcBitwise.Crc32C)]
    [InlineData(CrcBitwise.Crc64Nvme)]
    public void Reciprocal_TimesPolynomial_LeavesRemainderOfX128(ulong reflected)
    {
        // (x^64 + r)(x^64 + p) = x^128 + remainder. So the upper half of (r + p) x^64 + r p is zero, and
        // the lower half is x^128 modulo the generator.
        CrcPolynomial polynomial = new(reflected, 64);
        UInt128 product = (UInt128)(polynomial.Reciprocal() ^ reflected);
        for (int bit = 0; bit < 64; bit++)
        {
            // Both are reflected: bit i of each represents x^(63-i), and bit k of the 128 x^(127-k), so the shifted factor is one bit higher.
            if ((polynomial.Reciprocal() >> bit & 1) != 0)
            {
                product ^= (UInt128)reflected << (bit + 1);
            }
        }

        Assert.Equal(0UL, (ulong)(product & ulong.MaxValue));
        Assert.Equal(polynomial.PowerOfX(128), (ulong)(product >> 64));
    }
}
