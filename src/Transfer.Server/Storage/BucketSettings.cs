using Transfer.S3.Server.Cors;
using Transfer.S3.Server.Locks;

namespace Transfer.S3.Server.Storage;

/// <summary>What is configured for a bucket; null for what isn't.</summary>
internal sealed record BucketSettings
{
    public static readonly BucketSettings None = new();

    public CorsConfiguration? Cors { get; init; }

    /// <summary>Gets the name of the predefined access control list. Null means private.</summary>
    public string? Acl { get; init; }

    public BucketLock? Lock { get; init; }

    public IReadOnlyList<KeyValuePair<string, string>>? Tags { get; init; }

    public bool IsSound() => Cors?.IsSound() != false;
}
