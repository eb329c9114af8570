namespace Transfer.S3.Bench.Demo;

/// <summary>What the demonstration measures.</summary>
/// <param name="SizeBytes">The size of the object.</param>
/// <param name="Folder">The directory for the files to upload.</param>
/// <param name="Concurrency">The number of concurrent requests of both libraries; null for their defaults.</param>
/// <param name="PartSizeBytes">The part size of both libraries; null for their defaults.</param>
/// <param name="MemoryBytes">The memory of this library; null for its default.</param>
internal sealed record DemoPlan(long SizeBytes, string Folder, int? Concurrency, long? PartSizeBytes, long? MemoryBytes);
