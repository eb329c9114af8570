using Amazon.S3;
using Amazon.S3.Model;
using Amazon.S3.Transfer;
using Transfer.S3.TransferUtility;

namespace Transfer.S3.Tests.Compatibility;

/// <summary>How the properties of a directory request apply to its files.</summary>
public sealed class DirectoryMappingTests
{
    [Fact]
    public void Upload_CopiesAllPropertiesThatFilesHave()
    {
        TransferUtilityUploadDirectoryRequest request = new()
        {
            BucketName = "bucket",
            BucketKeyEnabled = true,
            CannedACL = S3CannedACL.Private,
            ChecksumAlgorithm = Amazon.S3.ChecksumAlgorithm.CRC32C,
            ContentType = "text/x-own",
            DisableDefaultChecksumValidation = true,
            DisablePayloadSigning = true,
            ExpectedBucketOwner = "owner",
            Grants = [],
            ObjectLockLegalHoldStatus = ObjectLockLegalHoldStatus.On,
            ObjectLockMode = ObjectLockMode.Governance,
            ObjectLockRetainUntilDate = new DateTime(2065, 1, 1, 0, 0, 0, DateTimeKind.Utc),
            RequestPayer = RequestPayer.Requester,
            ServerSideEncryptionCustomerMethod = ServerSideEncryptionCustomerMethod.AES256,
            ServerSideEncryptionCustomerProvidedKey = "key",
            ServerSideEncryptionCustomerProvidedKeyMD5 = "md5",
            ServerSideEncryptionKeyManagementServiceKeyId = "id",
            ServerSideEncryptionMethod = ServerSideEncryptionMethod.AWSKMS,
            SSEKMSEncryptionContext = "context",
            StorageClass = S3StorageClass.Glacier,
            TagSet = [],
            WebsiteRedirectLocation = "/other",
        };

        TransferUtilityUploadRequest file = DirectoryMapping.GetFile(request, "key", "path");

        Assert.EachEqual(("key", "path"), (file.Key, file.FilePath));
        Assert.All(typeof(BaseUploadRequest).GetProperties(), property =>
        {
            object? value = property.GetValue(request);
            Assert.True(value is not null, $"{property.Name} is not covered by this test");
            Assert.True(Equals(value, property.GetValue(file)), $"{property.Name} is not copied to the request of the file");
        });
    }

    [Fact]
    public void Download_CopiesAllPropertiesThatFilesHave()
    {
        TransferUtilityDownloadDirectoryRequest request = new()
        {
            BucketName = "bucket",
            ExpectedBucketOwner = "owner",
            IfMatch = "tag",
            IfNoneMatch = "other",
            RequestPayer = RequestPayer.Requester,
            ResponseHeaderOverrides = new ResponseHeaderOverrides(),
            ServerSideEncryptionCustomerMethod = ServerSideEncryptionCustomerMethod.AES256,
            ServerSideEncryptionCustomerProvidedKey = "key",
            ServerSideEncryptionCustomerProvidedKeyMD5 = "md5",
        };
        string[] filters = [nameof(request.ModifiedSinceDate), nameof(request.UnmodifiedSinceDate)]; // these filters apply to the listing

        TransferUtilityDownloadRequest file = DirectoryMapping.GetFile(request, "key", "path");

        Assert.EachEqual(("key", "path"), (file.Key, file.FilePath));
        Assert.All(typeof(TransferUtilityDownloadDirectoryRequest).GetProperties().Where(property => !filters.Contains(property.Name)), property =>
        {
            if (typeof(TransferUtilityDownloadRequest).GetProperty(property.Name) is { } own)
            {
                object? value = property.GetValue(request);
                Assert.True(value is not null, $"{property.Name} is not covered by this test");
                Assert.True(Equals(value, own.GetValue(file)), $"{property.Name} is not copied to the request of the file");
            }
        });
    }

    [Theory]
    [InlineData("a", false, "a/", 2)]
    [InlineData("a/", false, "a/", 2)]
    [InlineData("/a\\b", false, "a/b/", 4)]
    [InlineData("/", false, "", 0)]
    [InlineData("a/b", true, "a/b", 2)]
    [InlineData("a/b/", true, "a/b/", 4)]
    [InlineData("/", true, "", 0)]
    public void DownloadPrefix_EndsWithASlashUnlessItMustNotChange(string directory, bool isAsItIs, string prefix, int cut)
        => Assert.Equal((prefix, cut), DirectoryMapping.GetPrefix(new TransferUtilityDownloadDirectoryRequest { S3Directory = directory, DisableSlashCorrection = isAsItIs }));

    [Theory]
    [InlineData(null, "")]
    [InlineData("a", "a/")]
    [InlineData("/a\\b/", "a/b/")]
    public void UploadPrefix_EndsWithASlash(string? keyPrefix, string prefix)
        => Assert.Equal(prefix, DirectoryMapping.GetPrefix(new TransferUtilityUploadDirectoryRequest { KeyPrefix = keyPrefix }));

    [Fact]
    public void Directories_WithUnsupportedOptions_AreLeftToTheSdk()
    {
        Assert.Equal("ExpectedBucketOwner", DirectoryMapping.WhatOnlyTheSdkDoes(new TransferUtilityDownloadDirectoryRequest { ExpectedBucketOwner = "owner" }));
        Assert.Equal("WebsiteRedirectLocation", DirectoryMapping.WhatOnlyTheSdkDoes(new TransferUtilityUploadDirectoryRequest { WebsiteRedirectLocation = "/other" }, 1 << 20));
        Assert.Null(DirectoryMapping.WhatOnlyTheSdkDoes(new TransferUtilityDownloadDirectoryRequest()));
        Assert.Null(DirectoryMapping.WhatOnlyTheSdkDoes(new TransferUtilityUploadDirectoryRequest(), 1 << 20));
    }

    [Fact]
    public void Listeners_AreDetected()
    {
        TransferUtilityDownloadDirectoryRequest down = new();
        TransferUtilityUploadDirectoryRequest up = new();
        Assert.False(SdkEvents.TellsTotals(down) || SdkEvents.TellsFiles(down) || SdkEvents.TellsTotals(up) || SdkEvents.TellsFiles(up));

        down.DownloadDirectoryFailedEvent += (_, _) => { };
        up.UploadDirectoryInitiatedEvent += (_, _) => { };
        Assert.EachEqual((true, false), (SdkEvents.TellsTotals(down), SdkEvents.TellsFiles(down)));
        Assert.EachEqual((true, false), (SdkEvents.TellsTotals(up), SdkEvents.TellsFiles(up)));

        down.DownloadDirectoryFileRequestEvent += (_, _) => { };
        up.UploadDirectoryFileRequestEvent += (_, _) => { };
        Assert.True(SdkEvents.TellsFiles(down) && SdkEvents.TellsFiles(up));
    }
}
