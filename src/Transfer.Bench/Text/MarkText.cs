using Transfer.S3.Bench.Results;

namespace Transfer.S3.Bench.Text;

/// <summary>Gets the mark of the best settings.</summary>
internal static class MarkText
{
    public static string Format(SettingResult setting) => (setting.Best, setting.Knee) switch
    {
        (true, true) => "best, knee",
        (true, _) => "best",
        (_, true) => "knee",
        _ => string.Empty,
    };
}
