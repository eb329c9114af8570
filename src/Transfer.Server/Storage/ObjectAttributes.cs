using Transfer.S3.Server.Http;

namespace Transfer.S3.Server.Storage;

/// <summary>The properties that a client specified when it created an object; null for those that it didn't specify.</summary>
internal sealed record ObjectAttributes
{
    public static readonly ObjectAttributes None = new();

    public string? ContentType { get; init; }

    public string? CacheControl { get; init; }

    public string? ContentDisposition { get; init; }

    public string? ContentEncoding { get; init; }

    public string? ContentLanguage { get; init; }

    public string? Expires { get; init; }

    /// <summary>Gets the storage class. Null means STANDARD. Only those of archived objects have an effect.</summary>
    public string? StorageClass { get; init; }

    /// <summary>Gets the name of the predefined access control list. Null means private.</summary>
    public string? Acl { get; init; }

    /// <summary>Gets the mode of the retention: GOVERNANCE or COMPLIANCE.</summary>
    public string? LockMode { get; init; }

    /// <summary>Gets the time until which the object is retained.</summary>
    public DateTimeOffset? RetainUntil { get; init; }

    /// <summary>Gets a value that indicates whether the object has a legal hold.</summary>
    public bool HasLegalHold { get; init; }

    /// <summary>Returns whether the object can't be deleted now. In a bucket without versions, it can't be replaced either.</summary>
    public bool IsLockedAt(DateTimeOffset now, bool bypassesGovernance) => HasLegalHold || IsRetainedAt(now, bypassesGovernance);

    /// <summary>Returns whether the retention of the object can't be shortened now. The clock of the server counts whole seconds.</summary>
    public bool IsRetainedAt(DateTimeOffset now, bool bypassesGovernance) => RetainUntil is { } until && now < HttpDate.WholeSeconds(until) && !(bypassesGovernance && LockMode == "GOVERNANCE");

    /// <summary>Gets the MD5 of the customer-provided key that reads must contain, in base64; null if there is no key.</summary>
    public string? CustomerKeyMd5 { get; init; }

    /// <summary>Gets the user metadata, with lower-case names that don't include <c>x-amz-meta-</c>.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> UserMetadata { get; init; } = [];

    public IReadOnlyList<KeyValuePair<string, string>> Tags { get; init; } = [];
}
