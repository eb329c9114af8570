using System.CommandLine;

namespace Transfer.S3.Cli.Options;

/// <summary>The validated output options.</summary>
internal sealed record OutputSettings(bool Json, bool Quiet, ProgressMode Progress)
{
    /// <summary>What --report accepts, in messages.</summary>
    public const string ReportAccepted = "a file";

    /// <summary>Gets the file that each object is reported to; null for none.</summary>
    public GivenValue? Report { get; private init; }

    public static OutputSettings Resolve(OptionValues values, OutputOptions options)
    {
        Option[] talkative = [.. new[] { options.Telemetry.Verbose, options.Telemetry.Debug }.Where(values.IsOnLine)];
        if (values.IsOnLine(options.Quiet) && talkative.Length > 0)
        {
            throw new UsageException($"{options.Quiet.Name} and {talkative[0].Name} contradict each other; specify only one of them");
        }

        bool isQuiet = values.IsOn(options.Quiet) && talkative.Length == 0;
        return new OutputSettings(values.IsOn(options.Json), isQuiet, GetProgress(values, options)) { Report = GetReport(values, options) };
    }

    /// <summary>Gets how to show progress: none, plain, or a bar.</summary>
    /// <param name="isTerminal">Whether progress is written to a terminal.</param>
    public ProgressMode ShownTo(bool isTerminal) => Quiet ? ProgressMode.None
        : Progress != ProgressMode.Auto ? Progress
        : isTerminal ? ProgressMode.Bar
        : ProgressMode.Plain;

    private static GivenValue? GetReport(OptionValues values, OutputOptions options)
        => !values.Accepts(options.Report) || values.Find(options.Report) is not { } given ? null
            : given.Text == TelemetryOptions.StandardError ? throw OptionValues.Wrong(given, ReportAccepted)
            : given;

    /// <summary>Events on standard error would mix with progress.</summary>
    private static ProgressMode GetProgress(OptionValues values, OutputOptions options)
    {
        if (!values.Accepts(options.Progress))
        {
            return ProgressMode.None;
        }

        ProgressMode mode = values.Choice<ProgressMode>(options.Progress) ?? ProgressMode.Auto;
        if (!values.Accepts(options.Telemetry.Events) || values.Find(options.Telemetry.Events)?.Text != TelemetryOptions.StandardError)
        {
            return mode;
        }

        return mode is ProgressMode.Auto or ProgressMode.None
            ? ProgressMode.None
            : throw OptionValues.Wrong(values.Find(options.Progress)!, $"none together with {options.Telemetry.Events.Name} {TelemetryOptions.StandardError}");
    }
}
