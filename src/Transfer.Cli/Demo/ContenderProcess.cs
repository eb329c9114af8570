using System.Diagnostics;
using System.Text.Json;
using Transfer.S3.Bench.Demo;
using Transfer.S3.Bench.Text;

namespace Transfer.S3.Cli.Demo;

/// <summary>Runs <see cref="ContenderProgram"/> in a process of its own, so that processor time and memory are those of one library.</summary>
internal static class ContenderProcess
{
    private const string SharedHost = "dotnet";

    /// <summary>Runs a process to its end. A canceled one is killed.</summary>
    /// <exception cref="IOException">The process failed. The message contains what it wrote last.</exception>
    public static async Task<ContenderResult> RunAsync(ContenderTask task, CancellationToken cancellationToken)
    {
        using Process process = Start();
        try
        {
            Task<string> error = process.StandardError.ReadToEndAsync(cancellationToken);
            await process.StandardInput.WriteLineAsync(JsonSerializer.Serialize(task, DemoJsonContext.Default.ContenderTask).AsMemory(), cancellationToken).ConfigureAwait(false);
            await process.StandardInput.FlushAsync(cancellationToken).ConfigureAwait(false); // and stays open: its end would end the process
            string output = await process.StandardOutput.ReadToEndAsync(cancellationToken).ConfigureAwait(false);
            await process.WaitForExitAsync(cancellationToken).ConfigureAwait(false);
            if (process.ExitCode != ExitCode.Done || JsonSerializer.Deserialize(output, DemoJsonContext.Default.ContenderResult) is not { } result)
            {
                string reason = (await error.ConfigureAwait(false)).Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).FirstOrDefault() ?? $"exit code {process.ExitCode}";
                throw new IOException($"{DemoMeasurement.GetName(task.Engine)} failed: {Printable.Line(reason)}");
            }

            return result;
        }
        finally
        {
            if (!process.HasExited)
            {
                process.Kill();
            }
        }
    }

    private static Process Start()
    {
        // The host may be `dotnet`, which must be told which program it runs.
        string host = Environment.ProcessPath ?? SharedHost;
        bool isShared = Path.GetFileNameWithoutExtension(host) == SharedHost;
        ProcessStartInfo start = new(host, isShared ? [Path.Combine(AppContext.BaseDirectory, "transfer.dll"), ContenderProgram.Directive] : [ContenderProgram.Directive])
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };

        // Both libraries run with their defaults, whatever the variables of the user set.
        foreach (string name in start.Environment.Keys.Where(static name => name.StartsWith("TRANSFER_", StringComparison.Ordinal) || name.StartsWith("AWS_", StringComparison.Ordinal)).ToArray())
        {
            start.Environment.Remove(name);
        }

        return Process.Start(start)!;
    }
}
