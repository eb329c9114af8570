namespace Transfer.S3.Integrity;

/// <summary>The factor that a CRC is multiplied by when more bytes follow it.</summary>
/// <param name="ByteCount">The number of bytes that follow.</param>
/// <param name="Operator">x^(8 * <paramref name="ByteCount"/>) modulo the polynomial.</param>
internal sealed record CrcShift(long ByteCount, ulong Operator);
