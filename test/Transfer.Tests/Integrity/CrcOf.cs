namespace Transfer.S3.Tests.Integrity;

/// <summary>Computes checksums in the format of S3.</summary>
internal static class CrcOf
{
    public static string Crc64Nvme(ReadOnlySpan<byte> content) => Crc.Crc64Nvme.ToBase64(Crc.Crc64Nvme.Compute(content));
}
