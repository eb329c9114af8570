namespace Transfer.S3;

/// <summary>The key of an object in a list of keys, and what the list tells about the object.</summary>
/// <remarks>
/// The size and the ETag save requests, because an object of known size that fits into one request takes only that request. If the object was replaced after the
/// list was made, the new object counts, except in the plan of a job and for a deletion, which keeps it.
/// </remarks>
/// <example>
/// <code>
/// static async IAsyncEnumerable&lt;ObjectKey> ReadKeys(string path)
/// {
///     await foreach (string line in File.ReadLinesAsync(path))
///     {
///         yield return new ObjectKey { Key = line };
///     }
/// }
///
/// await client.DownloadDirectoryAsync("bucket", "photos/", "photos", new DirectoryOptions { Keys = ReadKeys("keys.txt") });
/// </code>
/// </example>
public sealed record ObjectKey
{
    /// <summary>Gets the whole key.</summary>
    public required string Key { get; init; }

    /// <summary>Gets the size of the object, in bytes; <see langword="null"/> if it isn't known.</summary>
    public long? Length { get; init; }

    /// <summary>Gets the ETag, with or without quotes; <see langword="null"/> if it isn't known.</summary>
    public string? ETag { get; init; }

    /// <summary>Gets the ID of the version to copy; <see langword="null"/> for the current one. Only the plan of a job accepts versions.</summary>
    public string? VersionId { get; init; }
}
