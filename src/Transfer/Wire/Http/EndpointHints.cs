namespace Transfer.S3.Wire.Http;

/// <summary>
/// Finds causes of an error that its code doesn't tell: an endpoint that contains the bucket, an endpoint that redirects to HTTPS, or a proxy that changes the Host
/// header.
/// </summary>
internal static class EndpointHints
{
    /// <summary>Gets what to check; null if nothing suggests another cause than the error itself.</summary>
    /// <param name="failure">The error.</param>
    /// <param name="bucket">The bucket.</param>
    /// <param name="isOfBucket">Whether the request is about the bucket itself, such as a listing, and not about an object.</param>
    /// <param name="first">The endpoint that the request was sent to first.</param>
    /// <param name="last">The endpoint that the request was sent to last.</param>
    /// <param name="service">The configured URL of the store; null for Amazon S3.</param>
    public static string? Find(WireException failure, string bucket, bool isOfBucket, StoreEndpoint first, StoreEndpoint last, Uri? service)
    {
        bool isOfSignature = failure.ErrorCode == "SignatureDoesNotMatch";
        bool isOfName = failure.ErrorCode is "NoSuchBucket" or "InvalidBucketName"
            || (failure.ErrorCode == "NoSuchKey" && isOfBucket)
            || failure.InnerException is HttpRequestException { HttpRequestError: HttpRequestError.NameResolutionError };
        return !first.IsTls && last.IsTls && GetHost(first) == GetHost(last) ? $"the endpoint {first.Origin} redirects to {last.Origin}, so use {last.Origin} as the endpoint"
            : isOfSignature && failure.ReceivedHost is { } host && !host.Equals(last.Host, StringComparison.OrdinalIgnoreCase)
                ? $"the request was sent with the Host header '{last.Host}' and received with '{host}', so a proxy before the store changes it"
            : (isOfSignature || isOfName) && service is not null && (IsInPath(bucket, service) || IsInHost(bucket, service))
                ? $"the endpoint {service.Scheme}://{service.Authority}{service.AbsolutePath.TrimEnd('/')} seems to contain the bucket, so use it without '{bucket}'"
            : isOfSignature && service is not null && failure.ReceivedHost is null ? "if there is a proxy before the store, check that it keeps the Host header"
            : null;
    }

    /// <summary>Gets the Host header that a store received, from the request in its error; null if the error doesn't contain it.</summary>
    /// <param name="canonicalRequest">The request as the store signed it.</param>
    public static string? ReceivedHost(string? canonicalRequest)
    {
        const string Name = "host:";
        string? line = canonicalRequest?.Split('\n').FirstOrDefault(static line => line.StartsWith(Name, StringComparison.Ordinal));
        string? host = line?[Name.Length..].Trim();
        return host is { Length: > 0 and < 300 } && host.All(static c => char.IsAsciiLetterOrDigit(c) || c is '.' or '-' or '_' or ':' or '[' or ']') ? host : null;
    }

    /// <summary>
    /// Returns whether the store would most likely take the bucket for the beginning of each key, because the endpoint already selects it. That is not an error, so
    /// objects would be written under other keys.
    /// </summary>
    public static bool ShiftsKeys(string bucket, Uri service)
        => IsInPath(bucket, service) || (IsInHost(bucket, service) && service.IdnHost[(bucket.Length + 1)..].StartsWith("s3", StringComparison.OrdinalIgnoreCase));

    private static string GetHost(StoreEndpoint endpoint) => new Uri(endpoint.Origin).IdnHost;

    private static bool IsInPath(string bucket, Uri service) => bucket.Length > 0 && Uri.UnescapeDataString(service.AbsolutePath).Trim('/').Split('/')[^1] == bucket;

    private static bool IsInHost(string bucket, Uri service) => bucket.Length > 0 && service.IdnHost.StartsWith(bucket + ".", StringComparison.OrdinalIgnoreCase);
}
