namespace Transfer.S3.Verification;

/// <summary>A part that is complete in the file.</summary>
/// <param name="At">The offset of the first byte.</param>
/// <param name="Bytes">The number of bytes.</param>
/// <param name="Crc64Nvme">The CRC-64/NVME of the part. The content of the file is compared with it after a crash.</param>
internal sealed record CompletedPart(long At, long Bytes, string Crc64Nvme);
