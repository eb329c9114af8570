using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Verify;

/// <summary>One comparison, checked.</summary>
/// <param name="Path">The file.</param>
/// <param name="Address">The object.</param>
/// <param name="ReadContent">Whether the object may be read.</param>
internal sealed record VerifyRequest(string Path, ObjectAddress Address, bool ReadContent)
{
    /// <summary>What a listing said of the object, where it was listed: a size that differs or an entity tag that proves the bytes then needs no request.</summary>
    public ObjectHint? Listed { get; init; }

    /// <summary>The folder from which no link may lead to the file; null where links are followed.</summary>
    public string? Root { get; init; }

    /// <summary>Entered while the object is read; null where nobody else reads.</summary>
    public SemaphoreSlim? Reading { get; init; }

    public static VerifyRequest From(string path, string bucket, string key, VerifyOptions options)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        OptionGuard.Address(bucket, key);
        return new VerifyRequest(path, new ObjectAddress(bucket, key, options.VersionId, new ReadAccess(options.RequesterPays, options.CustomerKey)), options.ReadContent);
    }
}
