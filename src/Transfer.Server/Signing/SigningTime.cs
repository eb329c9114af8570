using System.Globalization;

namespace Transfer.S3.Server.Signing;

/// <summary>The time format of signatures.</summary>
internal static class SigningTime
{
    private const string Pattern = "yyyyMMdd'T'HHmmss'Z'";

    public static string Format(DateTimeOffset time) => time.UtcDateTime.ToString(Pattern);

    public static bool TryParse(string text, out DateTimeOffset time) =>
        DateTimeOffset.TryParseExact(text, Pattern, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out time);
}
