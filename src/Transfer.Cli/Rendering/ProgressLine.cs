using System.Globalization;

namespace Transfer.Cli.Rendering;

/// <summary>One line that says how far a transfer is, for any width: what matters least goes first.</summary>
internal static class ProgressLine
{
    private const int MinBarCells = 8;
    private const int MaxBarCells = 40;
    private const int MinNameCells = 8;
    private const int MaxNameCells = 32;
    private const int SizeCells = 8;
    private const int RateCells = 10;
    private const int ClockCells = 5;
    private const string Gap = "  ";

    /// <summary>Renders the line: never wider than <paramref name="width"/> cells.</summary>
    public static string Render(string name, TransferProgress progress, int width, ProgressStyle style)
    {
        // Each field keeps its width while numbers grow, so that the line stands still.
        string percent = Percent(progress);
        string bytes = Units.Size(progress.BytesTransferred).PadLeft(SizeCells);
        bytes = progress.TotalBytes is { } total ? $"{bytes} of {Units.Size(total)}" : bytes;
        bool hasRate = double.IsFinite(progress.BytesPerSecond);
        string rate = hasRate ? Units.Rate(progress.BytesPerSecond).PadLeft(RateCells) : string.Empty;
        string eta = hasRate && progress.TotalBytes is not null ? "eta " + Units.Clock(Left(progress)).PadLeft(ClockCells) : string.Empty;
        string parts = progress.TotalParts is { } all && all > 1
            ? progress.PartsCompleted.ToString(CultureInfo.InvariantCulture).PadLeft(all.ToString(CultureInfo.InvariantCulture).Length) + $"/{all} parts"
            : string.Empty;

        // From all that there is to say to the least.
        string[][] choices = [[percent, bytes, rate, eta, parts], [percent, bytes, rate, eta], [percent, rate, eta], [percent, rate], [percent.Length > 0 ? percent : bytes]];
        bool bar = progress.TotalBytes is not null;
        foreach (string[] fields in choices)
        {
            string text = string.Join(Gap, fields.Where(field => field.Length > 0));
            int room = width - text.Length - Gap.Length;
            int barCells = bar ? Math.Clamp((room - Gap.Length) / 2, 0, MaxBarCells) : 0;
            int nameCells = Math.Min(Math.Min(MaxNameCells, CellText.Width(name)), room - (barCells > 0 ? barCells + Gap.Length : 0));
            if (barCells >= MinBarCells && nameCells >= Math.Min(MinNameCells, CellText.Width(name)))
            {
                return CellText.Fit(name, nameCells, style.Mark) + Gap + style.Bar(Fraction(progress), barCells) + Gap + text;
            }

            if (!bar && nameCells >= Math.Min(MinNameCells, CellText.Width(name)))
            {
                return CellText.Fit(name, nameCells, style.Mark) + Gap + text;
            }
        }

        string least = percent.Length > 0 ? percent : bytes;
        return least.Length <= width ? least : string.Empty;
    }

    /// <summary>The line for a log: all of it, without a bar.</summary>
    public static string RenderPlain(string name, TransferProgress progress)
    {
        string rate = Units.Rate(progress.BytesPerSecond);
        return progress.TotalBytes is { } total
            ? $"{name}: {Percent(progress).Trim()}, {Units.Size(progress.BytesTransferred)} of {Units.Size(total)}, {rate}, eta {Units.Clock(Left(progress))}"
            : $"{name}: {Units.Size(progress.BytesTransferred)}, {rate}";
    }

    private static double Fraction(TransferProgress progress)
        => progress.TotalBytes is not > 0 ? 1 : Math.Clamp((double)progress.BytesTransferred / progress.TotalBytes.Value, 0, 1);

    // Rounded down: 100 % is when all is there.
    private static string Percent(TransferProgress progress)
        => progress.TotalBytes is null ? string.Empty : string.Create(CultureInfo.InvariantCulture, $"{(int)(Fraction(progress) * 100),3}%");

    private static TimeSpan? Left(TransferProgress progress)
    {
        double seconds = (progress.TotalBytes.GetValueOrDefault() - progress.BytesTransferred) / progress.BytesPerSecond;
        return seconds is >= 0 and < 1e9 ? TimeSpan.FromSeconds(Math.Ceiling(seconds)) : null;
    }
}
