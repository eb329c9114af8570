namespace Transfer.S3.Wire;

/// <summary>Compares ETags as stores return them: with or without quotes, weak, or not hexadecimal.</summary>
internal static class ETags
{
    /// <summary>The value of <see cref="ObjectInfo.Encryption"/> for a customer-provided key, for which S3 has no header with a name of the encryption.</summary>
    public const string CustomerEncryption = "SSE-C";

    /// <summary>Gets an ETag in the form of a condition, with the quotes that callers can omit. <c>*</c> matches any ETag.</summary>
    public static string Quoted(string etag) => etag == "*" || etag.Contains('"', StringComparison.Ordinal) ? etag : $"\"{etag}\"";

    /// <summary>Returns whether an ETag never matches in a condition, because If-Match uses the strong comparison (RFC 9110, section 13.1.1).</summary>
    public static bool IsWeak(string? etag) => etag?.StartsWith("W/", StringComparison.Ordinal) == true;

    /// <summary>Returns whether two ETags are the same, with or without quotes. A missing ETag is equal to any.</summary>
    public static bool AreSame(string? one, string? other)
        => string.IsNullOrEmpty(one) || string.IsNullOrEmpty(other) || one.AsSpan().Trim('"').SequenceEqual(other.AsSpan().Trim('"'));

    /// <summary>
    /// Returns whether the ETag of an object isn't an MD5, whatever its form is, because the object is in a directory bucket, or encrypted with a KMS key or a
    /// customer-provided key (Amazon S3 API Reference, "Object").
    /// </summary>
    /// <param name="address">The object.</param>
    /// <param name="encryption">The encryption of the object.</param>
    public static bool HideMd5(ObjectAddress address, string? encryption)
        => BucketKind.IsDirectory(address.Bucket)
            || address.Access.CustomerKey is not null
            || encryption == CustomerEncryption
            || encryption?.StartsWith("aws:kms", StringComparison.Ordinal) == true;
}
