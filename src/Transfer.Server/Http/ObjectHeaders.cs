using System.Globalization;
using System.Text;
using Microsoft.AspNetCore.Http;
using Transfer.S3.Server.Acls;
using Transfer.S3.Server.Checksums;
using Transfer.S3.Server.Storage;

namespace Transfer.S3.Server.Http;

/// <summary>Reads and writes the headers that describe an object.</summary>
internal static class ObjectHeaders
{
    private const string MetadataPrefix = "x-amz-meta-";

    private static readonly string[] StorageClasses =
    [
        "STANDARD", "REDUCED_REDUNDANCY", "STANDARD_IA", "ONEZONE_IA", "INTELLIGENT_TIERING", "GLACIER", "DEEP_ARCHIVE", "OUTPOSTS", "GLACIER_IR",
        "SNOW", "EXPRESS_ONEZONE",
    ];

    public static ObjectAttributes Read(IHeaderDictionary headers)
    {
        string? storageClass = Text(headers["x-amz-storage-class"].ToString());
        if (storageClass is not null && !StorageClasses.Contains(storageClass))
        {
            throw S3Errors.InvalidStorageClass(storageClass);
        }

        (string? lockMode, DateTimeOffset? retainUntil) = ReadRetention(headers);
        return new ObjectAttributes
        {
            Acl = CannedAcl.Parse(Text(headers[CannedAcl.HeaderName].ToString())),
            LockMode = lockMode,
            RetainUntil = retainUntil,
            HasLegalHold = ReadLegalHold(headers),
            ContentType = Text(headers.ContentType.ToString()),
            CacheControl = Text(headers.CacheControl.ToString()),
            ContentDisposition = Text(headers.ContentDisposition.ToString()),
            ContentEncoding = WithoutAwsChunked(headers.ContentEncoding.ToString()),
            ContentLanguage = Text(headers.ContentLanguage.ToString()),
            Expires = Text(headers.Expires.ToString()),
            StorageClass = storageClass == ServerDefaults.DefaultStorageClass ? null : storageClass,
            CustomerKeyMd5 = CustomerKeys.Read(headers),
            UserMetadata = ReadUserMetadata(headers),
            Tags = ReadTags(headers),
        };
    }

    public static void Write(IHeaderDictionary headers, StoredObject value, QueryParameters overrides, DateTimeOffset now)
    {
        ObjectAttributes attributes = value.Attributes;
        headers.AcceptRanges = "bytes";
        headers.ETag = XmlResponse.QuotedETag(value.ETag);
        headers.LastModified = HttpDate.Format(value.LastModified);
        WriteVersion(headers, value.VersionId);
        headers.ContentType = overrides["response-content-type"] ?? attributes.ContentType ?? ServerDefaults.DefaultContentType;
        headers.CacheControl = overrides["response-cache-control"] ?? attributes.CacheControl;
        headers.ContentDisposition = overrides["response-content-disposition"] ?? attributes.ContentDisposition;
        headers.ContentEncoding = overrides["response-content-encoding"] ?? attributes.ContentEncoding;
        headers.ContentLanguage = overrides["response-content-language"] ?? attributes.ContentLanguage;
        headers.Expires = overrides["response-expires"] ?? attributes.Expires;
        if (attributes.StorageClass is not null)
        {
            headers["x-amz-storage-class"] = attributes.StorageClass;
        }

        if (attributes.LockMode is not null)
        {
            headers["x-amz-object-lock-mode"] = attributes.LockMode;
            headers["x-amz-object-lock-retain-until-date"] = XmlResponse.Timestamp(attributes.RetainUntil!.Value);
        }

        if (attributes.HasLegalHold)
        {
            headers["x-amz-object-lock-legal-hold"] = "ON";
        }

        if (value.RestoredAt(now) is { } copy)
        {
            headers["x-amz-restore"] = copy.Header(now);
        }

        if (attributes.Tags.Count > 0)
        {
            headers["x-amz-tagging-count"] = attributes.Tags.Count.ToString();
        }

        foreach ((string name, string text) in attributes.UserMetadata)
        {
            headers[MetadataPrefix + name] = Ascii(text);
        }
    }

    /// <param name="headers">The headers.</param>
    /// <param name="versionId">The ID of the version; null in a bucket without versions.</param>
    public static void WriteVersion(IHeaderDictionary headers, string? versionId)
    {
        if (versionId is not null)
        {
            headers["x-amz-version-id"] = versionId;
        }
    }

    public static void WriteChecksum(IHeaderDictionary headers, ChecksumInfo info, ChecksumType type, string value)
    {
        headers[info.HeaderName] = value;
        headers[ChecksumTypeNames.HeaderName] = type.ApiName();
    }

    public static IReadOnlyList<KeyValuePair<string, string>> ReadTags(IHeaderDictionary headers) =>
        CheckTags(QueryParameters.Parse(headers["x-amz-tagging"].ToString()).All);

    /// <summary>Checks tags against the limits of S3.</summary>
    public static IReadOnlyList<KeyValuePair<string, string>> CheckTags(IReadOnlyList<KeyValuePair<string, string>> tags, int maximum = ServerDefaults.MaximumTags)
    {
        if (tags.Count > maximum)
        {
            throw S3Errors.InvalidTag($"Object tags cannot be greater than {maximum}");
        }

        if (tags.Any(static tag => tag.Key.Length is 0 or > ServerDefaults.MaximumTagKey))
        {
            throw S3Errors.InvalidTag("The TagKey you have provided is invalid");
        }

        if (tags.Any(static tag => tag.Value.Length > ServerDefaults.MaximumTagValue))
        {
            throw S3Errors.InvalidTag("The TagValue you have provided is invalid");
        }

        return tags.Select(static tag => tag.Key).Distinct(StringComparer.Ordinal).Count() == tags.Count
            ? tags
            : throw S3Errors.InvalidTag("Cannot provide multiple Tags with the same key");
    }

    private static (string? Mode, DateTimeOffset? Until) ReadRetention(IHeaderDictionary headers)
    {
        string? mode = Text(headers["x-amz-object-lock-mode"].ToString());
        string? until = Text(headers["x-amz-object-lock-retain-until-date"].ToString());
        if (mode is null && until is null)
        {
            return default;
        }

        return mode is "GOVERNANCE" or "COMPLIANCE" && DateTimeOffset.TryParse(until, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time)
            ? (mode, time)
            : throw S3Errors.InvalidArgument("x-amz-object-lock-retain-until-date and x-amz-object-lock-mode must both be supplied", "x-amz-object-lock-mode", mode ?? string.Empty);
    }

    private static bool ReadLegalHold(IHeaderDictionary headers) => Text(headers["x-amz-object-lock-legal-hold"].ToString()) switch
    {
        null or "OFF" => false,
        "ON" => true,
        string other => throw S3Errors.InvalidArgument("Legal Hold must be either of 'ON' or 'OFF'", "x-amz-object-lock-legal-hold", other),
    };

    private static List<KeyValuePair<string, string>> ReadUserMetadata(IHeaderDictionary headers)
    {
        var metadata = new List<KeyValuePair<string, string>>();
        int bytes = 0;
        foreach ((string name, var values) in headers)
        {
            if (name.StartsWith(MetadataPrefix, StringComparison.OrdinalIgnoreCase))
            {
                metadata.Add(new(name[MetadataPrefix.Length..].ToLowerInvariant(), values.ToString()));
                bytes += Encoding.UTF8.GetByteCount(metadata[^1].Key) + Encoding.UTF8.GetByteCount(metadata[^1].Value);
            }
        }

        return bytes > ServerDefaults.MaximumUserMetadataBytes ? throw S3Errors.MetadataTooLarge(bytes) : metadata;
    }

    /// <summary>Removes aws-chunked, which describes the request and not the object.</summary>
    private static string? WithoutAwsChunked(string contentEncoding) =>
        !contentEncoding.Contains("aws-chunked", StringComparison.OrdinalIgnoreCase) ? Text(contentEncoding)
        : Text(string.Join(
            ", ",
            contentEncoding.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)
                .Where(static coding => !string.Equals(coding, "aws-chunked", StringComparison.OrdinalIgnoreCase))));

    private static string? Text(string value) => value.Length == 0 ? null : value;

    /// <summary>Encodes text as ASCII for a header. As in S3, other text becomes an encoded word (RFC 2047).</summary>
    private static string Ascii(string text) =>
        text.All(static c => c is >= ' ' and < '\x7f') ? text : $"=?UTF-8?B?{Convert.ToBase64String(Encoding.UTF8.GetBytes(text))}?=";
}
