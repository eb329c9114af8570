using Amazon.S3;
using Amazon.S3.Model;
using Amazon.S3.Transfer;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.TransferUtility;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Compatibility;

/// <summary>Which requests are left to the SDK, and that no others are.</summary>
public sealed class WhatOnlyTheSdkDoesTests
{
    private const long Memory = 64L << 20;

    private static readonly string Key = Convert.ToBase64String(new byte[CustomerKey.LengthBytes]);

    public static TheoryData<string, Action<TransferUtilityUploadRequest>> Left => new()
    {
        { "BucketName", r => r.BucketName = "arn:aws:s3:us-east-1:123456789012:accesspoint/name" },
        { "InputStream", r => r.InputStream = new MemoryStream() },
        { "PartSize", r => r.PartSize = 1 },
        { "PartSize", r => r.PartSize = Memory + 1 },
        { "ChecksumAlgorithm", r => r.ChecksumAlgorithm = new Amazon.S3.ChecksumAlgorithm("OTHER") },
        { "ChecksumCRC32", r => r.ChecksumCRC32 = "AAAAAA==" },
        { "ChecksumCRC32C", r => r.ChecksumCRC32C = "AAAAAA==" },
        { "ChecksumCRC64NVME", r => r.ChecksumCRC64NVME = "AAAAAAAAAAA=" },
        { "ChecksumMD5", r => r.ChecksumMD5 = "text" },
        { "ChecksumSHA1", r => r.ChecksumSHA1 = "text" },
        { "ChecksumSHA256", r => r.ChecksumSHA256 = "text" },
        { "ChecksumSHA512", r => r.ChecksumSHA512 = "text" },
        { "ChecksumXXHASH128", r => r.ChecksumXXHASH128 = "text" },
        { "ChecksumXXHASH3", r => r.ChecksumXXHASH3 = "text" },
        { "ChecksumXXHASH64", r => r.ChecksumXXHASH64 = "text" },
        { "MpuObjectSize", r => r.MpuObjectSize = 5 },
        { "DisablePayloadSigning", r => r.DisablePayloadSigning = false },
        { "IfNoneMatch", r => r.IfNoneMatch = "\"tag\"" },
        {
            "IfNoneMatch", r =>
            {
                r.IfNoneMatch = "*";
                r.IfMatch = "\"tag\"";
            }
        },
        { "ObjectLockLegalHoldStatus", r => r.ObjectLockLegalHoldStatus = ObjectLockLegalHoldStatus.On },
        { "ObjectLockMode", r => r.ObjectLockMode = ObjectLockMode.Governance },
        { "ObjectLockRetainUntilDate", r => r.ObjectLockRetainUntilDate = new DateTime(2065, 1, 1, 0, 0, 0, DateTimeKind.Utc) },
        { "ExpectedBucketOwner", r => r.ExpectedBucketOwner = "123456789012" },
        { "Grants", r => r.Grants = [new S3Grant()] },
        { "WebsiteRedirectLocation", r => r.WebsiteRedirectLocation = "/other" },
        { "Headers", r => r.Headers["x-own"] = "value" },
        { "Expires", r => r.Expires = "Wed, 21 Oct 2065 07:28:00 GMT" },
        { "Metadata", r => r.Metadata["name"] = "grün" },
        { "CannedACL", r => r.CannedACL = S3CannedACL.NoACL },
        { "TagSet", r => r.TagSet = [new Tag { Key = "a", Value = "1" }, new Tag { Key = "a", Value = "2" }] },
        { "ServerSideEncryptionMethod", r => r.ServerSideEncryptionKeyManagementServiceKeyId = "key" },
        { "ServerSideEncryptionMethod", r => r.SSEKMSEncryptionContext = "context" },
        { "TagSet", r => r.TagSet = [new Tag { Key = "a", Value = null }] },
        { "TagSet", r => r.TagSet = [.. Enumerable.Range(0, 11).Select(i => new Tag { Key = $"key{i}", Value = "value" })] },
        { "Headers", r => r.Headers.ContentDisposition = "attachment; filename=\"grün\"" },
        { "Headers", r => r.Headers["Expires"] = "0" },
        { "ContentType", r => r.ContentType = "text/grün" },
        { "IfMatch", r => r.IfMatch = "\"\n\"" },
        { "StorageClass", r => r.StorageClass = new S3StorageClass("STANDARD ") },
        { "CannedACL", r => r.CannedACL = new S3CannedACL("pri\nvate") },
        {
            "ServerSideEncryptionMethod", r =>
            {
                r.ServerSideEncryptionMethod = ServerSideEncryptionMethod.AWSKMS;
                r.ServerSideEncryptionKeyManagementServiceKeyId = "schlüssel";
            }
        },
        { "ServerSideEncryptionMethod", r => r.BucketKeyEnabled = true },
        { "ServerSideEncryptionCustomerProvidedKey", r => r.ServerSideEncryptionCustomerProvidedKey = Key },
        {
            "ServerSideEncryptionCustomerProvidedKey", r =>
            {
                r.ServerSideEncryptionCustomerMethod = ServerSideEncryptionCustomerMethod.AES256;
                r.ServerSideEncryptionCustomerProvidedKey = Key;
                r.ServerSideEncryptionCustomerProvidedKeyMD5 = "other";
            }
        },
    };

    [Theory]
    [MemberData(nameof(Left))]
    public void Upload_UnsupportedOption_IsNamed(string option, Action<TransferUtilityUploadRequest> configure)
    {
        TransferUtilityUploadRequest request = NewUpload();
        configure(request);

        Assert.Equal(option, UploadMapping.WhatOnlyTheSdkDoes(request, Memory));
    }

    [Fact]
    public void Upload_NoUnsupportedOption_IsSupported()
    {
        Assert.Null(UploadMapping.WhatOnlyTheSdkDoes(NewUpload(), Memory));
        Assert.Null(UploadMapping.WhatOnlyTheSdkDoes(new TransferUtilityUploadRequest(), Memory));
    }

    [Fact]
    public void Upload_AllSupportedOptions_AreKept()
    {
        TransferUtilityUploadRequest request = NewUpload();
        request.PartSize = 5 << 20;
        request.ChecksumAlgorithm = Amazon.S3.ChecksumAlgorithm.CRC32C;
        request.DisablePayloadSigning = true;
        request.IfMatch = "\"tag\"";
        request.StorageClass = S3StorageClass.Glacier;
        request.CannedACL = S3CannedACL.BucketOwnerRead;
        request.RequestPayer = RequestPayer.Requester;
        request.TagSet = [new Tag { Key = "a", Value = "1" }];
        request.Metadata["Colour"] = "blue";
        request.ServerSideEncryptionMethod = ServerSideEncryptionMethod.AWSKMS;
        request.ServerSideEncryptionKeyManagementServiceKeyId = "key";
        request.SSEKMSEncryptionContext = "context";
        request.BucketKeyEnabled = true;
        ObjectHeader[] headers = [.. HeaderSamples.All.Where(header => header.IsOfHttp && header != ObjectHeader.ContentType)];
        Array.ForEach(headers, header => request.Headers[header.Name] = HeaderSamples.GetValue(header));

        Assert.Null(UploadMapping.WhatOnlyTheSdkDoes(request, Memory));
        UploadOptions options = UploadMapping.Options(request, isInParts: false);

        Assert.EachEqual((5L << 20, ChecksumAlgorithm.Crc32C, "\"tag\"", true), (options.PartSizeBytes!.Value, options.Checksum, options.IfMatch, options.Overwrite));
        Assert.EachEqual(("GLACIER", "bucket-owner-read", true), (options.StorageClass, options.Acl, options.RequesterPays));
        Assert.EachEqual(("1", "blue"), (options.Tags!["a"], options.Metadata!.Single(pair => pair.Key.Equals("Colour", StringComparison.OrdinalIgnoreCase)).Value));
        Assert.Equal(ObjectEncryption.Kms("key", "context", true), options.Encryption);
        Assert.All(headers, header => Assert.Equal(HeaderSamples.GetValue(header), options.Headers[header]));
        Assert.Equal(new DateTimeOffset(2032, 1, 1, 0, 0, 0, TimeSpan.Zero), options.Expires);
        Assert.Equal("text/plain", options.ContentType);
    }

    [Fact]
    public void Upload_CustomerKey_IsKept()
    {
        TransferUtilityUploadRequest request = NewUpload();
        request.ServerSideEncryptionCustomerMethod = ServerSideEncryptionCustomerMethod.AES256;
        request.ServerSideEncryptionCustomerProvidedKey = Key;

        Assert.Null(UploadMapping.WhatOnlyTheSdkDoes(request, Memory));
        Assert.Equal(Key, UploadMapping.Options(request, isInParts: false).CustomerKey!.Base64);
    }

    [Fact]
    public void Upload_ChecksumsTurnedOff_SendsNone()
        => Assert.Equal(ChecksumAlgorithm.None, UploadMapping.Options(new TransferUtilityUploadRequest { DisableDefaultChecksumValidation = true }, isInParts: false).Checksum);

    public static TheoryData<string, Action<TransferUtilityDownloadRequest>> LeftOfDownloads => new()
    {
        { "BucketName", r => r.BucketName = "arn:aws:s3:us-east-1:123456789012:accesspoint/name" },
        { "ExpectedBucketOwner", r => r.ExpectedBucketOwner = "123456789012" },
        { "ResponseHeaderOverrides", r => r.ResponseHeaderOverrides.Expires = "never" },
        {
            "PartSize", r =>
            {
                r.MultipartDownloadType = MultipartDownloadType.RANGE;
                r.PartSize = 1000;
            }
        },
        { "IfMatch", r => r.IfMatch = " " },
        { "IfNoneMatch", r => r.IfNoneMatch = "\"\n\"" },
        { "ServerSideEncryptionCustomerProvidedKey", r => r.ServerSideEncryptionCustomerProvidedKey = "AAAA" },
        { "ServerSideEncryptionCustomerProvidedKey", r => r.ServerSideEncryptionCustomerMethod = ServerSideEncryptionCustomerMethod.AES256 },
    };

    [Theory]
    [MemberData(nameof(LeftOfDownloads))]
    public void Download_UnsupportedOption_IsNamed(string option, Action<TransferUtilityDownloadRequest> configure)
    {
        TransferUtilityDownloadRequest request = new() { BucketName = "bucket", Key = "key", FilePath = "path" };
        configure(request);

        Assert.Equal(option, DownloadMapping.WhatOnlyTheSdkDoes(request));
    }

    [Fact]
    public void Download_AllSupportedOptions_AreKept()
    {
        TransferUtilityDownloadRequest request = new()
        {
            BucketName = "bucket",
            Key = "key",
            FilePath = "path",
            VersionId = "version",
            IfMatch = "\"a\"",
            IfNoneMatch = "\"b\"",
            ModifiedSinceDate = new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc),
            UnmodifiedSinceDate = new DateTime(2021, 1, 1, 0, 0, 0, DateTimeKind.Utc),
            RequestPayer = RequestPayer.Requester,
            MultipartDownloadType = MultipartDownloadType.RANGE,
            PartSize = 1 << 20,
            ServerSideEncryptionCustomerMethod = ServerSideEncryptionCustomerMethod.AES256,
            ServerSideEncryptionCustomerProvidedKey = Key,
        };

        Assert.Null(DownloadMapping.WhatOnlyTheSdkDoes(request));
        DownloadOptions options = DownloadMapping.Options(request);

        Assert.EachEqual(("version", "\"a\"", "\"b\"", true), (options.VersionId, options.IfMatch, options.IfNoneMatch, options.RequesterPays));
        Assert.EachEqual((2020, 2021, 1L << 20), (options.IfModifiedSince!.Value.Year, options.IfUnmodifiedSince!.Value.Year, options.PartSizeBytes!.Value));
        Assert.Equal(Key, options.CustomerKey!.Base64);
    }

    [Fact]
    public void Download_NoOptions_IsSupportedAndIgnoresThePartSize()
    {
        Assert.Null(DownloadMapping.WhatOnlyTheSdkDoes(new TransferUtilityDownloadRequest()));
        Assert.Null(DownloadMapping.Options(new TransferUtilityDownloadRequest { PartSize = 1000 }).PartSizeBytes);
        Assert.Null(DownloadMapping.Options(new TransferUtilityDownloadRequest()).IfModifiedSince);
    }

    /// <summary>Fails if a version of the SDK adds an option, until a maintainer decides whether the library supports it.</summary>
    [Fact]
    public void Options_OfTheSdk_AreAllCovered()
    {
        string[] upload =
        [
            "AutoCloseStream", "AutoResetStreamPosition", "BucketKeyEnabled", "BucketName", "CannedACL", "ChecksumAlgorithm", "ChecksumCRC32", "ChecksumCRC32C",
            "ChecksumCRC64NVME", "ChecksumMD5", "ChecksumSHA1", "ChecksumSHA256", "ChecksumSHA512", "ChecksumXXHASH128", "ChecksumXXHASH3", "ChecksumXXHASH64",
            "ContentType", "DisableDefaultChecksumValidation", "DisablePayloadSigning", "ExpectedBucketOwner", "Expires", "FilePath", "Grants", "Headers", "IfMatch",
            "IfNoneMatch", "InputStream", "Key", "Metadata", "MpuObjectSize", "ObjectLockLegalHoldStatus", "ObjectLockMode", "ObjectLockRetainUntilDate", "PartSize",
            "RequestPayer", "SSEKMSEncryptionContext", "ServerSideEncryptionCustomerMethod", "ServerSideEncryptionCustomerProvidedKey",
            "ServerSideEncryptionCustomerProvidedKeyMD5", "ServerSideEncryptionKeyManagementServiceKeyId", "ServerSideEncryptionMethod", "StorageClass", "TagSet",
            "WebsiteRedirectLocation",
        ];
        string[] download =
        [
            "BucketName", "ChecksumMode", "ExpectedBucketOwner", "FilePath", "IfMatch", "IfNoneMatch", "Key", "ModifiedSinceDate", "MultipartDownloadType", "PartSize",
            "RequestPayer", "ResponseHeaderOverrides", "ServerSideEncryptionCustomerMethod", "ServerSideEncryptionCustomerProvidedKey",
            "ServerSideEncryptionCustomerProvidedKeyMD5", "UnmodifiedSinceDate", "VersionId",
        ];
        string[] open = [.. download.Except(["FilePath"]).Concat(["ChunkBufferSize", "MaxInMemoryParts"]).Order(StringComparer.Ordinal)];

        Assert.Equal(upload, Names<TransferUtilityUploadRequest>());
        Assert.Equal(download, Names<TransferUtilityDownloadRequest>());
        Assert.Equal(open, Names<TransferUtilityOpenStreamRequest>());
        Assert.Equal(["ConcurrentServiceRequests", "MinSizeBeforePartUpload", "SkipDirectoryCaseSensitivityCheck"], Names<TransferUtilityConfig>());
    }

    private static string[] Names<T>() => [.. typeof(T).GetProperties().Select(property => property.Name).Order(StringComparer.Ordinal)];

    private static TransferUtilityUploadRequest NewUpload() => new() { BucketName = "bucket", Key = "key", FilePath = "a.txt" };
}
