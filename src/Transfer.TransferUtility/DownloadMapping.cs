using Amazon.S3;
using Amazon.S3.Model;
using Amazon.S3.Transfer;
using Transfer.S3.Download;
using Transfer.S3.Requests;
using Transfer.S3.Upload;

namespace Transfer.S3.TransferUtility;

/// <summary>Maps a download request to options.</summary>
internal static class DownloadMapping
{
    /// <summary>Gets the name of an option that only the SDK supports; null if there is none.</summary>
    public static string? WhatOnlyTheSdkDoes(BaseDownloadRequest request)
        => RequestChecks.IsArn(request.BucketName) ? nameof(request.BucketName)
        : !string.IsNullOrEmpty(request.ExpectedBucketOwner) ? nameof(request.ExpectedBucketOwner)
        : Overrides(request.ResponseHeaderOverrides) ? nameof(request.ResponseHeaderOverrides)
        : PartSize(request) is < TransferDefaults.MinDownloadPartSizeBytes or > TransferDefaults.MaxPartSizeBytes ? nameof(request.PartSize)
        : !HeaderGuard.IsPlain(NullIfEmpty(request.IfMatch)) ? nameof(request.IfMatch)
        : !HeaderGuard.IsPlain(NullIfEmpty(request.IfNoneMatch)) ? nameof(request.IfNoneMatch)
        : !TryReadKey(request, out _) ? nameof(request.ServerSideEncryptionCustomerProvidedKey)
        : null;

    public static DownloadOptions Options(BaseDownloadRequest request) => new()
    {
        PartSizeBytes = PartSize(request),
        VersionId = NullIfEmpty(request.VersionId),
        IfMatch = NullIfEmpty(request.IfMatch),
        IfNoneMatch = NullIfEmpty(request.IfNoneMatch),
        IfModifiedSince = Time(request.ModifiedSinceDate),
        IfUnmodifiedSince = Time(request.UnmodifiedSinceDate),
        RequesterPays = request.RequestPayer == RequestPayer.Requester,
        CustomerKey = TryReadKey(request, out CustomerKey? key) ? key : null,
        Resume = false, // the SDK removes what it doesn't complete
    };

    /// <summary>Makes a request do what the SDK does: it sends no requests for the lengths of the parts of a composite checksum.</summary>
    /// <param name="request">The request.</param>
    /// <param name="keepsAnswer">Whether the first response is needed.</param>
    public static DownloadRequest LikeSdk(DownloadRequest request, bool keepsAnswer = true)
        => request with { LooksUpParts = false, Address = keepsAnswer ? request.Address.WithAnswer : request.Address };

    // The SDK also ignores the part size if it requests parts by their numbers.
    private static long? PartSize(BaseDownloadRequest request)
        => request.MultipartDownloadType == MultipartDownloadType.RANGE && request.PartSize != 0 ? request.PartSize : null;

    private static bool TryReadKey(BaseDownloadRequest request, out CustomerKey? key) => CustomerKeys.TryRead(
        request.ServerSideEncryptionCustomerMethod,
        request.ServerSideEncryptionCustomerProvidedKey,
        request.ServerSideEncryptionCustomerProvidedKeyMD5,
        out key);

    private static bool Overrides(ResponseHeaderOverrides overrides)
        => !string.IsNullOrEmpty(overrides.CacheControl) || !string.IsNullOrEmpty(overrides.ContentDisposition) || !string.IsNullOrEmpty(overrides.ContentEncoding)
        || !string.IsNullOrEmpty(overrides.ContentLanguage) || !string.IsNullOrEmpty(overrides.ContentType) || !string.IsNullOrEmpty(overrides.Expires);

    // In requests of the SDK, a default date means that the property isn't set.
    private static DateTimeOffset? Time(DateTime? time) => time is { Ticks: > 0 } set ? new DateTimeOffset(set.ToUniversalTime()) : null;

    private static string? NullIfEmpty(string? text) => string.IsNullOrEmpty(text) ? null : text;
}
