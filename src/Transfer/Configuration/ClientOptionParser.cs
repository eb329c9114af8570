using System.Globalization;

namespace Transfer.S3.Configuration;

/// <summary>Parses and formats the values of options. Sizes have units, and <c>auto</c> is a concurrency that the client chooses.</summary>
internal static class ClientOptionParser
{
    public const string Size = "a size, such as 8MiB";
    public const string Number = "a number";
    public const string NumberOrAuto = "a number or auto";
    public const string Flag = "true or false";
    public const string Time = "a time, such as 00:00:30";

    public delegate bool Parser<T>(string text, out T value);

    public static bool TryConcurrency(string text, out int? value)
    {
        value = null;
        if (text.Equals("auto", StringComparison.OrdinalIgnoreCase))
        {
            return true;
        }

        bool isNumber = TryNumber(text, out int number);
        value = number;
        return isNumber;
    }

    public static bool TryNumber(string text, out int value) => int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value);

    public static bool TrySmallSize(string text, out int value)
    {
        bool isSize = ByteSize.TryParse(text, out long bytes) && bytes <= int.MaxValue;
        value = isSize ? (int)bytes : 0;
        return isSize;
    }

    public static bool TryTime(string text, out TimeSpan value) => TimeSpan.TryParse(text, CultureInfo.InvariantCulture, out value);

    public static bool TryName<T>(string text, out T value)
        where T : struct, Enum
        => Enum.TryParse(text, ignoreCase: true, out value) && Enum.IsDefined(value);

    public static bool TryText(string text, out string value)
    {
        value = text;
        return true;
    }

    /// <summary>Formats a value in the way in which it can be parsed.</summary>
    public static string Format(ClientOption option, object value) => value switch
    {
        bool flag => flag ? "true" : "false",
        int or long when option.Unit == ClientOptionTable.Bytes => ByteSize.FormatExact(Convert.ToInt64(value, CultureInfo.InvariantCulture)),
        string text => $"'{text}'",
        IFormattable other => other.ToString(null, CultureInfo.InvariantCulture),
        _ => value.ToString() ?? string.Empty,
    };
}
