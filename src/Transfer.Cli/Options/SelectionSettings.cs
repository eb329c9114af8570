using System.Globalization;

namespace Transfer.S3.Cli.Options;

/// <summary>Reads the options that select files and objects.</summary>
internal static class SelectionSettings
{
    private const string AcceptedTime = "a time ago such as 12h or 7d, or a date such as 2026-01-31 or 2026-01-31T12:00Z";
    private const string AcceptedPattern = "a pattern such as *.jpg, 2026/*.jpg, or raw/";

    /// <param name="values">The command line and the environment. A filter is read from the command line only, because it would silently change every command.</param>
    /// <param name="options">The options.</param>
    /// <param name="now">The current time.</param>
    /// <param name="hasStorageClass">Whether objects are selected, and not files.</param>
    public static ObjectFilter Resolve(OptionValues values, SelectionOptions options, DateTimeOffset now, bool hasStorageClass)
    {
        long? min = Size(values, options.MinSize, 0);
        return new ObjectFilter
        {
            Rules = [.. Rules(values, options)],
            MinSizeBytes = min,
            MaxSizeBytes = Size(values, options.MaxSize, min ?? 0),
            ModifiedSince = Time(values, options.NewerThan, now),
            ModifiedBefore = Time(values, options.OlderThan, now),
            StorageClasses = hasStorageClass ? Names(values, options) : [],
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
    private static IEnumerable<FilterRule> Rules(OptionValues values, SelectionOptions options)
    {
        foreach (GivenValue given in values.LinesInOrder(options.Include, options.Exclude, options.FilterFrom))
        {
            if (given.Source == options.FilterFrom.Name)
            {
                foreach (FilterRule rule in ParseLines(Read(given), given))
                {
                    yield return rule;
                }
            }
            else
            {
                yield return string.IsNullOrWhiteSpace(given.Text) ? throw OptionValues.Wrong(given, AcceptedPattern) : new FilterRule(given.Text, given.Source == options.Include.Name);
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
            throw OptionValues.Wrong(file, $"a file with rules ({e.Message})");
        }
    }

    private static IReadOnlyList<string> Names(OptionValues values, SelectionOptions options)
    {
        IReadOnlyList<string> names = values.Lines(options.InStorageClass);
        return names.FirstOrDefault(string.IsNullOrWhiteSpace) is { } empty ? throw OptionValues.Wrong(new GivenValue(options.InStorageClass.Name, empty), "the name of a storage class such as GLACIER") : names;
    }

    private static long? Size(OptionValues values, System.CommandLine.Option<string?> option, long min)
        => values.Line(option) is { } given
            ? OptionValues.Convert(given, (string text, out long bytes) => ByteSize.TryParse(text, out bytes) && bytes >= min, min > 0 ? "a size that is not less than --min-size" : $"a size: {OptionValues.AcceptedSize}")
            : null;

    /// <summary>Reads a time, which is a date or a duration before the current time, from the command line.</summary>
    internal static DateTimeOffset? Time(OptionValues values, System.CommandLine.Option<string?> option, DateTimeOffset now)
        => values.Line(option) is { } given ? OptionValues.Convert(given, (string text, out DateTimeOffset time) => TryParseTime(text, now, out time), AcceptedTime) : null;
}
