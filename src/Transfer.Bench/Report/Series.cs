using Transfer.S3.Bench.Results;
using Transfer.S3.Bench.Sweep;

namespace Transfer.S3.Bench.Report;

/// <summary>The settings of one part size, which have their own line, color, and mark.</summary>
/// <param name="Index">The index of the series.</param>
/// <param name="PartSizeBytes">The part size; null if the operation has no parts.</param>
/// <param name="Settings">The settings by concurrency, with auto last.</param>
internal sealed record Series(int Index, long? PartSizeBytes, IReadOnlyList<SettingResult> Settings)
{
    /// <summary>The number of colors in page.css. It differs from the number of marks, so that a repeated color has another mark.</summary>
    private const int Colors = 6;
    private const double Radius = 4;

    public string Name => PartSizeBytes is { } size ? ByteSize.FormatExact(size) : "all";

    public string Color => $"s{Index % Colors}";

    public static IReadOnlyList<Series> From(BenchReport report) =>
    [
        .. report.Settings
            .GroupBy(setting => setting.PartSizeBytes)
            .OrderBy(group => group.Key)
            .Select((group, index) => new Series(index, group.Key, [.. group.OrderBy(setting => setting.Concurrency ?? int.MaxValue)])),
    ];

    /// <summary>Gets a short name of a setting: "64MiB × 16", or "16 requests" if there are no parts.</summary>
    public static string GetName(SettingResult setting)
    {
        string concurrency = new Setting(setting.PartSizeBytes, setting.Concurrency).ConcurrencyText;
        return setting.PartSizeBytes is { } size ? $"{ByteSize.FormatExact(size)} × {concurrency}" : setting.Concurrency is null ? concurrency : $"{concurrency} requests";
    }

    /// <summary>Gets the mark, which distinguishes the series without colors.</summary>
    public HtmlText Mark(double x, double y) => (Index % 5) switch
    {
        0 => HtmlText.From($"""<circle class="mark {Color}" cx="{x}" cy="{y}" r="{Radius}"/>"""),
        1 => HtmlText.From($"""<rect class="mark {Color}" x="{x - Radius}" y="{y - Radius}" width="{Radius * 2}" height="{Radius * 2}"/>"""),
        2 => HtmlText.From($"""<path class="mark {Color}" d="M{x} {y - Radius - 1}L{x + Radius + 1} {y + Radius}H{x - Radius - 1}Z"/>"""),
        3 => HtmlText.From($"""<path class="mark {Color}" d="M{x} {y - Radius - 1.5}L{x + Radius + 1.5} {y}L{x} {y + Radius + 1.5}L{x - Radius - 1.5} {y}Z"/>"""),
        _ => HtmlText.From($"""<path class="mark {Color}" d="M{x} {y + Radius + 1}L{x + Radius + 1} {y - Radius}H{x - Radius - 1}Z"/>"""),
    };
}
