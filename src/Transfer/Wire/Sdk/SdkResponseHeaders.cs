using Amazon.S3.Model;

namespace Transfer.S3.Wire.Sdk;

/// <summary>Lists the headers that the SDK has read from a response. It doesn't return the headers that it doesn't know.</summary>
internal static class SdkResponseHeaders
{
    /// <summary>The headers for which both types of responses have a property, in the order of <see cref="All"/>.</summary>
    private static readonly string[] Names =
    [
        "Expires", "x-amz-storage-class", "x-amz-server-side-encryption", "x-amz-server-side-encryption-customer-algorithm", "x-amz-website-redirect-location",
        "x-amz-object-lock-mode", "x-amz-object-lock-retain-until-date", "x-amz-object-lock-legal-hold", "x-amz-object-lock-event-hold", "x-amz-missing-meta",
    ];

    public static List<ResponseHeader> From(GetObjectResponse r) => All(
        r.Headers, r.Metadata,
        r.ExpiresString, r.StorageClass, r.ServerSideEncryptionMethod, r.ServerSideEncryptionCustomerMethod, r.WebsiteRedirectLocation,
        r.ObjectLockMode, r.ObjectLockRetainUntilDate, r.ObjectLockLegalHoldStatus, r.ObjectLockEventHold, r.MissingMeta);

    public static List<ResponseHeader> From(GetObjectMetadataResponse r) => All(
        r.Headers, r.Metadata,
        r.ExpiresString, r.StorageClass, r.ServerSideEncryptionMethod, r.ServerSideEncryptionCustomerMethod, r.WebsiteRedirectLocation,
        r.ObjectLockMode, r.ObjectLockRetainUntilDate, r.ObjectLockLegalHoldStatus, r.ObjectLockEventHold, r.MissingMeta);

    private static List<ResponseHeader> All(HeadersCollection? known, MetadataCollection? metadata, params ReadOnlySpan<object?> values)
    {
        List<ResponseHeader> headers = [];
        Add(headers, "Content-Type", known?.ContentType);
        Add(headers, "Cache-Control", known?.CacheControl);
        Add(headers, "Content-Disposition", known?.ContentDisposition);
        Add(headers, "Content-Encoding", known?.ContentEncoding);
        Add(headers, "Content-Language", known?["Content-Language"]);
        for (int i = 0; i < Names.Length; i++)
        {
            Add(headers, Names[i], values[i]);
        }

        foreach ((string name, string value) in SdkWire.ToDictionary(metadata))
        {
            headers.Add(new ResponseHeader(ResponseHeader.MetadataPrefix + name, value));
        }

        return headers;
    }

    private static void Add(List<ResponseHeader> headers, string name, object? value)
    {
        if (value?.ToString() is { Length: > 0 } text)
        {
            headers.Add(new ResponseHeader(name, text));
        }
    }
}
