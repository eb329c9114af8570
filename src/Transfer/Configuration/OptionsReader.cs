using System.Globalization;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;
using Transfer.Scheduling;

namespace Transfer.Configuration;

/// <summary>
/// Reads options from configuration. The general binder can't parse "8MiB", uses reflection, which doesn't work with trimming, and would add a package.
/// </summary>
internal sealed class OptionsReader(IConfiguration section)
{
    private const string SizeForm = "a size, such as 8MiB";
    private const string Flag = "true or false";

    private delegate bool Parser<T>(string text, out T value);

    /// <exception cref="OptionsValidationException">Thrown when a value can't be parsed.</exception>
    public void ReadInto(TransferClientOptions options)
    {
        Read<int?>(nameof(options.Concurrency), TryParseConcurrency, "a number or auto", value => options.Concurrency = value);
        Read<int?>(nameof(options.UploadConcurrency), TryParseConcurrency, "a number or auto", value => options.UploadConcurrency = value);
        Read<long>(nameof(options.DownloadPartSizeBytes), Sizes.TryParse, SizeForm, value => options.DownloadPartSizeBytes = value);
        Read<long>(nameof(options.UploadPartSizeBytes), Sizes.TryParse, SizeForm, value => options.UploadPartSizeBytes = value);
        Read<int>(nameof(options.MaxUploadParts), TryParseNumber, "a number", value => options.MaxUploadParts = value);
        Read<bool>(nameof(options.EqualUploadParts), bool.TryParse, Flag, value => options.EqualUploadParts = value);
        Read<long>(nameof(options.MultipartThresholdBytes), Sizes.TryParse, SizeForm, value => options.MultipartThresholdBytes = value);
        Read<long>(nameof(options.MemoryBytes), Sizes.TryParse, SizeForm, value => options.MemoryBytes = value);
        Read<int>(nameof(options.ChunkSizeBytes), TryParseSmallSize, SizeForm, value => options.ChunkSizeBytes = value);
        Read<RateLimit>(
            nameof(options.RateLimit),
            (string text, out RateLimit value) => RateLimitText.TryParse(text, options.TimeProvider, out value!),
            RateLimitText.Accepted,
            value => options.RateLimit = value);
        Read<int>(nameof(options.MaxAttempts), TryParseNumber, "a number", value => options.MaxAttempts = value);
        Read<TimeSpan>(nameof(options.StallTimeout), TryParseTime, "a time, such as 00:00:30", value => options.StallTimeout = value);
        Read<bool>(nameof(options.HedgeRequests), bool.TryParse, Flag, value => options.HedgeRequests = value);
        Read<TransferWire>(nameof(options.Wire), TryParseName, NamesOf<TransferWire>(), value => options.Wire = value);
        Read<PayloadSigning>(nameof(options.PayloadSigning), TryParseName, NamesOf<PayloadSigning>(), value => options.PayloadSigning = value);
        Read<bool>(nameof(options.ExpectContinue), bool.TryParse, Flag, value => options.ExpectContinue = value);
        Read<TimeSpan>(nameof(options.ProgressInterval), TryParseTime, "a time, such as 00:00:00.2", value => options.ProgressInterval = value);
        Read<string>(nameof(options.StateDirectory), TryParseText, "a directory", value => options.StateDirectory = value);
    }

    private void Read<T>(string key, Parser<T> parser, string accepted, Action<T> set)
    {
        if (section[key] is not { Length: > 0 } text)
        {
            return;
        }

        if (!parser(text.Trim(), out T value))
        {
            string path = section is IConfigurationSection { Path: { Length: > 0 } parent } ? ConfigurationPath.Combine(parent, key) : key;
            throw new OptionsValidationException(Options.DefaultName, typeof(TransferClientOptions), [$"{path} is '{text}'; it must be {accepted}."]);
        }

        set(value);
    }

    private static bool TryParseText(string text, out string value)
    {
        value = text;
        return true;
    }

    private static bool TryParseConcurrency(string text, out int? value)
    {
        value = null;
        if (text.Equals("auto", StringComparison.OrdinalIgnoreCase))
        {
            return true;
        }

        bool isNumber = TryParseNumber(text, out int number);
        value = number;
        return isNumber;
    }

    private static bool TryParseNumber(string text, out int value) => int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value);

    private static bool TryParseSmallSize(string text, out int value)
    {
        bool isSize = Sizes.TryParse(text, out long bytes) && bytes <= int.MaxValue;
        value = isSize ? (int)bytes : 0;
        return isSize;
    }

    private static bool TryParseTime(string text, out TimeSpan value) => TimeSpan.TryParse(text, CultureInfo.InvariantCulture, out value);

    private static bool TryParseName<T>(string text, out T value)
        where T : struct, Enum
        => Enum.TryParse(text, ignoreCase: true, out value) && Enum.IsDefined(value);

    private static string NamesOf<T>()
        where T : struct, Enum
        => $"one of {string.Join(", ", Enum.GetNames<T>())}";
}
