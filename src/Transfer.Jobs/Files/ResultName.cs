namespace Transfer.S3.Jobs;

/// <summary>The name of a file of results.</summary>
/// <param name="Shard">The index of the shard.</param>
/// <param name="Name">The name.</param>
/// <param name="Plan">The ID of the plan.</param>
/// <param name="Finished">The time that the last attempt took, if the file says that the shard is finished; null for a file with results.</param>
internal readonly record struct ResultName(int Shard, string Name, string Plan, TimeSpan? Finished);
