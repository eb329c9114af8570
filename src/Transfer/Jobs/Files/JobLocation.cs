using System.Text.Json.Serialization;
using Transfer.S3.Directories;

namespace Transfer.S3;

/// <summary>One side of a job: a prefix of a bucket, or a folder.</summary>
public sealed record JobLocation
{
    /// <summary>Gets the bucket; <see langword="null"/> for a folder.</summary>
    public string? Bucket { get; init; }

    /// <summary>Gets the prefix; <see langword="null"/> for a folder. In a plan, it is empty or ends with a slash.</summary>
    public string? Prefix { get; init; }

    /// <summary>Gets the path of a folder; <see langword="null"/> for a prefix. In a plan, it is the whole path.</summary>
    public string? Path { get; init; }

    /// <summary>Gets a value that indicates whether it is a folder.</summary>
    [JsonIgnore]
    public bool IsLocal => Path is not null;

    /// <summary>Gets the place with its whole path, or with the slash at the end of its prefix.</summary>
    /// <exception cref="ArgumentException">Thrown when it is neither a folder nor a prefix.</exception>
    internal JobLocation Normalize()
    {
        if (Path is not null)
        {
            ArgumentException.ThrowIfNullOrWhiteSpace(Path);
            return Bucket is null && Prefix is null ? new JobLocation { Path = System.IO.Path.TrimEndingDirectorySeparator(System.IO.Path.GetFullPath(Path)) }
                : throw new ArgumentException($"A side of a job has the path '{Path}' and a bucket or a prefix. Specify a folder or a prefix of a bucket.");
        }

        OptionGuard.Bucket(Bucket!);
        return this with { Prefix = KeyPrefix.Normalize(Prefix ?? string.Empty) };
    }

    /// <summary>Returns the whole address of a name.</summary>
    internal string GetAddress(string name) => Path is null
        ? $"s3://{Bucket}/{Prefix}{name}"
        : System.IO.Path.Combine(Path, name.Replace('/', System.IO.Path.DirectorySeparatorChar));

    /// <inheritdoc/>
    public override string ToString() => Path ?? $"s3://{Bucket}/{Prefix}";
}
