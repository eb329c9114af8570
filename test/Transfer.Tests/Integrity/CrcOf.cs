namespace Transfer.S3.Tests.Integrity;

/// <summary>Computes checksums in the format of S3.</summary>
internal static class CrcOf
{
    public static string Crc64Nvme(ReadOnlySpan<byte> content) => Transfer.S3.Crc64Nvme.ToBase64(Transfer.S3.Crc64Nvme.Compute(content));
}
