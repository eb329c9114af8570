using Transfer.S3.Download;
using Transfer.S3.Wire;

namespace Transfer.S3.Verify;

/// <summary>A validated comparison.</summary>
/// <param name="Path">The path of the file.</param>
/// <param name="Address">The object.</param>
/// <param name="ReadContent">Whether the object can be read.</param>
internal sealed record VerifyRequest(string Path, ObjectAddress Address, bool ReadContent)
{
    /// <summary>Gets the size and the ETag of the object in a listing; null if it wasn't listed. If they are conclusive, no request is needed.</summary>
    public KnownObject? Listed { get; init; }

    /// <summary>Gets the directory below which no link is followed; null to follow links.</summary>
    public string? Root { get; init; }

    /// <summary>Gets the semaphore that limits how many objects are read at the same time; null for no limit.</summary>
    public SemaphoreSlim? Reading { get; init; }

    public static VerifyRequest From(string path, string bucket, string key, VerifyOptions options)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        OptionGuard.Address(bucket, key);
        return new VerifyRequest(path, new ObjectAddress(bucket, key, options.VersionId, new ReadAccess(options.RequesterPays, options.CustomerKey)), options.ReadContent);
    }
}
