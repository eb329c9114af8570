using Amazon.S3.Transfer;

namespace Transfer.S3.TransferUtility;

/// <summary>Maps a request for a directory to requests for its files.</summary>
internal static class DirectoryMapping
{
    /// <summary>Gets the name of an option that only the SDK supports; null if there is none.</summary>
    public static string? WhatOnlyTheSdkDoes(TransferUtilityDownloadDirectoryRequest request) => DownloadMapping.WhatOnlyTheSdkDoes(GetFile(request, "key", "file"));

    /// <summary>Gets the name of an option that only the SDK supports; null if there is none.</summary>
    public static string? WhatOnlyTheSdkDoes(TransferUtilityUploadDirectoryRequest request, long memoryBytes)
        => UploadMapping.WhatOnlyTheSdkDoes(GetFile(request, "key", "file"), memoryBytes);

    /// <summary>Gets the prefix of the keys, and how many of its characters aren't part of the file names.</summary>
    public static (string Prefix, int Cut) GetPrefix(TransferUtilityDownloadDirectoryRequest request)
    {
        string prefix = request.S3Directory.Replace('\\', '/');
        if (!request.DisableSlashCorrection && !prefix.EndsWith('/'))
        {
            prefix += "/";
        }

        prefix = prefix.StartsWith('/') ? prefix[1..] : prefix;
        return (prefix, request.DisableSlashCorrection ? prefix.LastIndexOf('/') + 1 : prefix.Length);
    }

    public static string GetPrefix(TransferUtilityUploadDirectoryRequest request)
    {
        if (string.IsNullOrEmpty(request.KeyPrefix))
        {
            return string.Empty;
        }

        string prefix = request.KeyPrefix.Replace('\\', '/');
        prefix = prefix.StartsWith('/') ? prefix[1..] : prefix;
        return prefix.EndsWith('/') ? prefix : prefix + "/";
    }

    /// <summary>Returns whether the request includes an object with a last-modified date.</summary>
    public static bool Takes(TransferUtilityDownloadDirectoryRequest request, DateTime lastModified)
        => !(request.ModifiedSinceDate is { Ticks: > 0 } since && lastModified <= since.ToUniversalTime())
            && !(request.UnmodifiedSinceDate is { Ticks: > 0 } until && lastModified > until.ToUniversalTime());

    public static TransferUtilityDownloadRequest GetFile(TransferUtilityDownloadDirectoryRequest request, string key, string path) => new()
    {
        BucketName = request.BucketName,
        Key = key,
        FilePath = path,
        ServerSideEncryptionCustomerMethod = request.ServerSideEncryptionCustomerMethod,
        ServerSideEncryptionCustomerProvidedKey = request.ServerSideEncryptionCustomerProvidedKey,
        ServerSideEncryptionCustomerProvidedKeyMD5 = request.ServerSideEncryptionCustomerProvidedKeyMD5,
        RequestPayer = request.RequestPayer,
        ExpectedBucketOwner = request.ExpectedBucketOwner,
        IfMatch = request.IfMatch,
        IfNoneMatch = request.IfNoneMatch,
        ResponseHeaderOverrides = request.ResponseHeaderOverrides,
    };

    /// <summary>
    /// Creates the request for one file. Headers, metadata, tags, and grants are shared with the request for the directory and not copied, so a listener that adds
    /// to one adds to all.
    /// </summary>
    public static TransferUtilityUploadRequest GetFile(TransferUtilityUploadDirectoryRequest request, string key, string path)
    {
        TransferUtilityUploadRequest file = new()
        {
            BucketName = request.BucketName,
            Key = key,
            FilePath = path,
            CannedACL = request.CannedACL,
            ContentType = request.ContentType,
            StorageClass = request.StorageClass,
            ServerSideEncryptionMethod = request.ServerSideEncryptionMethod,
            ServerSideEncryptionKeyManagementServiceKeyId = request.ServerSideEncryptionKeyManagementServiceKeyId,
            ServerSideEncryptionCustomerMethod = request.ServerSideEncryptionCustomerMethod,
            ServerSideEncryptionCustomerProvidedKey = request.ServerSideEncryptionCustomerProvidedKey,
            ServerSideEncryptionCustomerProvidedKeyMD5 = request.ServerSideEncryptionCustomerProvidedKeyMD5,
            TagSet = request.TagSet,
            ObjectLockLegalHoldStatus = request.ObjectLockLegalHoldStatus,
            ObjectLockMode = request.ObjectLockMode,
            ObjectLockRetainUntilDate = request.ObjectLockRetainUntilDate,
            DisablePayloadSigning = request.DisablePayloadSigning,
            RequestPayer = request.RequestPayer,
            DisableDefaultChecksumValidation = request.DisableDefaultChecksumValidation,
            ChecksumAlgorithm = request.ChecksumAlgorithm,
            BucketKeyEnabled = request.BucketKeyEnabled,
            ExpectedBucketOwner = request.ExpectedBucketOwner,
            SSEKMSEncryptionContext = request.SSEKMSEncryptionContext,
            WebsiteRedirectLocation = request.WebsiteRedirectLocation,
            Grants = request.Grants,
        };
        SdkUtilityMembers.SetMetadata(file, request.Metadata);
        SdkUtilityMembers.SetHeaders(file, request.Headers);
        return file;
    }
}
