namespace Transfer.S3.Benchmarks.Compare;

/// <summary>The cost of a program that does the work in a process of its own.</summary>
/// <param name="CpuSeconds">The CPU time of the measured run.</param>
/// <param name="PeakMemoryBytes">The peak resident memory of the process.</param>
/// <param name="ContextSwitches">The context switches of a run: the average if the program runs several times.</param>
internal sealed record ProgramCost(double CpuSeconds, long PeakMemoryBytes, double ContextSwitches)
{
    /// <summary>Gets the elapsed time of the measured run; null if the whole process is measured.</summary>
    public double? Seconds { get; init; }

    /// <summary>Gets the number of runs in the process, of which the last one is measured.</summary>
    public int Runs { get; init; } = 1;
}
