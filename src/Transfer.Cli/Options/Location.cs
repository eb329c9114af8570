using Transfer.S3.Bench.Text;

namespace Transfer.S3.Cli.Options;

/// <summary>A source or a target, parsed from the command line.</summary>
/// <param name="Kind">Where it is.</param>
/// <param name="Text">The local path as it was written; otherwise, empty.</param>
/// <param name="Bucket">The bucket; empty if it isn't in a store, and for "s3://", which means all buckets.</param>
/// <param name="Key">The key or the prefix, exactly as it was written. It can be empty.</param>
internal sealed record Location(LocationKind Kind, string Text, string Bucket, string Key)
{
    public const string Accepted = "a path, \"-\" for standard input or output, or s3://bucket/key";

    private const string Scheme = "s3://";

    /// <summary>Gets the bucket and the key.</summary>
    public S3Uri Uri => new(Bucket, Key);

    /// <summary>Gets the folder, or what is under the prefix.</summary>
    public Place Place => Kind == LocationKind.Local ? Place.InDirectory(Text) : Place.InBucket(Bucket, Key);

    /// <summary>Gets the prefix of the folder that the key names: <c>photos/</c> for <c>photos</c>, so that it doesn't include <c>photos-old/a</c>.</summary>
    public Location Folder => Key.Length == 0 || Key.EndsWith('/') ? this : this with { Key = Key + "/" };

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
            throw new UsageException($"'{Printable.Text(text)}' is not a valid path; specify {Accepted}");
        }

        if (SourceUrl.IsUrl(text))
        {
            throw new UsageException($"'{AddressText.WithoutSecrets(text)}' can't be used here, because a URL can only be the single source of cp; specify {Accepted}");
        }

        if (text.StartsWith("s3:", StringComparison.OrdinalIgnoreCase) || text.Contains("://", StringComparison.Ordinal))
        {
            throw new UsageException($"'{AddressText.WithoutSecrets(text)}' can't be copied from or to; specify {Accepted}");
        }

        return new Location(LocationKind.Local, text, string.Empty, string.Empty);
    }

    /// <summary>Parses an address in a store.</summary>
    public static Location ParseS3(string text)
    {
        if (text.Equals(Scheme, StringComparison.OrdinalIgnoreCase))
        {
            return new Location(LocationKind.S3, string.Empty, string.Empty, string.Empty);
        }

        try
        {
            S3Uri uri = S3Uri.Parse(text);
            return new Location(LocationKind.S3, string.Empty, uri.Bucket, uri.Key);
        }
        catch (FormatException e)
        {
            throw new UsageException(Printable.Text(e.Message.TrimEnd('.')), e);
        }
    }

    /// <summary>Parses the address of an object.</summary>
    /// <param name="text">The address as written on the command line.</param>
    /// <param name="command">The name of the command, for errors.</param>
    public static Location ParseObject(string text, string command)
    {
        Location address = ParseS3(text);
        return address.Key.Length > 0 ? address : throw new UsageException($"{command} needs the key of an object, such as transfer {command} s3://bucket/key");
    }

    /// <summary>Parses the address of a bucket, or of a prefix in it.</summary>
    /// <param name="text">The address as written on the command line.</param>
    /// <param name="command">The name of the command, for errors.</param>
    public static Location ParseBucket(string text, string command)
    {
        Location address = ParseS3(text);
        return address.Bucket.Length > 0 ? address : throw new UsageException($"{command} needs a bucket, such as transfer {command} s3://bucket");
    }

    /// <summary>Parses the address of a bucket itself.</summary>
    /// <param name="text">The address as written on the command line.</param>
    /// <param name="command">The name of the command, for errors.</param>
    public static Location ParseWholeBucket(string text, string command)
    {
        Location address = ParseBucket(text, command);
        return address.Key.Length == 0 ? address : throw new UsageException($"{command} needs a bucket without a key, such as transfer {command} s3://bucket");
    }

    public override string ToString() => Kind switch
    {
        LocationKind.S3 => $"{Scheme}{Bucket}/{Key}",
        LocationKind.Standard => "-",
        _ => Text,
    };
}
