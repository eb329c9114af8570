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
            nameof(UploadOptions.ContentType), static (options, given) => options with { ContentType = given.Text },
            Declare.Text("--content-type", "TYPE", "Content type of the object. Default: derived from the name of the source.")),
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
            nameof(UploadOptions.Expires), static (options, given) => options with { Expires = WriteSettings.ParseTime(given) },
            Declare.RareText("--expires", "TIME", "Expires header of the object, such as 2030-01-31 or 2030-01-31T12:00:00Z.")),
        new(
            nameof(UploadOptions.StorageClass), static (options, given) => options with { StorageClass = given.Text },
            Declare.Text("--storage-class", "CLASS", "Storage class of the object, such as STANDARD_IA or GLACIER_IR. Default: the bucket's.", StorageClasses)),
        new(
            nameof(UploadOptions.Acl), static (options, given) => options with { Acl = given.Text },
            Declare.Text("--acl", "NAME", "Canned access control list (ACL), such as bucket-owner-full-control.", Acls)),
    ];

    public Option<string[]> Metadata { get; } = Declare.Texts("--metadata", "NAME=VALUE", "User metadata of the object. Repeatable.");

    public Option<string[]> Tag { get; } = Declare.RareTexts("--tag", "NAME=VALUE", "Tag of the object. Repeatable up to 10 times.");

    public Option<string?> Encryption { get; } = Declare.Text(
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
}
