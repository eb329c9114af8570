using System.CommandLine;
using Microsoft.Extensions.Logging;
using Transfer.S3.Cli.Commands;

namespace Transfer.S3.Cli.Options;

/// <summary>The options that show what a command does while it runs.</summary>
internal sealed class TelemetryOptions
{
    /// <summary>The value of --events for standard error.</summary>
    public const string StandardError = "-";

    private const string DetailedText = "2";

    public Option<bool> Verbose { get; } = Declare.Flag(
        "--verbose", "Log to standard error what the command does. -vv adds details: a line for each request, and why it is repeated. [env: TRANSFER_VERBOSE=1 or 2]", alias: "-v");

    public Option<bool> Debug { get; } = Declare.RareFlag("--debug", "Log all details, as -vv does, and show the stack trace of an error.");

    public Option<string?> Events { get; } = Declare.RareText(
        "--events", "FILE", "Append events to a file while the command runs, as JSON lines: transfers, requests, and retries. Give - for standard error, without progress.");

    public Option<string?> Trace { get; } = Declare.RareText(
        "--trace", "FILE", "Write each request and response to a file (HAR), to attach it to a bug report. Secrets and the data of objects are left out.");

    public Option<string?> MetricsAddress { get; } = Declare.RareText(
        "--metrics-address", "[HOST:]PORT", "Serve Prometheus metrics at http://HOST:PORT/metrics while the command runs. Default host: 127.0.0.1. Port 0 is any free port.");

    /// <param name="command">The command to add the options to.</param>
    /// <param name="hideTransfers">Whether to leave out what reports transfers and requests of the library, because the command has none.</param>
    public void AddTo(Command command, bool hideTransfers = false)
    {
        command.AddGroup("Diagnostics", hideTransfers ? [Verbose, Debug] : [Verbose, Debug, Events, Trace, MetricsAddress]);
    }

    /// <summary>Gets the least level of log messages to show.</summary>
    public LogLevel GetLogLevel(OptionValues values)
    {
        // TRANSFER_DEBUG alone adds nothing but the stack trace.
        bool isDebug = values.Accepts(Debug) && values.Flag(Debug);
        string variable = OptionValues.GetVariable(Verbose);
        int count = values.IsOnLine(Verbose) ? values.CountOnLine(Verbose)
            : !values.Accepts(Verbose) ? 0
            : values.Environment.Get(variable) is not { } text ? 0
            : text.Trim() == DetailedText ? 2
            : OptionValues.Convert<bool>(new GivenValue(variable, text), FlagText.TryParse, $"{DetailedText} for details, or {FlagText.Accepted}") ? 1
            : 0;
        return count switch
        {
            _ when isDebug => LogLevel.Debug,
            0 => LogLevel.Warning,
            1 => LogLevel.Information,
            _ => LogLevel.Debug,
        };
    }
}
