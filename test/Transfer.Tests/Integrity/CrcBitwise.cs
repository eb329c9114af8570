namespace Transfer.S3.Tests.Integrity;

/// <summary>Computes CRCs by their definition, one bit at a time at their own width, as the reference for the fast implementations.</summary>
internal static class CrcBitwise
{
    public const ulong Crc64Nvme = 0x9A6C9329AC4BC9B5;
    public const ulong Crc32C = 0x82F63B78;
    public const ulong Crc32 = 0xEDB88320;

    public static ulong Compute(ulong reflectedPolynomial, int width, ReadOnlySpan<byte> data)
    {
        ulong allOnes = width == 64 ? ulong.MaxValue : (1UL << width) - 1;
        return Append(reflectedPolynomial, allOnes, data) ^ allOnes;
    }

    /// <summary>Appends data without initial value and final inversion.</summary>
    public static ulong Append(ulong reflectedPolynomial, ulong register, ReadOnlySpan<byte> data)
    {
        foreach (byte value in data)
        {
            register ^= value;
            for (int bit = 0; bit < 8; bit++)
            {
                register = (register & 1) != 0 ? (register >> 1) ^ reflectedPolynomial : register >> 1;
            }
        }

        return register;
    }
}
