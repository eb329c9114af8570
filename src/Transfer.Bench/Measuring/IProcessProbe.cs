namespace Transfer.S3.Bench.Measuring;

/// <summary>Measures the resources of a process.</summary>
internal interface IProcessProbe
{
    /// <summary>Gets the number of available processors.</summary>
    int Cores { get; }

    /// <summary>Gets the processor time since the start.</summary>
    TimeSpan CpuTime { get; }

    /// <summary>Gets the current memory.</summary>
    long MemoryBytes { get; }

    /// <summary>Gets the peak memory since the start.</summary>
    long PeakMemoryBytes { get; }
}
