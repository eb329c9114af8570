namespace Transfer.Wire;

/// <summary>Entity tags are compared as stores send them: with quotes, without, weak or not hex at all.</summary>
internal static class ETags
{
    /// <summary>An entity tag as it stands in a condition: with the quotes that callers may leave out. <c>*</c> stands for any.</summary>
    public static string Quoted(string etag) => etag == "*" || etag.Contains('"', StringComparison.Ordinal) ? etag : $"\"{etag}\"";

    /// <summary>Whether a tag never matches in a condition: If-Match compares strongly (RFC 9110, section 13.1.1).</summary>
    public static bool IsWeak(string? etag) => etag?.StartsWith("W/", StringComparison.Ordinal) == true;

    /// <summary>Whether two entity tags are the same, whichever of them carries its quotes; an absent one differs from nothing.</summary>
    public static bool AreSame(string? one, string? other)
        => string.IsNullOrEmpty(one) || string.IsNullOrEmpty(other) || one.AsSpan().Trim('"').SequenceEqual(other.AsSpan().Trim('"'));

    /// <summary>
    /// Whether an object's tag is something else than an MD5, however it looks: the object is in a directory bucket, or encrypted with a key of KMS or of the
    /// customer (Amazon S3 API Reference, "Object").
    /// </summary>
    /// <param name="address">The object.</param>
    /// <param name="encryption">The answer's <c>x-amz-server-side-encryption</c>.</param>
    /// <param name="customerKey">The answer's <c>x-amz-server-side-encryption-customer-algorithm</c>.</param>
    public static bool HideMd5(ObjectAddress address, string? encryption, string? customerKey)
        => BucketKind.IsDirectory(address.Bucket)
            || address.Access.CustomerKey is not null
            || !string.IsNullOrEmpty(customerKey)
            || encryption?.StartsWith("aws:kms", StringComparison.Ordinal) == true;
}
