using Amazon.S3.Model;

namespace Transfer.S3.Wire.Sdk;

/// <summary>Reads the headers that the SDK has read from a response. It doesn't return the headers that it doesn't know.</summary>
internal static class SdkResponseHeaders
{
    /// <summary>The headers for which both types of responses have a property, in the order of <see cref="All"/>.</summary>
    private static readonly string[] Names =
    [
        "x-amz-server-side-encryption", "x-amz-server-side-encryption-customer-algorithm", "x-amz-website-redirect-location",
        "x-amz-object-lock-mode", "x-amz-object-lock-retain-until-date", "x-amz-object-lock-legal-hold", "x-amz-object-lock-event-hold", "x-amz-missing-meta",
    ];

    public static HeaderValues Values(GetObjectResponse r) => Values(r.Headers, r.ExpiresString, r.StorageClass?.Value);

    public static HeaderValues Values(GetObjectMetadataResponse r) => Values(r.Headers, r.ExpiresString, r.StorageClass?.Value);

    /// <summary>Lists all headers.</summary>
    public static List<ResponseHeader> From(GetObjectResponse r) => All(
        Values(r), r.Metadata,
        r.ServerSideEncryptionMethod, r.ServerSideEncryptionCustomerMethod, r.WebsiteRedirectLocation,
        r.ObjectLockMode, r.ObjectLockRetainUntilDate, r.ObjectLockLegalHoldStatus, r.ObjectLockEventHold, r.MissingMeta);

    public static List<ResponseHeader> From(GetObjectMetadataResponse r) => All(
        Values(r), r.Metadata,
        r.ServerSideEncryptionMethod, r.ServerSideEncryptionCustomerMethod, r.WebsiteRedirectLocation,
        r.ObjectLockMode, r.ObjectLockRetainUntilDate, r.ObjectLockLegalHoldStatus, r.ObjectLockEventHold, r.MissingMeta);

    private static List<ResponseHeader> All(in HeaderValues known, MetadataCollection? metadata, params ReadOnlySpan<object?> values)
    {
        List<ResponseHeader> headers = [];
        foreach (ObjectHeader header in ObjectHeader.All)
        {
            Add(headers, header.Name, known[header]);
        }

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

    private static HeaderValues Values(HeadersCollection? known, string? expires, string? storageClass)
    {
        HeaderValues values = default;
        foreach (ObjectHeader header in ObjectHeader.All)
        {
            string? value = header == ObjectHeader.Expires ? expires : header == ObjectHeader.StorageClass ? storageClass : known?[header.Name];
            values = values.With(header, string.IsNullOrEmpty(value) ? null : value);
        }

        return values;
    }

    private static void Add(List<ResponseHeader> headers, string name, object? value)
    {
        if (value?.ToString() is { Length: > 0 } text)
        {
            headers.Add(new ResponseHeader(name, text));
        }
    }
}
