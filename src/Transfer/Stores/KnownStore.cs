using Amazon.Runtime;

namespace Transfer.S3.Stores;

/// <summary>A store that is recognized by its endpoint, and what it does differently from Amazon S3 without telling so in time.</summary>
/// <remarks>
/// Whatever the first request that needs it shows, such as a refused checksum, is learned from that request (<see cref="StoreProfile"/>). This table has only what would
/// be noticed too late: when an upload is completed, or after its last possible part.
/// </remarks>
/// <param name="Name">The name.</param>
/// <param name="HostSuffix">The end of the host names of its endpoints.</param>
internal sealed record KnownStore(string Name, string HostSuffix)
{
    private const string AmazonName = "Amazon S3";

    /// <summary>Gets a value that indicates whether all parts of an upload except the last must have the same size.</summary>
    public bool RequiresEqualParts { get; init; }

    /// <summary>Gets the maximum number of parts of an upload; null for that of Amazon S3.</summary>
    public int? MaxParts { get; init; }

    /// <summary>Gets a value that indicates whether the conditions of PutObject, CompleteMultipartUpload, and deletions are honored, so that no HEAD request is needed first.</summary>
    public bool HonorsConditions { get; init; }

    /// <summary>Gets a value that indicates whether two keys of a bucket are always two objects. In a gateway over a file system, they can be one.</summary>
    public bool KeysAreObjects { get; init; }

    /// <summary>Gets a value that indicates whether listings return the states of restorations, so that an archived object without one can't be read.</summary>
    public bool ListsRestoreStates { get; init; }

    /// <summary>The stores.</summary>
    /// <remarks>
    /// Cloudflare R2 rejects uploads whose parts, except the last, differ in size when they are completed (Cloudflare R2 documentation, "Multipart objects"). Its
    /// endpoints are <c>ACCOUNT.r2.cloudflarestorage.com</c> and, for a jurisdiction, <c>ACCOUNT.JURISDICTION.r2.cloudflarestorage.com</c>. Scaleway accepts 1,000 parts
    /// (Scaleway documentation, "Object Storage: multipart uploads").
    /// </remarks>
    public static IReadOnlyList<KnownStore> All { get; } =
    [
        new(AmazonName, ".amazonaws.com") { HonorsConditions = true, KeysAreObjects = true, ListsRestoreStates = true },
        new(AmazonName, ".amazonaws.com.cn") { HonorsConditions = true, KeysAreObjects = true, ListsRestoreStates = true },
        new("Backblaze B2", ".backblazeb2.com") { KeysAreObjects = true },
        new("Cloudflare R2", ".r2.cloudflarestorage.com") { RequiresEqualParts = true, KeysAreObjects = true },
        new("DigitalOcean Spaces", ".digitaloceanspaces.com") { KeysAreObjects = true },
        new("Google Cloud Storage", "storage.googleapis.com") { KeysAreObjects = true },
        new("Scaleway", ".scw.cloud") { MaxParts = 1_000, KeysAreObjects = true },
        new("Wasabi", ".wasabisys.com") { KeysAreObjects = true },
    ];

    /// <summary>Finds the store of a configuration; null if it isn't known. Without an address, it is Amazon S3.</summary>
    public static KnownStore? Find(IClientConfig? config) => config switch
    {
        null => null,
        { ServiceURL: null, RegionEndpoint: not null } => All.First(static store => store.Name == AmazonName),
        _ => Find(config.ServiceURL),
    };

    /// <summary>Finds the store of an address; null if it isn't known.</summary>
    public static KnownStore? Find(string? address)
        => Uri.TryCreate(address, UriKind.Absolute, out Uri? uri) ? All.FirstOrDefault(store => uri.Host.EndsWith(store.HostSuffix, StringComparison.OrdinalIgnoreCase)) : null;
}
