using System.Globalization;
using Transfer.S3.Bench.Text;

namespace Transfer.S3.Cli.Rendering;

/// <summary>The fields of a progress line.</summary>
/// <param name="Fraction">The progress from 0 to 1; null while the total is not known.</param>
/// <param name="Choices">The fields, from all of them to the most important one, for narrower lines. Each field keeps its width while numbers grow, so that the line doesn't move.</param>
/// <param name="Plain">All fields, as a sentence.</param>
internal sealed record ProgressFields(double? Fraction, string[][] Choices, string Plain)
{
    private const int SizeCells = 8;
    private const int RateCells = 10;
    private const int ClockCells = 5;
    private const int RequestCells = 12;

    /// <summary>The width of most limits, so that the line rarely moves when the limit changes.</summary>
    private const int LimitCells = 14;

    /// <summary>The most that is shown of what isn't confirmed.</summary>
    private const double AlmostAll = 0.99;

    /// <summary>The average size from which the time of objects depends on their size. Smaller objects take about the same time each.</summary>
    private const long LargeBytes = 1 << 20;

    /// <param name="progress">The progress.</param>
    /// <param name="ofMany">Whether many objects are transferred.</param>
    /// <param name="activity">What to show besides it; null for nothing.</param>
    public static ProgressFields From(TransferProgress progress, bool ofMany, ProgressActivity? activity = null)
    {
        ProgressFields fields = ofMany ? OfMany(progress) : OfOne(progress);
        if (activity is not { } now)
        {
            return fields;
        }

        string elapsed = "time " + Units.Clock(now.Elapsed).PadLeft(ClockCells);
        string requests = now.Requests > 0 ? Units.Count(now.Requests, "request", "requests").PadLeft(RequestCells) : string.Empty;
        return fields with { Choices = WithActivity(fields.Choices, elapsed, requests, Limit(progress)) };
    }

    /// <summary>Adds fields to those of the progress. What limits the transfer counts more than the number of requests and the bytes, which the percentage shows too.</summary>
    private static string[][] WithActivity(string[][] choices, string elapsed, string requests, string limit)
    {
        string[][] withLimit = limit.Length == 0 ? [] : [[.. choices[2], limit]]; // without it, it would come before the elapsed time
        return
        [
            [.. choices[0], elapsed, requests, limit],
            [.. choices[0], elapsed, limit],
            [.. choices[1], elapsed, limit],
            [.. choices[2], elapsed, limit],
            .. withLimit,
            [.. choices[2], elapsed],
            .. choices[2..],
        ];
    }

    /// <summary>Gets the progress of many objects, from 0 to 1; null while their number is not known.</summary>
    public static double? GetFraction(TransferProgress progress) => progress switch
    {
        { TotalObjects: null } => null,
        { TotalBytes: null } => OfObjects(progress),
        { TotalBytes: { } bytes, TotalObjects: { } objects } when bytes / LargeBytes >= objects && progress.ObjectsCompleted < objects
            => Math.Min(Part(progress.BytesTransferred, bytes), AlmostAll), // most objects are in progress for long
        _ => Math.Min(Part(progress.BytesTransferred, progress.TotalBytes.Value), OfObjects(progress)),
    };

    /// <summary>Gets the progress by objects. An object that is uploaded and not published has two of its three requests behind it.</summary>
    private static double OfObjects(TransferProgress progress) => Part((3 * progress.ObjectsCompleted) + (2 * progress.ObjectsUnpublished), 3 * progress.TotalObjects!.Value);

    private static ProgressFields OfOne(TransferProgress progress)
    {
        double? fraction = OfObject(progress);
        string percent = Percent(fraction);
        string bytes = Bytes(progress);
        string rate = Rate(progress);
        TimeSpan? left = Left(progress);
        string eta = Eta(progress, left);
        string parts = progress.TotalParts is { } total && total > 1
            ? progress.PartsCompleted.ToString(CultureInfo.InvariantCulture).PadLeft(total.ToString(CultureInfo.InvariantCulture).Length) + $"/{total} parts"
            : string.Empty;
        return new ProgressFields(
            fraction,
            [[percent, bytes, rate, eta, parts], [percent, bytes, rate, eta], [percent, rate, eta], [percent, rate], [percent.Length > 0 ? percent : bytes]],
            Sentence(percent, bytes, progress, left));
    }

    private static ProgressFields OfMany(TransferProgress progress)
    {
        double? fraction = GetFraction(progress);
        string percent = Percent(fraction);
        string bytes = Bytes(progress);
        string rate = Rate(progress);
        TimeSpan? left = progress.Remaining is { } remaining ? TimeSpan.FromSeconds(Math.Ceiling(remaining.TotalSeconds)) : null;
        string eta = Eta(progress, left);
        string count = Units.Number(progress.ObjectsCompleted);
        string objects = progress.TotalObjects is { } total ? $"{count.PadLeft(Units.Number(total).Length)} of {Units.Count(total, "object", "objects")}" : $"{count} objects";
        objects += progress.ObjectsUnpublished > 0 ? $", {Units.Number(progress.ObjectsUnpublished)} uploaded" : string.Empty;
        return new ProgressFields(
            fraction,
            [[percent, objects, bytes, rate, eta], [percent, objects, rate, eta], [percent, objects, eta], [percent, objects], [percent.Length > 0 ? percent : objects]],
            Sentence(percent, $"{objects.Trim()}, {bytes}", progress, left));
    }

    /// <summary>Gets the progress of one object. It is complete only when the store has confirmed it, and then it isn't shown anymore.</summary>
    private static double? OfObject(TransferProgress progress) => progress.TotalBytes is { } all ? Math.Min(Part(progress.BytesTransferred, all), AlmostAll) : null;

    private static double Part(long done, long all) => all <= 0 ? 1 : Math.Clamp((double)done / all, 0, 1);

    // Rounded down, so that 100% means completed.
    private static string Percent(double? fraction) => fraction is { } part ? string.Create(CultureInfo.InvariantCulture, $"{(int)(part * 100),3}%") : string.Empty;

    private static string Bytes(TransferProgress progress)
    {
        string bytes = ByteSize.Format(progress.BytesTransferred).PadLeft(SizeCells);
        return progress.TotalBytes is { } total ? $"{bytes} of {ByteSize.Format(total)}" : bytes;
    }

    private static string Rate(TransferProgress progress) => HasRate(progress) ? Units.Rate(progress.BytesPerSecond).PadLeft(RateCells) : string.Empty;

    private static bool HasRate(TransferProgress progress) => double.IsFinite(progress.BytesPerSecond) && Units.HasRate(progress.TotalBytes ?? progress.BytesTransferred);

    private static string Limit(TransferProgress progress) => BottleneckText.GetShortName(progress.Bottleneck) is { } name ? $"limit: {name}".PadRight(LimitCells) : string.Empty;

    private static string Eta(TransferProgress progress, TimeSpan? left)
        => double.IsFinite(progress.BytesPerSecond) && (progress.TotalBytes ?? progress.TotalObjects) is not null ? "eta " + Units.Clock(left).PadLeft(ClockCells) : string.Empty;

    private static string Sentence(string percent, string amount, TransferProgress progress, TimeSpan? left)
    {
        string known = percent.Length > 0 ? $"{percent.Trim()}, " : string.Empty;
        string eta = percent.Length > 0 ? $", eta {Units.Clock(left)}" : string.Empty;
        string words = string.Join(' ', amount.Split(' ', StringSplitOptions.RemoveEmptyEntries));
        string rate = HasRate(progress) ? $", {Units.Rate(progress.BytesPerSecond)}" : string.Empty;
        string limit = BottleneckText.GetName(progress.Bottleneck) is { } name ? $", limited by: {name}" : string.Empty;
        return $"{known}{words}{rate}{eta}{limit}";
    }

    private static TimeSpan? Left(TransferProgress progress)
    {
        double seconds = (progress.TotalBytes.GetValueOrDefault() - progress.BytesTransferred) / progress.BytesPerSecond;
        return seconds is >= 0 and < 1e9 ? TimeSpan.FromSeconds(Math.Ceiling(seconds)) : null;
    }
}
