using Transfer.Cli.Rendering;

namespace Transfer.Cli.Options;

/// <summary>A source or a target as it was written on the line.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Text">A path as it was written; empty for the others.</param>
/// <param name="Bucket">A bucket; empty for the others, and for "s3://", which is all buckets.</param>
/// <param name="Key">A key or a prefix, exactly as it was written; may be empty.</param>
internal sealed record Location(LocationKind Kind, string Text, string Bucket, string Key)
{
    public const string Accepted = "a path, \"-\" for standard input or output, or s3://bucket/key";

    private const string Scheme = "s3://";

    public static Location Parse(string text)
    {
        if (text == "-")
        {
            return new Location(LocationKind.Standard, string.Empty, string.Empty, string.Empty);
        }

        if (text.StartsWith(Scheme, StringComparison.OrdinalIgnoreCase))
        {
            return ParseS3(text);
        }

        if (text.Length == 0 || text.Contains('\0', StringComparison.Ordinal))
        {
            throw new UsageException($"'{Printable.Text(text)}' names nothing; give {Accepted}");
        }

        if (text.StartsWith("s3:", StringComparison.OrdinalIgnoreCase) || text.Contains("://", StringComparison.Ordinal))
        {
            throw new UsageException($"'{AddressText.WithoutSecrets(text)}' is no address that can be copied; give {Accepted}");
        }

        return new Location(LocationKind.Local, text, string.Empty, string.Empty);
    }

    /// <summary>An address in a store, and nothing else.</summary>
    public static Location ParseS3(string text)
    {
        if (!text.StartsWith(Scheme, StringComparison.OrdinalIgnoreCase))
        {
            throw new UsageException($"'{AddressText.WithoutSecrets(text)}' is no address in a store; give s3://bucket or s3://bucket/prefix");
        }

        string rest = text[Scheme.Length..];
        int slash = rest.IndexOf('/', StringComparison.Ordinal);
        string bucket = slash < 0 ? rest : rest[..slash];
        if (bucket.Length == 0 && rest.Length > 0)
        {
            throw new UsageException($"'{Printable.Text(text)}' has no bucket; it must be s3://bucket/key");
        }

        foreach (char c in bucket)
        {
            if (!char.IsAsciiLetterOrDigit(c) && c is not ('.' or '-' or '_' or ':'))
            {
                throw new UsageException($"'{Printable.Text(bucket)}' can't be a bucket's name: those have letters, digits, dots and hyphens");
            }
        }

        return new Location(LocationKind.S3, string.Empty, bucket, slash < 0 ? string.Empty : rest[(slash + 1)..]);
    }

    public override string ToString() => Kind switch
    {
        LocationKind.S3 => $"{Scheme}{Bucket}/{Key}",
        LocationKind.Standard => "-",
        _ => Text,
    };
}
