using FsCheck;
using FsCheck.Fluent;
using Transfer.S3.Integrity;

namespace Transfer.S3.Tests.Integrity;

/// <summary>Compares every kernel that this processor supports, and the table, with the definition.</summary>
public sealed class CrcFoldTests
{
    private const int MaxLength = 5000;
    private const int MaxOffset = 64;

    [Theory]
    [InlineData(CrcBitwise.Crc32)]
    [InlineData(CrcBitwise.Crc32C)]
    [InlineData(CrcBitwise.Crc64Nvme)]
    public void Append_LengthsAroundEveryBoundary_EveryKernelEqualsBitwise(ulong reflected)
    {
        Kernels kernels = new(reflected);
        int[] boundaries = [1, 8, 16, 17, 32, 64, 80, 128, 256, 320, 512, 576, 1024, 2048];
        byte[] data = CrcSample.Random(MaxLength + MaxOffset, seed: 1);
        foreach (int length in boundaries.SelectMany(boundary => (int[])[boundary - 1, boundary, boundary + 1]))
        {
            foreach (int offset in (int[])[0, 1, 7, 8, 15, 31, 63])
            {
                kernels.AssertEqual(0, data.AsSpan(offset, length));
                kernels.AssertEqual(reflected, data.AsSpan(offset, length));
            }
        }
    }

    [Theory]
    [InlineData(CrcBitwise.Crc32)]
    [InlineData(CrcBitwise.Crc32C)]
    [InlineData(CrcBitwise.Crc64Nvme)]
    public void Append_EachSingleBit_EveryKernelEqualsBitwise(ulong reflected)
    {
        // A CRC without initial value is linear: kernels that agree on each bit of a block agree on every block of that length.
        Kernels kernels = new(reflected);
        byte[] data = new byte[(2 * CrcFold.Minimum512) + 64 + 16 + 8 + 1];
        for (int bit = 0; bit < data.Length * 8; bit++)
        {
            data[bit / 8] = (byte)(1 << (bit % 8));
            kernels.AssertEqual(0, data);
            data[bit / 8] = 0;
        }

        for (int bit = 0; bit < (reflected > uint.MaxValue ? 64 : 32); bit++)
        {
            kernels.AssertEqual(1UL << bit, data);
        }
    }

    [Theory]
    [InlineData(CrcBitwise.Crc32)]
    [InlineData(CrcBitwise.Crc32C)]
    [InlineData(CrcBitwise.Crc64Nvme)]
    public void Append_RandomLengthsOffsetsAndCuts_EveryKernelEqualsBitwise(ulong reflected)
    {
        Kernels kernels = new(reflected);
        Prop.ForAll(
            Gen.Choose(0, MaxLength).ToArbitrary(),
            Gen.Choose(0, MaxOffset).ToArbitrary(),
            Gen.Choose(0, int.MaxValue).ToArbitrary(),
            (length, offset, seed) =>
            {
                byte[] data = CrcSample.Random(offset + length, seed);
                int cut = new Random(seed).Next(length + 1);
                ulong register = kernels.AssertEqual((ulong)seed & uint.MaxValue, data.AsSpan(offset, cut));
                kernels.AssertEqual(register, data.AsSpan(offset + cut));
            }).QuickCheckThrowOnFailure();
    }

    private sealed class Kernels
    {
        private readonly ulong _reflected;
        private readonly CrcTable _table;
        private readonly CrcFold _fold;

        public Kernels(ulong reflected)
        {
            CrcPolynomial polynomial = new(reflected, 64);
            _reflected = reflected;
            _table = new CrcTable(polynomial);
            _fold = new CrcFold(polynomial, _table);
        }

        public ulong AssertEqual(ulong register, ReadOnlySpan<byte> data)
        {
            ulong expected = CrcBitwise.Append(_reflected, register, data);
            Assert.Equal(expected, _table.Append(register, data));
            if (CrcFold.IsSupported)
            {
                Assert.Equal(expected, _fold.Append(register, data));
            }

            if (CrcFold.IsSupported && data.Length >= CrcFold.MinimumBytes)
            {
                Assert.Equal(expected, _fold.Append128(register, data));
            }

            if (CrcFold.Is256Supported && data.Length >= CrcFold.Minimum256)
            {
                Assert.Equal(expected, _fold.Append256(register, data));
            }

            if (CrcFold.Is512Supported && data.Length >= CrcFold.Minimum512)
            {
                Assert.Equal(expected, _fold.Append512(register, data));
            }

            return expected;
        }
    }
}
