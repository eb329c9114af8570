using System.Diagnostics;
using System.Globalization;
using System.Text.Json;

namespace Transfer.S3.Benchmarks.Compare;

/// <summary>Runs one measurement of one contender in a separate process.</summary>
internal static class ContenderProcess
{
    public const string Verb = "contender";

    /// <summary>The minimum bytes of a measurement, so that small objects are measured as long as large ones.</summary>
    private const long LeastBytes = 1024L * 1024 * 1024;

    /// <summary>Measures a contender.</summary>
    /// <param name="contest">The contest.</param>
    /// <param name="contender">The contender.</param>
    /// <param name="server">The server.</param>
    /// <param name="size">The size of an object, in bytes.</param>
    /// <param name="build">Another build of this program that includes the contender; null for this one.</param>
    public static async Task<Measurement> MeasureAsync(Contest contest, Contender contender, BenchmarkServer server, long size, string? build = null)
    {
        await server.BeginRecordingAsync();
        TimeSpan before = server.CpuTime();
        using Process process = ChildProcess.Start(
            [Verb, contest.Name, contender.Name, server.Endpoint.ToString(), size.ToString(CultureInfo.InvariantCulture), contest.ObjectsPerRun.ToString(CultureInfo.InvariantCulture)], server.CertificatePath, build, server.ClientCommand);
        string output = string.Empty;
        while (await process.StandardOutput.ReadLineAsync() is { } line)
        {
            if (line == Workbench.Mark)
            {
                await server.MarkAsync();
                await process.StandardInput.WriteLineAsync(line);
                await process.StandardInput.FlushAsync();
            }
            else
            {
                output = line;
            }
        }

        await process.WaitForExitAsync();
        if (process.ExitCode != 0)
        {
            throw new InvalidOperationException($"{contender.Name} failed with exit code {process.ExitCode}.");
        }

        Measurement measurement = JsonSerializer.Deserialize<Measurement>(output)!;
        return measurement with
        {
            ServerCpuSeconds = (server.CpuTime() - before).TotalSeconds * measurement.MeasuredShare,
            Server = await server.EndRecordingAsync(),
        };
    }

    /// <summary>Runs the measurement in the child process.</summary>
    public static async Task RunAsync(ReadOnlyMemory<string> arguments)
    {
        string[] a = arguments.ToArray();
        Contest contest = Contests.Find(a[0], int.Parse(a[4], CultureInfo.InvariantCulture));
        Contender contender = contest.Contenders.First(one => one.Name == a[1]);
        long size = long.Parse(a[3], CultureInfo.InvariantCulture);
        long bytesPerRun = size * contest.ObjectsPerRun;
        int runs = contest.Runs ?? (contest.ObjectsPerRun > 1 ? 1 : (int)Math.Max(1, LeastBytes / bytesPerRun));
        await using Workbench bench = new(new Uri(a[2]), size, contender.ClientOptions ?? new TransferClientOptions(), contest.IsOnDisk);
        contender.Prepare?.Invoke(bench);
        await (contender.PrepareAsync?.Invoke(bench) ?? Task.CompletedTask);
        Measurement measurement = await Measurement.TakeAsync(
            () => contender.RunAsync(bench), () => (contender.WarmUpAsync ?? contender.RunAsync)(bench), contender.WarmsUpItself ? null : contest.WarmUp, runs, bytesPerRun, contest.ObjectsPerRun);
        Console.WriteLine(JsonSerializer.Serialize(measurement with
        {
            Latencies = bench.Times is { } times ? Quantiles.From(times) : null,
            Shares = bench.Shares,
            PeakBufferBytes = bench.PeakBufferBytes,
            Seconds = bench.Child?.Seconds ?? measurement.Seconds,
            CpuSeconds = bench.Child?.CpuSeconds ?? measurement.CpuSeconds,
            ContextSwitches = bench.Child?.ContextSwitches ?? measurement.ContextSwitches,
            MeasuredShare = bench.Child is { } child ? 1.0 / child.Runs : measurement.MeasuredShare,
            PeakMemoryBytes = bench.Child?.PeakMemoryBytes ?? measurement.PeakMemoryBytes,
        }));
    }
}
