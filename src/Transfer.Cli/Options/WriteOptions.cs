using System.CommandLine;
using Transfer.S3.Cli.Commands;

namespace Transfer.S3.Cli.Options;

/// <summary>The options of the target object.</summary>
internal sealed class WriteOptions
{
    /// <summary>The values to complete. Stores can have others.</summary>
    private static readonly string[] StorageClasses = ["STANDARD", "STANDARD_IA", "ONEZONE_IA", "INTELLIGENT_TIERING", "GLACIER_IR", "GLACIER", "DEEP_ARCHIVE", "EXPRESS_ONEZONE", "REDUCED_REDUNDANCY"];

    private static readonly string[] Acls = ["private", "public-read", "public-read-write", "authenticated-read", "aws-exec-read", "bucket-owner-read", "bucket-owner-full-control"];

    /// <summary>Gets the options that set a header, the content type first.</summary>
    public IReadOnlyList<HeaderOption> Headers { get; } =
    [
        new(
            nameof(UploadOptions.ContentType),
            static (options, given) => options with { ContentType = given.Text },
            new("--content-type") { HelpName = "TYPE", Description = "Content type of the object. Default: derived from the name of the source." }),
        new(
            nameof(UploadOptions.CacheControl),
            static (options, given) => options with { CacheControl = given.Text },
            new RareOption<string?>("--cache-control") { HelpName = "TEXT", Description = "Cache-Control header of the object." }),
        new(
            nameof(UploadOptions.ContentDisposition),
            static (options, given) => options with { ContentDisposition = given.Text },
            new RareOption<string?>("--content-disposition") { HelpName = "TEXT", Description = "Content-Disposition header of the object." }),
        new(
            nameof(UploadOptions.ContentEncoding),
            static (options, given) => options with { ContentEncoding = given.Text },
            new RareOption<string?>("--content-encoding") { HelpName = "TEXT", Description = "Content-Encoding header of the object. The content is not changed." }),
        new(
            nameof(UploadOptions.ContentLanguage),
            static (options, given) => options with { ContentLanguage = given.Text },
            new RareOption<string?>("--content-language") { HelpName = "TEXT", Description = "Content-Language header of the object." }),
        new(
            nameof(UploadOptions.Expires),
            static (options, given) => options with { Expires = WriteSettings.ParseTime(given) },
            new RareOption<string?>("--expires") { HelpName = "TIME", Description = "Expires header of the object, such as 2030-01-31 or 2030-01-31T12:00:00Z." }),
        new(
            nameof(UploadOptions.StorageClass),
            static (options, given) => options with { StorageClass = given.Text },
            new("--storage-class") { HelpName = "CLASS", CompletionSources = { StorageClasses }, Description = "Storage class of the object, such as STANDARD_IA or GLACIER_IR. Default: the bucket's." }),
        new(
            nameof(UploadOptions.Acl),
            static (options, given) => options with { Acl = given.Text },
            new("--acl") { HelpName = "NAME", CompletionSources = { Acls }, Description = "Canned access control list (ACL), such as bucket-owner-full-control." }),
    ];

    public Option<string[]> Metadata { get; } = new("--metadata") { HelpName = "NAME=VALUE", Description = "User metadata of the object. Repeatable." };

    public Option<string[]> Tag { get; } = new RareOption<string[]>("--tag") { HelpName = "NAME=VALUE", Description = "Tag of the object. Repeatable up to 10 times." };

    public Option<string?> Encryption { get; } = new("--sse")
    {
        HelpName = "AES256|aws:kms|aws:kms:dsse",
        Description = "Server-side encryption of the object: AES256, aws:kms, or aws:kms:dsse. Default: the bucket's.",
    };

    public Option<string?> EncryptionKey { get; } = new RareOption<string?>("--sse-kms-key-id") { HelpName = "KEY", Description = "KMS key, with --sse aws:kms or aws:kms:dsse." };

    public Option<string?> LockMode { get; } = new RareOption<string?>("--object-lock-mode") { HelpName = "governance|compliance", Description = "Object Lock: whether users with a special permission can shorten the retention, or nobody. Default: governance, with --object-lock-until." };

    public Option<string?> LockUntil { get; } = new RareOption<string?>("--object-lock-until") { HelpName = "TIME", Description = "Object Lock: the time until which the object can't be deleted, such as 2030-01-31 or 2030-01-31T12:00:00Z." };

    public Option<bool> LegalHold { get; } = new RareOption<bool>("--object-lock-legal-hold") { Description = "Object Lock: place a legal hold on the object." };

    public Option<string?> IfMatch { get; } = new RareOption<string?>("--if-match") { HelpName = "ETAG", Description = "Overwrite the object only if it still has this ETag." };

    public IReadOnlyList<Option> All =>
    [
        Headers[0].Option, Metadata, Tag, .. Headers.Skip(1).Select(header => header.Option), Encryption, EncryptionKey, LockMode, LockUntil, LegalHold, IfMatch,
    ];

    public void AddTo(Command command) => command.AddGroup("Target object", All);

    /// <summary>Adds the options of many objects, which don't have the same ETag.</summary>
    public void AddManyTo(Command command) => command.AddGroup("Target object", [.. All.Where(option => option != IfMatch)]);
}
