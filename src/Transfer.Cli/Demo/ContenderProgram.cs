using System.Text.Json;
using Transfer.S3.Bench.Demo;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Demo;

/// <summary>The program of a process of the demonstration: measures one library, and writes the result.</summary>
internal static class ContenderProgram
{
    /// <summary>The command line that runs this program.</summary>
    public const string Directive = "[contender]";

    /// <summary>Runs the program. It ends early if its standard input does, because then the process that started it has ended.</summary>
    /// <returns>The exit code.</returns>
    public static async Task<int> RunAsync(TextReader input, ToolConsole console)
    {
        if (await input.ReadLineAsync().ConfigureAwait(false) is not { } line || JsonSerializer.Deserialize(line, DemoJsonContext.Default.ContenderTask) is not { } task)
        {
            return ExitCode.Usage;
        }

        using CancellationTokenSource orphaned = new();
        _ = CancelAtEndAsync(input, orphaned);
        try
        {
            TransferClientOptions options = new ClientLimits(task.Concurrency, task.PartSizeBytes, task.MemoryBytes).ToClientOptions();
            ContenderResult result = await Contender.MeasureAsync(task, options, orphaned.Token).ConfigureAwait(false);
            await console.Output.WriteLineAsync(JsonSerializer.Serialize(result, DemoJsonContext.Default.ContenderResult)).ConfigureAwait(false);
            console.Flush();
            return ExitCode.Done;
        }
#pragma warning disable CA1031 // the last place that can report it
        catch (Exception e)
#pragma warning restore CA1031
        {
            await console.Error.WriteLineAsync(Failure.From(e, null, orphaned.Token).Message).ConfigureAwait(false);
            return ExitCode.Failed;
        }
    }

    private static async Task CancelAtEndAsync(TextReader input, CancellationTokenSource orphaned)
    {
        // Reading standard input blocks its thread.
        await Task.Run(input.ReadToEnd).ConfigureAwait(false);
        await orphaned.CancelAsync().ConfigureAwait(false);
    }
}
