namespace Transfer.Integrity;

/// <summary>What a CRC is multiplied by when <paramref name="ByteCount"/> bytes follow it.</summary>
/// <param name="ByteCount">Bytes that follow.</param>
/// <param name="Operator">x^(8 * <paramref name="ByteCount"/>) modulo the polynomial.</param>
internal sealed record CrcShift(long ByteCount, ulong Operator);
