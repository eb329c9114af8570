using System.Diagnostics;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>Another program as a contender. The process of the contender only starts it, and the program's own cost is measured.</summary>
internal static class ContenderProgram
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(10);
    private static readonly TimeSpan BetweenLooks = TimeSpan.FromMilliseconds(50);

    /// <summary>Creates the start of a program without the AWS settings of this machine, which are for another store.</summary>
    public static ProcessStartInfo Create(string executable, IEnumerable<string> arguments)
    {
        ProcessStartInfo start = new(executable, arguments) { UseShellExecute = false, RedirectStandardOutput = true };
        foreach (string variable in start.Environment.Keys.Where(static name => name.StartsWith("AWS_", StringComparison.Ordinal)).ToArray())
        {
            start.Environment.Remove(variable);
        }

        return start;
    }

    /// <summary>Runs a program to its end, and sets <see cref="Workbench.Child"/>.</summary>
    /// <param name="bench">The objects of the contender.</param>
    /// <param name="start">The start of the program.</param>
    /// <param name="reportedRuns">The number of runs that the program reports; null to measure the whole process.</param>
    public static async Task RunAsync(Workbench bench, ProcessStartInfo start, int? reportedRuns = null)
    {
        ProcessUsage before = ProcessUsage.OfChildren();
        using Process process = Process.Start(start)!;
        using CancellationTokenSource limit = new(Limit);
        Task<string> output = process.StandardOutput.ReadToEndAsync(limit.Token);
        long peak = 0;
        try
        {
            for (Task ended = process.WaitForExitAsync(limit.Token); !ended.IsCompleted; await Task.WhenAny(ended, Task.Delay(BetweenLooks)))
            {
                peak = Math.Max(peak, PeakMemory(process));
            }

            await process.WaitForExitAsync(limit.Token);
        }
        catch (OperationCanceledException exception)
        {
            process.Kill(entireProcessTree: true);
            throw new TimeoutException($"{start.FileName} didn't end within {Limit}.", exception);
        }

        if (process.ExitCode != 0)
        {
            throw new InvalidOperationException($"{start.FileName} failed with exit code {process.ExitCode}.");
        }

        ProcessUsage usage = ProcessUsage.OfChildren() - before;
        bench.Child = new ProgramCost(usage.CpuSeconds, peak, usage.ContextSwitches);
        if (reportedRuns is { } runs)
        {
            ProgramReport report = ProgramReport.Parse(await output);
            if (report.Bytes != bench.ObjectBytes)
            {
                throw new InvalidDataException($"{start.FileName} transferred {report.Bytes} of {bench.ObjectBytes} bytes.");
            }

            bench.Child = new ProgramCost(report.CpuSeconds, peak, (double)usage.ContextSwitches / runs) { Seconds = report.Seconds, Runs = runs };
        }
    }

    // The system's own peak of a child that has ended would include the memory of the process that started it.
    private static long PeakMemory(Process process)
    {
        try
        {
            process.Refresh();
            return process.PeakWorkingSet64;
        }
        catch (InvalidOperationException)
        {
            return 0; // it has just ended, and the system doesn't tell anymore
        }
    }
}
