namespace Transfer.Tests.Integrity;

/// <summary>Checksums as S3 sends them.</summary>
internal static class CrcOf
{
    public static string Crc64Nvme(ReadOnlySpan<byte> content) => Transfer.Crc64Nvme.ToBase64(Transfer.Crc64Nvme.Compute(content));
}
