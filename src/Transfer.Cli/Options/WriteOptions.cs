using System.CommandLine;
using System.Globalization;
using Transfer.S3.Cli.Commands;

namespace Transfer.S3.Cli.Options;

/// <summary>The options of the target object.</summary>
internal sealed class WriteOptions
{
    private const string AcceptedTime = "a time: 2030-01-31 or 2030-01-31T12:00:00Z";

    /// <summary>The values to complete. Stores can have others.</summary>
    private static readonly string[] StorageClasses = ["STANDARD", "STANDARD_IA", "ONEZONE_IA", "INTELLIGENT_TIERING", "GLACIER_IR", "GLACIER", "DEEP_ARCHIVE", "EXPRESS_ONEZONE", "REDUCED_REDUNDANCY"];

    private static readonly string[] Acls = ["private", "public-read", "public-read-write", "authenticated-read", "aws-exec-read", "bucket-owner-read", "bucket-owner-full-control"];

    /// <summary>Gets the options that set a header, the content type first.</summary>
    public IReadOnlyList<HeaderOption> Headers { get; } =
    [
        new(
            nameof(UploadOptions.ContentType), static (options, given) => options with { ContentType = given.Text },
            Declare.RareText("--content-type", "TYPE", "Content type of the object. Default: derived from the name of the source.")),
        new(
            nameof(UploadOptions.CacheControl), static (options, given) => options with { CacheControl = given.Text },
            Declare.RareText("--cache-control", "TEXT", "Cache-Control header of the object.")),
        new(
            nameof(UploadOptions.ContentDisposition), static (options, given) => options with { ContentDisposition = given.Text },
            Declare.RareText("--content-disposition", "TEXT", "Content-Disposition header of the object.")),
        new(
            nameof(UploadOptions.ContentEncoding), static (options, given) => options with { ContentEncoding = given.Text },
            Declare.RareText("--content-encoding", "TEXT", "Content-Encoding header of the object. The content is not changed.")),
        new(
            nameof(UploadOptions.ContentLanguage), static (options, given) => options with { ContentLanguage = given.Text },
            Declare.RareText("--content-language", "TEXT", "Content-Language header of the object.")),
        new(
            nameof(UploadOptions.Expires), static (options, given) => options with { Expires = ParseTime(given) },
            Declare.RareText("--expires", "TIME", "Expires header of the object, such as 2030-01-31 or 2030-01-31T12:00:00Z.")),
        new(
            nameof(UploadOptions.StorageClass), static (options, given) => options with { StorageClass = given.Text },
            Declare.Text("--storage-class", "CLASS", "Storage class of the object, such as STANDARD_IA or GLACIER_IR. Default: the bucket's.", StorageClasses)),
        new(
            nameof(UploadOptions.Acl), static (options, given) => options with { Acl = given.Text },
            Declare.RareText("--acl", "NAME", "Canned access control list (ACL), such as bucket-owner-full-control.", Acls)),
    ];

    public Option<string[]> Metadata { get; } = Declare.RareTexts("--metadata", "NAME=VALUE", "User metadata of the object. Repeatable.");

    public Option<string[]> Tag { get; } = Declare.RareTexts("--tag", "NAME=VALUE", "Tag of the object. Repeatable up to 10 times.");

    public Option<string?> Encryption { get; } = Declare.RareText(
        "--sse", "AES256|aws:kms|aws:kms:dsse", "Server-side encryption of the object: AES256, aws:kms, or aws:kms:dsse. Default: the bucket's.");

    public Option<string?> EncryptionKey { get; } = Declare.RareText("--sse-kms-key-id", "KEY", "KMS key, with --sse aws:kms or aws:kms:dsse.");

    public Option<string?> LockMode { get; } = Declare.RareText("--object-lock-mode", "governance|compliance", "Object Lock: whether users with a special permission can shorten the retention, or nobody. Default: governance, with --object-lock-until.");

    public Option<string?> LockUntil { get; } = Declare.RareText("--object-lock-until", "TIME", "Object Lock: the time until which the object can't be deleted, such as 2030-01-31 or 2030-01-31T12:00:00Z.");

    public Option<bool> LegalHold { get; } = Declare.RareFlag("--object-lock-legal-hold", "Object Lock: place a legal hold on the object.");

    public Option<string?> IfMatch { get; } = Declare.RareText("--if-match", "ETAG", "Overwrite the object only if it still has this ETag.");

    public IReadOnlyList<Option> All =>
    [
        Headers[0].Option, Metadata, Tag, .. Headers.Skip(1).Select(header => header.Option), Encryption, EncryptionKey, LockMode, LockUntil, LegalHold, IfMatch,
    ];

    public void AddTo(Command command) => command.AddGroup("Target object", All);

    /// <summary>Adds the options of many objects, which don't have the same ETag.</summary>
    public void AddManyTo(Command command) => command.AddGroup("Target object", [.. All.Where(option => option != IfMatch)]);

    /// <summary>Gets whether any of the options is specified.</summary>
    public bool IsGiven(OptionValues values) => All.Any(values.IsGiven);

    /// <param name="values">The command line and the environment.</param>
    /// <param name="isOne">Whether there is one target, which conditions can be about.</param>
    public UploadOptions Resolve(OptionValues values, bool isOne)
    {
        string? Text(Option<string?> option) => values.Find(option)?.Text;

        Dictionary<string, string>? Pairs(Option<string[]> option)
        {
            if (values.Lines(option) is not { Count: > 0 } found)
            {
                return null;
            }

            Dictionary<string, string> pairs = new(StringComparer.Ordinal);
            foreach (string text in found)
            {
                int equals = text.IndexOf('=', StringComparison.Ordinal);
                if (option == Metadata && IsOfSeveral(text))
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

        string? algorithm = Text(Encryption);
        string? key = Text(EncryptionKey);
        UploadOptions upload = new()
        {
            Metadata = Pairs(Metadata),
            Tags = Pairs(Tag),
            Encryption = GetEncryption(algorithm, key),
            Lock = GetLock(values),
            IfMatch = isOne ? Text(IfMatch) : null,
        };
        foreach (HeaderOption header in Headers)
        {
            upload = values.Find(header.Option) is { } given ? header.Set(upload, given) : upload;
        }

        return upload;
    }

    public static DateTimeOffset ParseTime(GivenValue given) => OptionValues.Convert<DateTimeOffset>(given, TryParseTime, AcceptedTime);

    private ObjectEncryption? GetEncryption(string? algorithm, string? key) => algorithm switch
    {
        null when key is not null => throw new UsageException($"{EncryptionKey.Name} needs {Encryption.Name} aws:kms or aws:kms:dsse"),
        null => null,
        "AES256" when key is null => ObjectEncryption.Aes256,
        "AES256" => throw new UsageException($"{EncryptionKey.Name} needs {Encryption.Name} aws:kms or aws:kms:dsse, not AES256"),
        "aws:kms" => ObjectEncryption.Kms(key),
        "aws:kms:dsse" => ObjectEncryption.KmsDualLayer(key),
        _ => throw OptionValues.Wrong(new GivenValue(Encryption.Name, algorithm), "AES256, aws:kms, or aws:kms:dsse"),
    };

    private ObjectLock? GetLock(OptionValues values)
    {
        RetentionMode? mode = values.Choice<RetentionMode>(LockMode, StringComparison.OrdinalIgnoreCase);
        DateTimeOffset? until = values.Read<DateTimeOffset>(LockUntil, TryParseTime, AcceptedTime);
        bool hold = values.IsOn(LegalHold);
        return mode is not null && until is null ? throw new UsageException($"{LockMode.Name} needs {LockUntil.Name}")
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
