namespace Transfer.S3.Server.Storage;

/// <summary>A page of a listing of versions: versions and common prefixes in order, and where the next page begins.</summary>
/// <param name="Versions">The versions, by key and then by age, and whether each is the latest of its key.</param>
/// <param name="Groups">The prefixes that stand for all keys below them.</param>
/// <param name="IsTruncated">Whether more follow.</param>
internal sealed record VersionPage(IReadOnlyList<(KeyVersion Version, bool IsLatest)> Versions, IReadOnlyList<string> Groups, bool IsTruncated)
{
    /// <summary>Gets the key or the prefix that ends the page.</summary>
    public string? NextKey { get; init; }

    /// <summary>Gets the ID of the version that ends the page; null if a prefix does.</summary>
    public string? NextId { get; init; }
}
