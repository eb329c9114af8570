using System.Globalization;

namespace Transfer.S3.Cli.Options;

/// <summary>A limit of deletions in text: <c>1000</c>, or <c>5%</c>.</summary>
internal static class DeletionLimitText
{
    /// <exception cref="UsageException">The text is not a limit.</exception>
    public static DeletionLimit Parse(GivenValue given)
    {
        string text = given.Text;
        return text.EndsWith('%') && double.TryParse(text[..^1], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double percent) && percent <= 100 ? DeletionLimit.Percent(percent)
            : long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out long count) ? DeletionLimit.Count(count)
            : throw OptionValues.Wrong(given, "a number such as 1000, or a percentage from 0% to 100%");
    }
}
