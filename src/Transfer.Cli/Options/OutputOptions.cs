using System.CommandLine;
using Transfer.S3.Cli.Commands;

namespace Transfer.S3.Cli.Options;

/// <summary>The options that select what the tool writes.</summary>
internal sealed class OutputOptions
{
    public Option<bool> Json { get; } = Declare.Flag(
        "--json", "Write the result as one JSON object, on the last line of standard output. If standard output is the target, on standard error.");

    public Option<bool> Quiet { get; } = Declare.Flag("--quiet", "Write only errors.", alias: "-q");

    public Option<string?> Progress { get; } = Declare.Text(
        "--progress", "auto|bar|plain|none", "How to show progress. plain writes a line every few seconds. Default: auto, a bar on a terminal and plain elsewhere.");

    public Option<string?> Report { get; } = Declare.RareText(
        "--report", "FILE", "Append a JSON line to a file for each object that was copied, moved, or deleted, was skipped, or failed, at most a second after that.");

    /// <summary>Gets the options that show what the command does while it runs.</summary>
    public TelemetryOptions Telemetry { get; } = new();

    /// <param name="command">The command to add the options to.</param>
    /// <param name="hideProgress">Whether the command shows no progress.</param>
    /// <param name="hideTransfers">Whether the command has no transfers and requests of the library to report.</param>
    /// <param name="reports">Whether the command copies, moves, or deletes objects, and can report each of them.</param>
    /// <param name="telemetry">Whether to add the options that show what the command does while it runs.</param>
    public void AddTo(Command command, bool hideProgress = false, bool hideTransfers = false, bool reports = false, bool telemetry = true)
    {
        command.AddGroup("Output", reports ? [Json, Quiet, Progress, Report] : hideProgress ? [Json, Quiet] : [Json, Quiet, Progress]);
        if (telemetry)
        {
            Telemetry.AddTo(command, hideTransfers);
        }
    }
}
