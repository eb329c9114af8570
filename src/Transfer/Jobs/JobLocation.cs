using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>One side of a job: a prefix of a bucket, or a folder.</summary>
public sealed record JobLocation
{
    /// <summary>Gets the bucket; <see langword="null"/> for a folder.</summary>
    public string? Bucket { get; init; }

    /// <summary>Gets the prefix, which is empty or ends with a slash; <see langword="null"/> for a folder.</summary>
    public string? Prefix { get; init; }

    /// <summary>Gets the whole path of a folder; <see langword="null"/> for a prefix.</summary>
    public string? Path { get; init; }

    /// <summary>Gets a value that indicates whether it is a folder.</summary>
    [JsonIgnore]
    public bool IsLocal => Path is not null;

    /// <summary>Returns the whole address of a name.</summary>
    internal string GetAddress(string name) => Path is null
        ? $"s3://{Bucket}/{Prefix}{name}"
        : System.IO.Path.Combine(Path, name.Replace('/', System.IO.Path.DirectorySeparatorChar));

    /// <inheritdoc/>
    public override string ToString() => Path ?? $"s3://{Bucket}/{Prefix}";
}
