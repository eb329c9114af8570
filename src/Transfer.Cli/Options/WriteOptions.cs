using System.CommandLine;

namespace Transfer.Cli.Options;

/// <summary>The options that say what an object in a store is to be, and under which condition it is written.</summary>
internal sealed class WriteOptions
{
    public Option<string?> ContentType { get; } = new("--content-type") { HelpName = "TYPE", Description = "Media type of the object. Default: by the source's name." };

    public Option<string[]> Metadata { get; } = new("--metadata") { HelpName = "NAME=VALUE", Description = "User metadata of the object; may be given more than once." };

    public Option<string[]> Tag { get; } = new("--tag") { HelpName = "NAME=VALUE", Description = "A tag of the object; may be given up to 10 times." };

    public Option<string?> StorageClass { get; } = new("--storage-class") { HelpName = "CLASS", Description = "STANDARD_IA, GLACIER_IR, …. Default: the bucket's." };

    public Option<string?> Encryption { get; } = new("--sse")
    {
        HelpName = "ALGORITHM",
        Description = "How the store encrypts the object: AES256, aws:kms or aws:kms:dsse. Default: as the bucket says.",
    };

    public Option<string?> EncryptionKey { get; } = new("--sse-kms-key-id") { HelpName = "KEY", Description = "Key of the key service, with --sse aws:kms or aws:kms:dsse." };

    public Option<string?> Acl { get; } = new("--acl") { HelpName = "NAME", Description = "A canned access control list, such as bucket-owner-full-control." };

    public Option<string?> CacheControl { get; } = new("--cache-control") { HelpName = "TEXT", Description = "Cache-Control of the object." };

    public Option<string?> ContentDisposition { get; } = new("--content-disposition") { HelpName = "TEXT", Description = "Content-Disposition of the object." };

    public Option<string?> ContentEncoding { get; } = new("--content-encoding") { HelpName = "TEXT", Description = "Content-Encoding of the object: what was done to the bytes already." };

    public Option<string?> ContentLanguage { get; } = new("--content-language") { HelpName = "TEXT", Description = "Content-Language of the object." };

    public Option<string?> Expires { get; } = new("--expires") { HelpName = "TIME", Description = "When caches should ask for the object again: 2030-01-31 or 2030-01-31T12:00:00Z." };

    public Option<string?> IfMatch { get; } = new("--if-match") { HelpName = "ETAG", Description = "Replace the object only if it still has this entity tag." };

    public IReadOnlyList<Option> All =>
    [
        ContentType, Metadata, Tag, CacheControl, ContentDisposition, ContentEncoding, ContentLanguage, Expires, StorageClass, Acl, Encryption, EncryptionKey, IfMatch,
    ];

    public void AddTo(Command command)
    {
        foreach (Option option in All)
        {
            command.Add(option);
        }
    }
}
