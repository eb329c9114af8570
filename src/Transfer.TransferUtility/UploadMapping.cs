using System.Globalization;
using Amazon.S3;
using Amazon.S3.Model;
using Amazon.S3.Transfer;
using Amazon.S3.Util;
using Transfer.S3.Integrity;
using Transfer.S3.Requests;
using Transfer.S3.Upload;
using Transfer.S3.Wire;

namespace Transfer.S3.TransferUtility;

/// <summary>Maps an upload request to options.</summary>
internal static class UploadMapping
{
    private const string MetadataPrefix = "x-amz-meta-";

    /// <summary>Gets the name of an option that only the SDK supports; null if there is none.</summary>
    public static string? WhatOnlyTheSdkDoes(TransferUtilityUploadRequest request, long memoryBytes)
    {
        ReadOnlySpan<(string Name, bool IsSet)> options =
        [
            (nameof(request.BucketName), RequestChecks.IsArn(request.BucketName)),
            (nameof(request.InputStream), request.InputStream is not null && !string.IsNullOrEmpty(request.FilePath)),
            (nameof(request.PartSize), request.PartSize != 0 && !IsPartSize(request.PartSize, memoryBytes)),
            (nameof(request.ChecksumAlgorithm), request.ChecksumAlgorithm is not null && Algorithm(request) is null),
            (nameof(request.ChecksumCRC32), IsSet(request.ChecksumCRC32)),
            (nameof(request.ChecksumCRC32C), IsSet(request.ChecksumCRC32C)),
            (nameof(request.ChecksumCRC64NVME), IsSet(request.ChecksumCRC64NVME)),
            (nameof(request.ChecksumMD5), IsSet(request.ChecksumMD5)),
            (nameof(request.ChecksumSHA1), IsSet(request.ChecksumSHA1)),
            (nameof(request.ChecksumSHA256), IsSet(request.ChecksumSHA256)),
            (nameof(request.ChecksumSHA512), IsSet(request.ChecksumSHA512)),
            (nameof(request.ChecksumXXHASH128), IsSet(request.ChecksumXXHASH128)),
            (nameof(request.ChecksumXXHASH3), IsSet(request.ChecksumXXHASH3)),
            (nameof(request.ChecksumXXHASH64), IsSet(request.ChecksumXXHASH64)),
            (nameof(request.MpuObjectSize), request.MpuObjectSize != 0),
            (nameof(request.DisablePayloadSigning), request.DisablePayloadSigning == false),
            (nameof(request.IfNoneMatch), IsSet(request.IfNoneMatch) && (request.IfNoneMatch != "*" || IsSet(request.IfMatch))),
            (nameof(request.IfMatch), !IsPlain(request.IfMatch)),
            (nameof(request.ContentType), !IsPlain(request.ContentType)),
            (nameof(request.StorageClass), !IsPlain(request.StorageClass?.Value)),
            (nameof(request.ServerSideEncryptionMethod), !TryReadEncryption(request, out _)),
            (nameof(request.ServerSideEncryptionCustomerProvidedKey), !TryReadKey(request, out CustomerKey? key)
                || (key is not null && IsSet(request.ServerSideEncryptionMethod?.Value))),
            (nameof(request.CannedACL), request.CannedACL == S3CannedACL.NoACL || !IsPlain(request.CannedACL?.Value)),
            (nameof(request.Headers), request.Headers.Keys.Any(name => !IsKnown(name, request.Headers[name]))),
            (nameof(request.Expires), IsSet(request.Expires)),
            (nameof(request.Metadata), IsRefused(() => HeaderGuard.Metadata(nameof(request.Metadata), Metadata(request)))),
            (nameof(request.TagSet), IsRefused(() => HeaderGuard.Tags(nameof(request.TagSet), Tags(request)))),
            (nameof(request.ObjectLockLegalHoldStatus), request.ObjectLockLegalHoldStatus is not null),
            (nameof(request.ObjectLockMode), request.ObjectLockMode is not null),
            (nameof(request.ObjectLockRetainUntilDate), request.ObjectLockRetainUntilDate is { Ticks: > 0 }),
            (nameof(request.ExpectedBucketOwner), IsSet(request.ExpectedBucketOwner)),
            (nameof(request.Grants), request.Grants is { Count: > 0 }),
            (nameof(request.WebsiteRedirectLocation), IsSet(request.WebsiteRedirectLocation)),
        ];
        foreach ((string name, bool isSet) in options)
        {
            if (isSet)
            {
                return name;
            }
        }

        return null;
    }

    /// <param name="request">The request.</param>
    /// <param name="isInParts">Whether the SDK would upload the object in parts. It uses another content type for these if none is known.</param>
    public static UploadOptions Options(TransferUtilityUploadRequest request, bool isInParts) => new()
    {
        Headers = Headers(request.Headers),
        Resume = false, // the SDK aborts what it doesn't complete
        PartSizeBytes = request.PartSize == 0 ? null : request.PartSize,
        Checksum = Algorithm(request) ?? (request.DisableDefaultChecksumValidation == true ? ChecksumAlgorithm.None : ChecksumAlgorithm.Auto),
        Overwrite = request.IfNoneMatch != "*",
        IfMatch = NullIfEmpty(request.IfMatch),
        ContentType = ContentType(request, isInParts),
        Expires = request.Headers.Expires is { } expires ? new DateTimeOffset(expires.ToUniversalTime()) : null,
        Tags = Tags(request),
        StorageClass = NullIfEmpty(request.StorageClass?.Value),
        Acl = NullIfEmpty(request.CannedACL?.Value),
        Encryption = TryReadEncryption(request, out ObjectEncryption? encryption) ? encryption : null,
        CustomerKey = TryReadKey(request, out CustomerKey? key) ? key : null,
        RequesterPays = request.RequestPayer == RequestPayer.Requester,
        Metadata = Metadata(request),
    };

    /// <summary>Makes a request do what the SDK does: it only sends the header of a condition, and on Windows, it rejects a file that is open for writing.</summary>
    public static UploadRequest LikeSdk(UploadRequest request) => request with
    {
        Target = request.Target with { Condition = request.Target.Condition with { IsTrusted = true } },
        SourceShare = FileShare.Read,
    };

    /// <summary>Gets the content type of the request, of the extension of the file name, or of that of the key.</summary>
    private static string ContentType(TransferUtilityUploadRequest request, bool isInParts)
    {
        if (!string.IsNullOrEmpty(request.ContentType))
        {
            return request.ContentType;
        }

        string? ending = NullIfEmpty(Path.GetExtension(request.FilePath)) ?? NullIfEmpty(Path.GetExtension(request.Key));
        return ending is null && !isInParts ? "text/plain" : AmazonS3Util.MimeTypeFromExtension(ending ?? string.Empty);
    }

    private static HeaderValues Headers(HeadersCollection headers)
    {
        HeaderValues values = default;
        foreach (ObjectHeader header in ObjectHeader.All)
        {
            values = values.With(header, header.IsOfHttp ? NullIfEmpty(headers[header.Name]) : null);
        }

        return values;
    }

    private static bool TryReadKey(TransferUtilityUploadRequest request, out CustomerKey? key) => CustomerKeys.TryRead(
        request.ServerSideEncryptionCustomerMethod,
        request.ServerSideEncryptionCustomerProvidedKey,
        request.ServerSideEncryptionCustomerProvidedKeyMD5,
        out key);

    /// <summary>Reads the server-side encryption. Invalid combinations are rejected by the SDK and the store.</summary>
    private static bool TryReadEncryption(TransferUtilityUploadRequest request, out ObjectEncryption? encryption)
    {
        string? keyId = NullIfEmpty(request.ServerSideEncryptionKeyManagementServiceKeyId);
        string? context = NullIfEmpty(request.SSEKMSEncryptionContext);
        encryption = NullIfEmpty(request.ServerSideEncryptionMethod?.Value) switch
        {
            "AES256" => ObjectEncryption.Aes256,
            "aws:kms" => ObjectEncryption.Kms(keyId, context, request.BucketKeyEnabled),
            "aws:kms:dsse" => ObjectEncryption.KmsDualLayer(keyId, context),
            _ => null,
        };
        return IsPlain(keyId) && IsPlain(context) && (encryption?.Algorithm ?? string.Empty) == (request.ServerSideEncryptionMethod?.Value ?? string.Empty)
            && encryption?.KeyId == keyId && encryption?.Context == context && encryption?.UsesBucketKey == request.BucketKeyEnabled;
    }

    private static Dictionary<string, string> Metadata(TransferUtilityUploadRequest request) => request.Metadata.Keys.ToDictionary(
        name => name.StartsWith(MetadataPrefix, StringComparison.OrdinalIgnoreCase) ? name[MetadataPrefix.Length..] : name, name => request.Metadata[name] ?? string.Empty);

    private static Dictionary<string, string>? Tags(TransferUtilityUploadRequest request) => request.TagSet?.ToDictionary(tag => tag.Key, tag => tag.Value);

    /// <summary>Returns whether the options reject a value, so that the SDK and the store must handle it.</summary>
    private static bool IsRefused(Action check)
    {
        try
        {
            check();
            return false;
        }
        catch (ArgumentException)
        {
            return true;
        }
    }

    private static bool IsPlain(string? text) => HeaderGuard.IsPlain(NullIfEmpty(text));

    /// <summary>Returns whether a header and its value can be expressed by an option. A time must have the format that the client writes.</summary>
    private static bool IsKnown(string name, string? value)
        => ObjectHeader.Find(name) is { IsOfHttp: true } && IsPlain(value)
        && (!name.Equals("Expires", StringComparison.OrdinalIgnoreCase) || DateTime.TryParseExact(value, "R", CultureInfo.InvariantCulture, DateTimeStyles.None, out _));

    private static bool IsPartSize(long bytes, long memoryBytes)
        => bytes is >= TransferDefaults.MinUploadPartSizeBytes and <= TransferDefaults.MaxPartSizeBytes && bytes <= memoryBytes;

    private static string? NullIfEmpty(string? text) => string.IsNullOrEmpty(text) ? null : text;

    private static ChecksumAlgorithm? Algorithm(TransferUtilityUploadRequest request)
        => ChecksumTable.FindS3Name(request.ChecksumAlgorithm?.Value)?.Algorithm;

    private static bool IsSet(string? text) => !string.IsNullOrEmpty(text);
}
