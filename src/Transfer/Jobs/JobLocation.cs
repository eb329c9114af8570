using System.Text.Json.Serialization;

namespace Transfer.S3;

/// <summary>One side of a job: a prefix of a bucket, or a folder.</summary>
/// <param name="Bucket">The bucket; <see langword="null"/> for a folder.</param>
/// <param name="Prefix">The prefix, which is empty or ends with a slash; <see langword="null"/> for a folder.</param>
/// <param name="Path">The whole path of a folder; <see langword="null"/> for a prefix.</param>
public sealed record JobLocation(string? Bucket = null, string? Prefix = null, string? Path = null)
{
    /// <summary>Gets a value that indicates whether it is a folder.</summary>
    [JsonIgnore]
    public bool IsLocal => Path is not null;

    /// <summary>Returns the whole address of a name.</summary>
    internal string AddressOf(string name) => Path is null
        ? $"s3://{Bucket}/{Prefix}{name}"
        : System.IO.Path.Combine(Path, name.Replace('/', System.IO.Path.DirectorySeparatorChar));

    /// <inheritdoc/>
    public override string ToString() => Path ?? $"s3://{Bucket}/{Prefix}";
}
