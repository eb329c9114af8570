using System.Collections.ObjectModel;
using System.Globalization;
using System.Net.Http.Headers;
using Transfer.S3.Integrity;

namespace Transfer.S3.Wire.Http;

/// <summary>Reads the headers of S3 responses.</summary>
internal static class S3ResponseHeaders
{
    private const string MetadataPrefix = "x-amz-meta-";
    private const string OtherRequestId = "x-amzn-requestid"; // of other services of AWS, and of moto
    private const string CustomerAlgorithm = "x-amz-server-side-encryption-customer-algorithm";

    public static string? Get(HttpResponseMessage response, string name)
        => response.Headers.NonValidated.TryGetValues(name, out HeaderStringValues values) ? First(values) : null;

    public static string? Content(HttpResponseMessage response, string name)
        => response.Content.Headers.NonValidated.TryGetValues(name, out HeaderStringValues values) ? First(values) : null;

    /// <summary>
    /// Gets the length of a body; null if it isn't known. If a body is sent in chunks, a Content-Length doesn't count (RFC 9112, section 6.3), and isn't that of the object.
    /// </summary>
    public static long? Length(HttpResponseMessage response) => response.Headers.TransferEncodingChunked == true ? null : response.Content.Headers.ContentLength;

    public static string? RequestId(HttpResponseMessage response) => Get(response, "x-amz-request-id") ?? Get(response, OtherRequestId);

    public static string? ExtendedRequestId(HttpResponseMessage response) => Get(response, "x-amz-id-2");

    /// <summary>Determines whether a response is that of a store.</summary>
    public static StoreResponse Origin(HttpResponseMessage response)
        => new(response.StatusCode, RequestId(response), Content(response, "Content-Type"), Get(response, "ETag") is { Length: > 0 } || HasHeaderOfStore(response));

    public static ObjectHead ToHead(HttpResponseMessage response, ReceivedRange answer, ObjectAddress address, bool keepsAnswer, string? checksumNotRequested = null) => new(new ObjectInfo
    {
        Length = answer.Total,
        ETag = Get(response, "ETag"),
        VersionId = Get(response, "x-amz-version-id"),
        LastModified = response.Content.Headers.LastModified,
        Headers = Values(response),
        Expires = HttpTime.Parse(Content(response, "Expires")),
        Encryption = Encryption(response),
        Restore = RestoreState.Parse(Get(response, "x-amz-restore")),
        Metadata = Metadata(response),

        // If a range is exactly one stored part, S3 returns the checksum of that part under the same names, which isn't needed here.
        Checksum = answer.IsAll ? Checksum(response) : null,
        TagCount = int.TryParse(Get(response, "x-amz-tagging-count"), NumberStyles.None, CultureInfo.InvariantCulture, out int tags) ? tags : null,
    })
    {
        ChecksumType = ChecksumType(response),
        ChecksumNotRequested = checksumNotRequested,
        Headers = address.Access.KeepsHeaders ? All(response) : [],
        Answer = keepsAnswer ? response : null,
    };

    /// <summary>Gets the server-side encryption of an object.</summary>
    public static string? Encryption(HttpResponseMessage response)
        => Get(response, "x-amz-server-side-encryption") ?? (Get(response, CustomerAlgorithm) is null ? null : ETags.CustomerEncryption);

    public static StoredChecksum? Checksum(HttpResponseMessage response)
        => ChecksumTable.FindValue(response, static (response, entry) => Get(response, entry.HeaderName), ChecksumType);

    private static string? ChecksumType(HttpResponseMessage response) => Get(response, "x-amz-checksum-type");

    private static bool HasHeaderOfStore(HttpResponseMessage response)
    {
        foreach ((string name, _) in response.Headers.NonValidated)
        {
            if (name.StartsWith("x-amz-", StringComparison.OrdinalIgnoreCase) || name.StartsWith("x-goog-", StringComparison.OrdinalIgnoreCase) || name.Equals(OtherRequestId, StringComparison.OrdinalIgnoreCase))
            {
                return true;
            }
        }

        return false;
    }

    private static List<ResponseHeader> All(HttpResponseMessage response)
    {
        List<ResponseHeader> all = [];
        foreach ((string name, HeaderStringValues values) in response.Headers.NonValidated)
        {
            all.Add(new ResponseHeader(name, values.ToString()));
        }

        foreach ((string name, HeaderStringValues values) in response.Content.Headers.NonValidated)
        {
            all.Add(new ResponseHeader(name, values.ToString()));
        }

        return all;
    }

    private static HeaderValues Values(HttpResponseMessage response)
    {
        HeaderValues values = default;
        foreach (ObjectHeader header in ObjectHeader.All)
        {
            values = values.With(header, Content(response, header.Name) ?? Get(response, header.Name));
        }

        return values;
    }

    private static IReadOnlyDictionary<string, string> Metadata(HttpResponseMessage response)
    {
        // Most objects have no metadata.
        Dictionary<string, string>? result = null;
        foreach ((string name, HeaderStringValues values) in response.Headers.NonValidated)
        {
            if (name.StartsWith(MetadataPrefix, StringComparison.OrdinalIgnoreCase))
            {
                result ??= [];
                result[name[MetadataPrefix.Length..].ToLowerInvariant()] = values.ToString();
            }
        }

        return result ?? (IReadOnlyDictionary<string, string>)ReadOnlyDictionary<string, string>.Empty;
    }

    private static string? First(HeaderStringValues values)
    {
        foreach (string value in values)
        {
            return value.Length == 0 ? null : value;
        }

        return null;
    }
}
