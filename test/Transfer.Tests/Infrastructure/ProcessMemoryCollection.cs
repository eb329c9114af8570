namespace Transfer.S3.Tests.Infrastructure;

/// <summary>Tests that measure the memory of the process. No other test runs at the same time.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class ProcessMemoryCollection
{
    public const string Name = "process memory";
}
