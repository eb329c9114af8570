using System.Diagnostics.CodeAnalysis;

namespace Transfer.S3;

/// <summary>The address of an object, of the objects under a prefix, or of a bucket: <c>s3://bucket/key</c>.</summary>
/// <param name="Bucket">The name of the bucket, or the ARN of an access point. The calls of a client validate it.</param>
/// <param name="Key">The key of the object, or the prefix of keys. Empty for the whole bucket.</param>
/// <remarks>
/// Two addresses are equal if their buckets and their keys are. Because the key is taken literally, addresses are no <see cref="Uri"/>: <c>s3://bucket/100%</c> and
/// <c>s3://bucket/a?b</c> are the keys <c>100%</c> and <c>a?b</c>.
/// </remarks>
/// <example>
/// <code>
/// S3Uri address = S3Uri.Parse("s3://bucket/photos/cat.jpg");
/// Console.WriteLine($"{address.Bucket}, {address.Key}"); // bucket, photos/cat.jpg
/// </code>
/// </example>
public readonly record struct S3Uri(string Bucket, string Key)
{
    private const string Scheme = "s3://";

    private const string Accepted = "specify s3://bucket/key, or s3://bucket for a whole bucket";

    /// <summary>Reads an address from text such as <c>s3://bucket/key</c>.</summary>
    /// <param name="text">
    /// The address. The scheme can be in uppercase. What follows the bucket and a <c>/</c> is the key, exactly as it is written: percent signs, question marks, and
    /// repeated slashes have no meaning, as in the commands of the AWS CLI. <c>s3://bucket</c> and <c>s3://bucket/</c> have an empty key. The bucket can be the ARN of
    /// an access point, such as <c>s3://arn:aws:s3:us-west-2:123456789012:accesspoint/name/key</c>.
    /// </param>
    /// <returns>The address.</returns>
    /// <exception cref="ArgumentNullException">Thrown when <paramref name="text"/> is null.</exception>
    /// <exception cref="FormatException">
    /// Thrown when the text doesn't begin with <c>s3://</c>, or when the bucket is missing or contains other characters than letters, digits, <c>.</c>, <c>-</c>,
    /// <c>_</c>, and <c>:</c>.
    /// </exception>
    public static S3Uri Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return Read(text, out S3Uri uri) is { } error ? throw new FormatException(error + ".") : uri;
    }

    /// <summary>Reads an address from text such as <c>s3://bucket/key</c>, as <see cref="Parse"/> does.</summary>
    /// <param name="text">The address.</param>
    /// <param name="uri">The address; the default value if the text isn't one.</param>
    /// <returns><see langword="true"/> if the text is an address; otherwise, <see langword="false"/>.</returns>
    public static bool TryParse([NotNullWhen(true)] string? text, out S3Uri uri)
    {
        uri = default;
        return text is not null && Read(text, out uri) is null;
    }

    /// <summary>Returns the address as text that <see cref="Parse"/> accepts.</summary>
    /// <returns>The address, such as <c>s3://bucket/key</c>, or <c>s3://bucket/</c> if the key is empty.</returns>
    public override string ToString() => $"{Scheme}{Bucket}/{Key}";

    /// <summary>Returns what is wrong; null if the text is an address.</summary>
    private static string? Read(string text, out S3Uri uri)
    {
        uri = default;
        if (!text.StartsWith(Scheme, StringComparison.OrdinalIgnoreCase))
        {
            return text.Contains("://", StringComparison.Ordinal)
                ? $"A URL that begins with '{WithoutSecrets(text)}' is not an address in a store; {Accepted}"
                : $"'{text}' is not an address in a store; {Accepted}";
        }

        string rest = text[Scheme.Length..];
        int length = BucketLength(rest);
        string bucket = rest[..length];
        if (bucket.Length == 0)
        {
            return $"'{text}' has no bucket; {Accepted}";
        }

        if (!bucket.All(static c => char.IsAsciiLetterOrDigit(c) || c is '.' or '-' or '_' or ':' or '/'))
        {
            return $"'{bucket}' is not a valid bucket name; it can contain letters, digits, '.', '-', '_', and ':'";
        }

        uri = new S3Uri(bucket, length < rest.Length ? rest[(length + 1)..] : string.Empty);
        return null;
    }

    /// <summary>Returns the scheme and the host of a URL, whose other parts can be a password or a signature.</summary>
    private static string WithoutSecrets(string url)
        => Uri.TryCreate(url, UriKind.Absolute, out Uri? parsed) ? $"{parsed.Scheme}://{parsed.Host}" : url[..(url.IndexOf("://", StringComparison.Ordinal) + 3)];

    /// <summary>Returns where the bucket ends. ARNs of access points contain slashes (Amazon S3 User Guide, "Referencing access points with ARNs").</summary>
    private static int BucketLength(string rest)
    {
        int end = SlashOrEnd(rest, 0);
        string first = rest[..end];
        if (first.StartsWith("arn:", StringComparison.Ordinal) && first.Count(':') == 5)
        {
            int names = first.EndsWith(":accesspoint", StringComparison.Ordinal) ? 1 : first.EndsWith(":outpost", StringComparison.Ordinal) ? 3 : 0;
            for (; names > 0 && end < rest.Length; names--)
            {
                end = SlashOrEnd(rest, end + 1);
            }
        }

        return end;
    }

    private static int SlashOrEnd(string text, int start) => text.IndexOf('/', start) is >= 0 and int slash ? slash : text.Length;
}
