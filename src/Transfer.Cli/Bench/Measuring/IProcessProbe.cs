namespace Transfer.Cli.Bench.Measuring;

/// <summary>What a process has used.</summary>
internal interface IProcessProbe
{
    /// <summary>Processors that it may use.</summary>
    int Cores { get; }

    /// <summary>Processor time since it began.</summary>
    TimeSpan CpuTime { get; }

    /// <summary>Memory that it holds now.</summary>
    long MemoryBytes { get; }
}
