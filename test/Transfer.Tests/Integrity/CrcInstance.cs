namespace Transfer.S3.Tests.Integrity;

/// <summary>An instance of any CRC class, with its value widened to 64 bits.</summary>
internal sealed record CrcInstance(Action<ReadOnlyMemory<byte>> Append, Func<ulong> Value, Func<long> Length, Action Reset);
