namespace Transfer.Cli.Options;

/// <summary>The validated output options.</summary>
internal sealed record OutputSettings(bool Json, bool Quiet, ProgressMode Progress)
{
    public static OutputSettings Resolve(OptionValues values, OutputOptions options) => new(
        values.IsOn(options.Json),
        values.IsOn(options.Quiet),
        values.Read<ProgressMode>(options.Progress, TryParse, "auto, bar, plain, or none") ?? ProgressMode.Auto);

    /// <summary>Gets how to show progress: none, plain, or a bar.</summary>
    /// <param name="isTerminal">Whether progress is written to a terminal.</param>
    public ProgressMode ShownTo(bool isTerminal) => Quiet ? ProgressMode.None
        : Progress != ProgressMode.Auto ? Progress
        : isTerminal ? ProgressMode.Bar
        : ProgressMode.Plain;

    private static bool TryParse(string text, out ProgressMode mode)
    {
        (bool known, mode) = text switch
        {
            "auto" => (true, ProgressMode.Auto),
            "bar" => (true, ProgressMode.Bar),
            "plain" => (true, ProgressMode.Plain),
            "none" => (true, ProgressMode.None),
            _ => (false, ProgressMode.Auto),
        };
        return known;
    }
}
