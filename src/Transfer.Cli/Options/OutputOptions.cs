using System.CommandLine;
using Transfer.S3.Cli.Commands;

namespace Transfer.S3.Cli.Options;

/// <summary>The options that select what the tool writes.</summary>
internal sealed class OutputOptions
{
    private const string JsonOfEntries = "Write one JSON object on each line of standard output, and the result as one JSON object on the last line of standard error.";

    private Option<bool>? _entriesWith;
    private bool _hasEntries;

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
    /// <param name="entries">Whether the command writes entries: what it lists, or a line for each object.</param>
    /// <param name="entriesWith">The option with which the command writes entries; null if it never does, or always.</param>
    public void AddTo(
        Command command, bool hideProgress = false, bool hideTransfers = false, bool reports = false, bool telemetry = true, bool entries = false, Option<bool>? entriesWith = null)
    {
        (_hasEntries, _entriesWith) = (entries, entriesWith);
        if (entries)
        {
            Json.Description = JsonOfEntries;
        }
        else if (entriesWith is not null)
        {
            Json.Description += $" With {entriesWith.Name}, a line for each object is on standard output, and the result on standard error.";
        }

        command.AddGroup("Output", reports ? [Json, Quiet, Progress, Report] : hideProgress ? [Json, Quiet] : [Json, Quiet, Progress]);
        if (telemetry)
        {
            Telemetry.AddTo(command, hideTransfers);
        }
    }

    /// <summary>Returns whether the command writes entries, so that standard output of --json has only these, and the result is on standard error.</summary>
    public bool WritesEntries(OptionValues values) => _hasEntries || (_entriesWith is { } option && values.IsOn(option));
}
