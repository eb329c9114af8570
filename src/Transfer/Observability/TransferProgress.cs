namespace Transfer;

/// <summary>How far a transfer is. Bytes and parts never go backwards, and the last report of a transfer that succeeds is the whole of it.</summary>
/// <param name="BytesTransferred">Bytes delivered to the target, or confirmed by the store.</param>
/// <param name="TotalBytes">Bytes in all; null while that is not known.</param>
/// <param name="BytesPerSecond">The rate of the last seconds; in the last report, of the whole transfer.</param>
/// <param name="PartsCompleted">Parts that are done.</param>
/// <param name="TotalParts">Parts in all; null while that is not known.</param>
public readonly record struct TransferProgress(long BytesTransferred, long? TotalBytes, double BytesPerSecond, int PartsCompleted, int? TotalParts);
