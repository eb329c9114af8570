namespace Transfer.S3.Server.Checksums;

/// <summary>Computes the CRC of a block that is followed by data.</summary>
/// <param name="crc">The CRC of the block; 0 for an empty block.</param>
/// <param name="data">The data.</param>
internal delegate ulong CrcStep(ulong crc, ReadOnlySpan<byte> data);
