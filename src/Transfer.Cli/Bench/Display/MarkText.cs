using Transfer.Cli.Bench.Results;

namespace Transfer.Cli.Bench.Display;

/// <summary>What stands beside a setting that is worth more than the others.</summary>
internal static class MarkText
{
    public static string Of(SettingResult setting) => (setting.Best, setting.Knee) switch
    {
        (true, true) => "best, knee",
        (true, _) => "best",
        (_, true) => "knee",
        _ => string.Empty,
    };
}
