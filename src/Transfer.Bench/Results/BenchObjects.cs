namespace Transfer.S3.Bench.Results;

/// <summary>The objects of a benchmark.</summary>
/// <param name="Bucket">Their bucket.</param>
/// <param name="Prefix">The prefix of their keys; for generated objects, the folder that was created for them.</param>
/// <param name="Generated">Whether they were created for the benchmark and deleted.</param>
/// <param name="Count">The number of objects. A run can use each more than once.</param>
/// <param name="MinSizeBytes">The size of the smallest; null if the sizes aren't known.</param>
/// <param name="MaxSizeBytes">The size of the largest; null if the sizes aren't known.</param>
internal sealed record BenchObjects(string Bucket, string Prefix, bool Generated, int Count, long? MinSizeBytes, long? MaxSizeBytes);
