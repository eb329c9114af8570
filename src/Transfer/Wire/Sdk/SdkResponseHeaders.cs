using Amazon.S3.Model;

namespace Transfer.Wire.Sdk;

/// <summary>Lists the headers that the SDK has read from a response. It doesn't return the headers that it doesn't know.</summary>
internal static class SdkResponseHeaders
{
    public static List<ResponseHeader> Of(GetObjectResponse response)
    {
        List<ResponseHeader> headers = Of(response.Headers, response.Metadata, response.ExpiresString);
        Add(headers, "x-amz-storage-class", response.StorageClass);
        Add(headers, "x-amz-server-side-encryption", response.ServerSideEncryptionMethod);
        Add(headers, "x-amz-server-side-encryption-customer-algorithm", response.ServerSideEncryptionCustomerMethod);
        Add(headers, "x-amz-website-redirect-location", response.WebsiteRedirectLocation);
        Add(headers, "x-amz-object-lock-mode", response.ObjectLockMode);
        Add(headers, "x-amz-object-lock-retain-until-date", response.ObjectLockRetainUntilDate);
        Add(headers, "x-amz-object-lock-legal-hold", response.ObjectLockLegalHoldStatus);
        Add(headers, "x-amz-object-lock-event-hold", response.ObjectLockEventHold);
        Add(headers, "x-amz-missing-meta", response.MissingMeta);
        return headers;
    }

    public static List<ResponseHeader> Of(GetObjectMetadataResponse response)
    {
        List<ResponseHeader> headers = Of(response.Headers, response.Metadata, response.ExpiresString);
        Add(headers, "x-amz-storage-class", response.StorageClass);
        Add(headers, "x-amz-server-side-encryption", response.ServerSideEncryptionMethod);
        Add(headers, "x-amz-server-side-encryption-customer-algorithm", response.ServerSideEncryptionCustomerMethod);
        Add(headers, "x-amz-website-redirect-location", response.WebsiteRedirectLocation);
        Add(headers, "x-amz-object-lock-mode", response.ObjectLockMode);
        Add(headers, "x-amz-object-lock-retain-until-date", response.ObjectLockRetainUntilDate);
        Add(headers, "x-amz-object-lock-legal-hold", response.ObjectLockLegalHoldStatus);
        Add(headers, "x-amz-object-lock-event-hold", response.ObjectLockEventHold);
        Add(headers, "x-amz-missing-meta", response.MissingMeta);
        return headers;
    }

    private static List<ResponseHeader> Of(HeadersCollection? known, MetadataCollection? metadata, string? expires)
    {
        List<ResponseHeader> headers = [];
        Add(headers, "Content-Type", known?.ContentType);
        Add(headers, "Cache-Control", known?.CacheControl);
        Add(headers, "Content-Disposition", known?.ContentDisposition);
        Add(headers, "Content-Encoding", known?.ContentEncoding);
        Add(headers, "Content-Language", known?["Content-Language"]);
        Add(headers, "Expires", expires);
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
