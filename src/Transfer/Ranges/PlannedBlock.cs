namespace Transfer.S3.Ranges;

/// <summary>Neighboring ranges that are requested together.</summary>
/// <param name="Offset">The offset of the first byte in the object.</param>
/// <param name="Length">The number of bytes, including the gaps between the ranges.</param>
/// <param name="First">The index of the first range among the sorted ones.</param>
/// <param name="Count">The number of ranges.</param>
internal readonly record struct PlannedBlock(long Offset, long Length, int First, int Count);
