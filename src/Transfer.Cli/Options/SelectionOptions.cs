using System.CommandLine;
using System.Globalization;
using Transfer.S3.Cli.Execution;

namespace Transfer.S3.Cli.Options;

/// <summary>The options that select files and objects.</summary>
/// <param name="verb">What the command does with what is selected.</param>
/// <param name="isAlwaysMany">Whether the command is always about many objects, so that it has no -r.</param>
internal sealed class SelectionOptions(string verb, bool isAlwaysMany = false)
{
    private const string AcceptedTime = "a time ago such as 12h or 7d, or a date such as 2026-01-31 or 2026-01-31T12:00Z";
    private const string AcceptedPattern = "a pattern such as *.jpg, 2026/*.jpg, or raw/";

    public Option<string[]> Include { get; } = Declare.Texts(
        "--include", "GLOB",
        Start(isAlwaysMany, $"{verb} only paths that match. Repeatable. *.jpg and raw match at any depth, 2026/*.jpg in that folder, ** any folders. A folder that matches is selected with everything in it: raw/, raw/*. Default: all paths."));

    public Option<string[]> Exclude { get; } = Declare.Texts(
        "--exclude", "GLOB",
        Start(isAlwaysMany, "leave out paths that match, and folders that match with everything in them. Repeatable. If --include follows, the last one that matches a path decides, as with the AWS CLI: --exclude '*' --include '*.jpg'."));

    public Option<string[]> FilterFrom { get; } = Declare.RareTexts(
        "--filter-from", "FILE",
        Start(isAlwaysMany, "read --include and --exclude from a file, in its place between the others: '+ GLOB' or '- GLOB' on each line. Lines that begin with # are comments."));

    public Option<string?> MinSize { get; } = Declare.RareText("--min-size", "SIZE", Start(isAlwaysMany, "only files and objects of at least this size."));

    public Option<string?> MaxSize { get; } = Declare.RareText("--max-size", "SIZE", Start(isAlwaysMany, "only files and objects of at most this size."));

    public Option<string?> NewerThan { get; } = Declare.RareText(
        "--newer-than", "TIME",
        Start(isAlwaysMany, "only what was modified at or after a time: 12h or 7d ago, or a date such as 2026-01-31 or 2026-01-31T12:00Z. A date without a zone is in local time."));

    public Option<string?> OlderThan { get; } = Declare.RareText("--older-than", "TIME", Start(isAlwaysMany, "only what was modified before a time. For its form, see --newer-than."));

    public Option<string[]> InStorageClass { get; } = Declare.RareTexts("--in-storage-class", "NAME", Start(isAlwaysMany, "only objects in this storage class. Repeatable."));

    public IReadOnlyList<Option> All => [Include, Exclude, FilterFrom, MinSize, MaxSize, NewerThan, OlderThan, InStorageClass];

    /// <summary>Begins the description of an option of many objects.</summary>
    public static string Start(bool isAlwaysMany, string text) => isAlwaysMany ? char.ToUpperInvariant(text[0]) + text[1..] : "With -r, " + text;

    /// <param name="values">The command line and the environment. A filter is read from the command line only, because it would silently change every command.</param>
    /// <param name="now">The current time.</param>
    /// <param name="hasStorageClass">Whether objects are selected, and not files.</param>
    public ObjectFilter Resolve(OptionValues values, DateTimeOffset now, bool hasStorageClass)
    {
        long? min = Size(values, MinSize, 0);
        return new ObjectFilter
        {
            Rules = [.. Rules(values)],
            MinSizeBytes = min,
            MaxSizeBytes = Size(values, MaxSize, min ?? 0),
            ModifiedSince = Time(values, NewerThan, now),
            ModifiedBefore = Time(values, OlderThan, now),
            StorageClasses = hasStorageClass ? Names(values) : [],
        };
    }

    /// <summary>Parses a time, which is a date or a duration before the current time.</summary>
    internal static bool TryParseTime(string text, DateTimeOffset now, out DateTimeOffset time)
    {
        if (DurationText.TryParse(text, out TimeSpan ago) && ago <= now - DateTimeOffset.MinValue)
        {
            time = now - ago;
            return true;
        }

        return DateTimeOffset.TryParseExact(
            text, ["yyyy-MM-dd", "yyyy-MM-dd'T'HH:mmK", "yyyy-MM-dd'T'HH:mm:ssK", "yyyy-MM-dd'T'HH:mm:ss.FFFFFFFK"], CultureInfo.InvariantCulture, DateTimeStyles.AssumeLocal, out time);
    }

    /// <summary>Parses the lines of a file with rules.</summary>
    internal static IEnumerable<FilterRule> ParseLines(IEnumerable<string> lines, GivenValue file)
    {
        int number = 0;
        foreach (string line in lines)
        {
            number++;
            string text = line.Trim();
            if (text.Length == 0 || text[0] == '#')
            {
                continue;
            }

            string pattern = text[1..].Trim();
            yield return text[0] is '+' or '-' && pattern.Length > 0 && char.IsWhiteSpace(text[1])
                ? new FilterRule(pattern, text[0] == '+')
                : throw OptionValues.Wrong(file, $"a file whose lines are '+ GLOB' or '- GLOB', and line {number} is '{text}'");
        }
    }

    /// <summary>Gets the rules in the order of the command line.</summary>
    private IEnumerable<FilterRule> Rules(OptionValues values)
    {
        foreach (GivenValue given in values.LinesInOrder(Include, Exclude, FilterFrom))
        {
            if (given.Source == FilterFrom.Name)
            {
                foreach (FilterRule rule in ParseLines(Read(given), given))
                {
                    yield return rule;
                }
            }
            else
            {
                yield return string.IsNullOrWhiteSpace(given.Text) ? throw OptionValues.Wrong(given, AcceptedPattern) : new FilterRule(given.Text, given.Source == Include.Name);
            }
        }
    }

    private static string[] Read(GivenValue file)
    {
        try
        {
            return File.ReadAllLines(file.Text);
        }
        catch (Exception e) when (e is ArgumentException or IOException or UnauthorizedAccessException)
        {
            throw OptionValues.Wrong(file, $"a file with rules ({FileError.GetReason(e)})");
        }
    }

    private IReadOnlyList<string> Names(OptionValues values)
    {
        IReadOnlyList<string> names = values.Lines(InStorageClass);
        return names.FirstOrDefault(string.IsNullOrWhiteSpace) is { } empty ? throw OptionValues.Wrong(new GivenValue(InStorageClass.Name, empty), "the name of a storage class such as GLACIER") : names;
    }

    private static long? Size(OptionValues values, Option<string?> option, long min)
        => values.Line(option) is { } given
            ? OptionValues.Convert(given, (string text, out long bytes) => ByteSize.TryParse(text, out bytes) && bytes >= min, min > 0 ? "a size that is not less than --min-size" : $"a size: {OptionValues.AcceptedSize}")
            : null;

    /// <summary>Reads a time, which is a date or a duration before the current time, from the command line.</summary>
    internal static DateTimeOffset? Time(OptionValues values, Option<string?> option, DateTimeOffset now)
        => values.Line(option) is { } given ? OptionValues.Convert(given, (string text, out DateTimeOffset time) => TryParseTime(text, now, out time), AcceptedTime) : null;
}
