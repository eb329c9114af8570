using System.Net;

namespace Transfer.S3.Wire;

/// <summary>Tells that another owner of the bucket may be why the store denied access. The error of the store doesn't.</summary>
internal static class BucketOwnerHint
{
    /// <summary>Gets what to check; null if the request expected no owner, or if the error has another reason.</summary>
    /// <param name="failure">The error.</param>
    /// <param name="owner">The owner that the request expected; null if there is none.</param>
    public static string? Find(WireException failure, string? owner)
        => owner is not null && failure is { StatusCode: HttpStatusCode.Forbidden, ErrorCode: null or "AccessDenied" or nameof(HttpStatusCode.Forbidden) }
            ? $"the bucket may belong to another account than {owner} ({nameof(TransferClientOptions.ExpectedBucketOwner)})"
            : null;
}
