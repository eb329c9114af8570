using System.Globalization;

namespace Transfer.S3.Cli.Options;

/// <summary>Reads the options of the target object.</summary>
internal static class WriteSettings
{
    private const string AcceptedTime = "a time: 2030-01-31 or 2030-01-31T12:00:00Z";

    /// <summary>Gets whether any of the options is specified.</summary>
    public static bool IsGiven(OptionValues values, WriteOptions options) => options.All.Any(values.IsGiven);

    /// <param name="values">The command line and the environment.</param>
    /// <param name="options">The options.</param>
    /// <param name="isOne">Whether there is one target, which conditions can be about.</param>
    public static UploadOptions Resolve(OptionValues values, WriteOptions options, bool isOne)
    {
        string? Text(System.CommandLine.Option<string?> option) => values.Find(option)?.Text;

        Dictionary<string, string>? Pairs(System.CommandLine.Option<string[]> option)
        {
            if (values.Lines(option) is not { Count: > 0 } found)
            {
                return null;
            }

            Dictionary<string, string> pairs = new(StringComparer.Ordinal);
            foreach (string text in found)
            {
                int equals = text.IndexOf('=', StringComparison.Ordinal);
                if (option == options.Metadata && IsOfSeveral(text))
                {
                    throw OptionValues.Wrong(new GivenValue(option.Name, text), $"one NAME=VALUE; repeat {option.Name} for each pair");
                }

                if (equals <= 0 || !pairs.TryAdd(text[..equals], text[(equals + 1)..]))
                {
                    throw OptionValues.Wrong(new GivenValue(option.Name, text), "NAME=VALUE, each name once");
                }
            }

            return pairs;
        }

        string? algorithm = Text(options.Encryption);
        string? key = Text(options.EncryptionKey);
        UploadOptions upload = new()
        {
            Metadata = Pairs(options.Metadata),
            Tags = Pairs(options.Tag),
            Encryption = GetEncryption(options, algorithm, key),
            Lock = GetLock(options, values),
            IfMatch = isOne ? Text(options.IfMatch) : null,
        };
        foreach (HeaderOption header in options.Headers)
        {
            upload = values.Find(header.Option) is { } given ? header.Set(upload, given) : upload;
        }

        return upload;
    }

    public static DateTimeOffset ParseTime(GivenValue given) => OptionValues.Convert<DateTimeOffset>(given, TryParseTime, AcceptedTime);

    private static ObjectEncryption? GetEncryption(WriteOptions options, string? algorithm, string? key) => algorithm switch
    {
        null when key is not null => throw new UsageException($"{options.EncryptionKey.Name} needs {options.Encryption.Name} aws:kms or aws:kms:dsse"),
        null => null,
        "AES256" when key is null => ObjectEncryption.Aes256,
        "AES256" => throw new UsageException($"{options.EncryptionKey.Name} needs {options.Encryption.Name} aws:kms or aws:kms:dsse, not AES256"),
        "aws:kms" => ObjectEncryption.Kms(key),
        "aws:kms:dsse" => ObjectEncryption.KmsDualLayer(key),
        _ => throw OptionValues.Wrong(new GivenValue(options.Encryption.Name, algorithm), "AES256, aws:kms, or aws:kms:dsse"),
    };

    private static ObjectLock? GetLock(WriteOptions options, OptionValues values)
    {
        RetentionMode? mode = values.Choice<RetentionMode>(options.LockMode, StringComparison.OrdinalIgnoreCase);
        DateTimeOffset? until = values.Read<DateTimeOffset>(options.LockUntil, TryParseTime, AcceptedTime);
        bool hold = values.IsOn(options.LegalHold);
        return mode is not null && until is null ? throw new UsageException($"{options.LockMode.Name} needs {options.LockUntil.Name}")
            : until is null && !hold ? null
            : new ObjectLock { Mode = mode ?? RetentionMode.Governance, RetainUntil = until, LegalHold = hold };
    }

    /// <summary>Gets whether a text is that of several pairs as the AWS CLI accepts them: a=b,c=d.</summary>
    private static bool IsOfSeveral(string text) => text.Split(',') is { Length: > 1 } pairs && pairs.All(pair => pair.IndexOf('=', StringComparison.Ordinal) > 0);

    private static bool TryParseTime(string text, out DateTimeOffset time)
        => DateTimeOffset.TryParseExact(
            text,
            ["yyyy-MM-dd", "yyyy-MM-dd'T'HH:mm:ssK", "yyyy-MM-dd'T'HH:mm:ss.FFFFFFFK", "r"],
            CultureInfo.InvariantCulture,
            DateTimeStyles.AssumeUniversal,
            out time);
}
