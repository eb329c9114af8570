namespace Transfer.Cli.Bench.Results;

/// <summary>The objects that were moved or asked for.</summary>
/// <param name="Bucket">Their bucket.</param>
/// <param name="Prefix">What their keys begin with; of generated ones the folder that was made for them.</param>
/// <param name="Generated">Whether they were made for this, and removed.</param>
/// <param name="Count">How many there are. A run may take each more than once.</param>
/// <param name="MinSizeBytes">The size of the smallest; null where no size was asked for.</param>
/// <param name="MaxSizeBytes">The size of the largest; null where no size was asked for.</param>
internal sealed record BenchObjects(string Bucket, string Prefix, bool Generated, int Count, long? MinSizeBytes, long? MaxSizeBytes);
