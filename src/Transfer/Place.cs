using System.Text.Json.Serialization;
using Transfer.S3.Wire;

namespace Transfer.S3;

/// <summary>Where many objects or files are: under a prefix of a bucket, or in a folder.</summary>
/// <example>
/// <code>
/// Place folder = Place.InDirectory("/data/photos");
/// Place prefix = Place.InBucket("bucket", "photos"); // the objects whose keys begin with photos/
/// Place bucket = Place.InBucket(S3Uri.Parse("s3://bucket"));
/// await client.CopyTreeAsync(folder, prefix);
/// </code>
/// </example>
public sealed record Place
{
    /// <summary>Gets the bucket; <see langword="null"/> for a folder.</summary>
    public string? Bucket { get; init; }

    /// <summary>Gets the prefix; <see langword="null"/> for a folder. What the library returns is empty or ends with a slash.</summary>
    public string? Prefix { get; init; }

    /// <summary>Gets the path of a folder; <see langword="null"/> for a prefix. What the library returns is the whole path.</summary>
    public string? Path { get; init; }

    /// <summary>Gets a value that indicates whether it is a folder.</summary>
    [JsonIgnore]
    public bool IsLocal => Path is not null;

    /// <summary>Gets the place of the objects under a prefix.</summary>
    /// <param name="bucket">The name of the bucket, or the ARN of an access point.</param>
    /// <param name="prefix">The prefix. A <c>/</c> is added to its end if there is none. It can be empty for the whole bucket.</param>
    public static Place InBucket(string bucket, string prefix = "") => new() { Bucket = bucket, Prefix = prefix };

    /// <summary>Gets the place of the objects under a prefix.</summary>
    /// <param name="prefix">The bucket and the prefix. A <c>/</c> is added to the end of the prefix if there is none. It can be empty for the whole bucket.</param>
    public static Place InBucket(S3Uri prefix) => InBucket(prefix.Bucket, prefix.Key);

    /// <summary>Gets the place of the files in a directory.</summary>
    /// <param name="path">The path of the directory.</param>
    public static Place InDirectory(string path) => new() { Path = path };

    /// <summary>Gets the place of a prefix.</summary>
    internal static Place Of(ObjectAddress prefix) => new() { Bucket = prefix.Bucket, Prefix = prefix.Key };

    /// <summary>Gets the place with its whole path, or with the slash at the end of its prefix.</summary>
    /// <exception cref="ArgumentException">Thrown when it is neither a folder nor a prefix.</exception>
    internal Place Normalize()
    {
        if (Path is not null)
        {
            ArgumentException.ThrowIfNullOrWhiteSpace(Path);
            return Bucket is null && Prefix is null ? new Place { Path = System.IO.Path.TrimEndingDirectorySeparator(System.IO.Path.GetFullPath(Path)) }
                : throw new ArgumentException($"A place has the path '{Path}' and a bucket or a prefix. Specify a folder or a prefix of a bucket.");
        }

        OptionGuard.Bucket(Bucket!);
        return this with { Prefix = KeyPrefix.Normalize(Prefix ?? string.Empty) };
    }

    /// <summary>Returns the whole address of a name.</summary>
    internal string GetAddress(string name) => Path is null
        ? $"s3://{Bucket}/{Prefix}{name}"
        : System.IO.Path.Join(Path, name.Replace('/', System.IO.Path.DirectorySeparatorChar)); // a name such as /etc or C:x is below the folder, too

    /// <inheritdoc/>
    public override string ToString() => Path ?? $"s3://{Bucket}/{Prefix}";
}
