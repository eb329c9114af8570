namespace Transfer.Tests.Integrity;

/// <summary>An instance of any of the CRC classes, its value widened.</summary>
internal sealed record CrcInstance(Action<ReadOnlyMemory<byte>> Append, Func<ulong> Value, Func<long> Length, Action Reset);
