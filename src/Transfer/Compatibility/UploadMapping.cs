using System.Collections.Frozen;
using System.Globalization;
using Amazon.S3;
using Amazon.S3.Transfer;
using Amazon.S3.Util;
using Transfer.Scheduling;
using Transfer.Upload;

namespace Transfer.Compatibility;

/// <summary>What an upload's request means in our options.</summary>
internal static class UploadMapping
{
    private const string MetadataPrefix = "x-amz-meta-";

    private static readonly FrozenSet<string> Headers = FrozenSet.ToFrozenSet(
        ["Content-Type", "Cache-Control", "Content-Disposition", "Content-Encoding", "Content-Language", "Expires"], StringComparer.OrdinalIgnoreCase);

    /// <summary>The option of the request that has to go the SDK's way; null where there is none.</summary>
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

    /// <param name="request">What is asked for.</param>
    /// <param name="isInParts">Whether the SDK would have sent it in parts: it gives those another type where it knows none.</param>
    public static UploadOptions Options(TransferUtilityUploadRequest request, bool isInParts) => new()
    {
        Resume = false, // what the SDK's does not finish, it aborts
        PartSizeBytes = request.PartSize == 0 ? null : request.PartSize,
        Checksum = Algorithm(request) ?? (request.DisableDefaultChecksumValidation == true ? ChecksumAlgorithm.None : ChecksumAlgorithm.Auto),
        OnlyIfAbsent = request.IfNoneMatch == "*",
        TrustsCondition = true, // it is S3's header, and no more than that
        IfMatch = NullIfEmpty(request.IfMatch),
        ContentType = ContentType(request, isInParts),
        CacheControl = NullIfEmpty(request.Headers.CacheControl),
        ContentDisposition = NullIfEmpty(request.Headers.ContentDisposition),
        ContentEncoding = NullIfEmpty(request.Headers.ContentEncoding),
        ContentLanguage = NullIfEmpty(request.Headers.ContentLanguage),
        Expires = request.Headers.Expires is { } expires ? new DateTimeOffset(expires.ToUniversalTime()) : null,
        Tags = Tags(request),
        StorageClass = NullIfEmpty(request.StorageClass?.Value),
        Acl = NullIfEmpty(request.CannedACL?.Value),
        Encryption = TryReadEncryption(request, out ObjectEncryption? encryption) ? encryption : null,
        CustomerKey = TryReadKey(request, out CustomerKey? key) ? key : null,
        KeepAnswer = true,
        SourceShare = FileShare.Read, // the SDK's own: on Windows a file that is open for writing in any way is refused
        RequesterPays = request.RequestPayer == RequestPayer.Requester,
        Metadata = Metadata(request),
    };

    /// <summary>The type that the request names, or that of the file name's ending, or of the key's.</summary>
    private static string ContentType(TransferUtilityUploadRequest request, bool isInParts)
    {
        if (!string.IsNullOrEmpty(request.ContentType))
        {
            return request.ContentType;
        }

        string? ending = NullIfEmpty(Path.GetExtension(request.FilePath)) ?? NullIfEmpty(Path.GetExtension(request.Key));
        return ending is null && !isInParts ? "text/plain" : AmazonS3Util.MimeTypeFromExtension(ending ?? string.Empty);
    }

    private static bool TryReadKey(TransferUtilityUploadRequest request, out CustomerKey? key) => CustomerKeys.TryRead(
        request.ServerSideEncryptionCustomerMethod,
        request.ServerSideEncryptionCustomerProvidedKey,
        request.ServerSideEncryptionCustomerProvidedKeyMD5,
        out key);

    /// <summary>Reads how the store is to encrypt; what goes with another method, or with none, is for the SDK and the store to refuse.</summary>
    private static bool TryReadEncryption(TransferUtilityUploadRequest request, out ObjectEncryption? encryption)
    {
        string? keyId = NullIfEmpty(request.ServerSideEncryptionKeyManagementServiceKeyId);
        string? context = NullIfEmpty(request.SSEKMSEncryptionContext);
        encryption = NullIfEmpty(request.ServerSideEncryptionMethod?.Value) switch
        {
            "AES256" => ObjectEncryption.Aes256,
            "aws:kms" => ObjectEncryption.Kms(keyId, context, request.BucketKeyEnabled),
            "aws:kms:dsse" => ObjectEncryption.KmsTwice(keyId, context),
            _ => null,
        };
        return IsPlain(keyId) && IsPlain(context) && (encryption?.Algorithm ?? string.Empty) == (request.ServerSideEncryptionMethod?.Value ?? string.Empty)
            && encryption?.KeyId == keyId && encryption?.Context == context && encryption?.UsesBucketKey == request.BucketKeyEnabled;
    }

    private static Dictionary<string, string> Metadata(TransferUtilityUploadRequest request) => request.Metadata.Keys.ToDictionary(
        name => name.StartsWith(MetadataPrefix, StringComparison.OrdinalIgnoreCase) ? name[MetadataPrefix.Length..] : name, name => request.Metadata[name] ?? string.Empty);

    private static Dictionary<string, string>? Tags(TransferUtilityUploadRequest request) => request.TagSet?.ToDictionary(tag => tag.Key, tag => tag.Value);

    /// <summary>Whether it is nothing for our options: what the SDK makes of it, and the store, is theirs.</summary>
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

    /// <summary>Whether a header is one of our options, and what it says too: a time is one that is written as we write it.</summary>
    private static bool IsKnown(string name, string? value)
        => Headers.Contains(name) && IsPlain(value)
        && (!name.Equals("Expires", StringComparison.OrdinalIgnoreCase) || DateTime.TryParseExact(value, "R", CultureInfo.InvariantCulture, DateTimeStyles.None, out _));

    private static bool IsPartSize(long bytes, long memoryBytes)
        => bytes is >= TransferDefaults.MinUploadPartSizeBytes and <= TransferDefaults.MaxPartSizeBytes && bytes <= memoryBytes;

    private static string? NullIfEmpty(string? text) => string.IsNullOrEmpty(text) ? null : text;

    private static ChecksumAlgorithm? Algorithm(TransferUtilityUploadRequest request) => request.ChecksumAlgorithm?.Value switch
    {
        "CRC32" => ChecksumAlgorithm.Crc32,
        "CRC32C" => ChecksumAlgorithm.Crc32C,
        "CRC64NVME" => ChecksumAlgorithm.Crc64Nvme,
        "SHA256" => ChecksumAlgorithm.Sha256,
        _ => null,
    };

    private static bool IsSet(string? text) => !string.IsNullOrEmpty(text);
}
