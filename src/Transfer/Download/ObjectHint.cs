namespace Transfer.S3;

/// <summary>
/// The size and the ETag of an object that the caller already knows, for example from a listing. All parts of the download can then start at the same time.
/// </summary>
/// <example>
/// <code>
/// await foreach (ListedObject item in client.ListObjectsAsync("bucket", "photos/"))
/// {
///     ObjectHint hint = new() { Length = item.Length, ETag = item.ETag };
///     await client.DownloadAsync("bucket", item.Key, Path.GetFileName(item.Key), new DownloadOptions { Hint = hint });
/// }
/// </code>
/// </example>
public sealed record ObjectHint
{
    /// <summary>
    /// Gets the size of the object, in bytes; 0 to 256 TiB. <see langword="null"/> if a listing didn't tell it, as the types of the AWS SDK can represent; the
    /// hint is then not used. If the size is wrong, a <see cref="TransferException"/> with <see cref="TransferError.ObjectChanged"/> is thrown.
    /// </summary>
    public required long? Length { get; init; }

    /// <summary>Gets the ETag of the object, with or without quotes. Every part is then requested with If-Match.</summary>
    public string? ETag { get; init; }
}
