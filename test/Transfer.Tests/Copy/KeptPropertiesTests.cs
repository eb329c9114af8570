using Amazon.S3;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Copy;

/// <summary>Each header of a source is in its copy, or in <see cref="CopyResult.LostProperties"/>, or is no property of the object.</summary>
public sealed class KeptPropertiesTests
{
    /// <summary>How a copy is made.</summary>
    public enum Way
    {
        /// <summary>With CopyObject.</summary>
        Whole,

        /// <summary>With UploadPartCopy.</summary>
        Parts,

        /// <summary>To another store.</summary>
        Stores,

        /// <summary>All objects under a prefix, with CopyObject.</summary>
        Directory,

        /// <summary>All objects under a prefix, to another store.</summary>
        DirectoryStores,
    }

    /// <summary>
    /// The headers that S3 returns for an object (Amazon S3 API Reference, "GetObject" and "HeadObject", response elements), without those of each HTTP response: kept,
    /// lost, or (null) no property of the object.
    /// </summary>
    private static readonly (string Name, string Value, bool? IsKept)[] OfS3 =
    [
        ("Content-Type", "text/x-own", true),
        ("Cache-Control", "no-cache, private", true),
        ("Content-Disposition", "attachment; filename=\"a\"", true),
        ("Content-Encoding", "br", true),
        ("Content-Language", "de", true),
        ("Expires", "0", true),
        ("x-amz-meta-color", "blue", true),
        ("x-amz-meta-empty", string.Empty, true),
        ("x-amz-missing-meta", "2", false),
        ("x-amz-website-redirect-location", "/other", false),
        ("x-amz-server-side-encryption", "aws:kms", false),
        ("x-amz-server-side-encryption-customer-algorithm", "AES256", false),
        ("x-amz-storage-class", "STANDARD_IA", false),
        ("x-amz-object-lock-mode", "COMPLIANCE", false),
        ("x-amz-object-lock-retain-until-date", "2030-01-01T00:00:00.000Z", false),
        ("x-amz-object-lock-legal-hold", "ON", false),
        ("x-amz-tagging-count", "0", null),
        ("x-amz-server-side-encryption-customer-key-MD5", "AAAAAAAAAAAAAAAAAAAAAA==", null),
        ("x-amz-server-side-encryption-aws-kms-key-id", "arn:aws:kms:us-west-2:1:key/k", null),
        ("x-amz-server-side-encryption-bucket-key-enabled", "true", null),
        ("x-amz-delete-marker", "false", null),
        ("x-amz-expiration", "expiry-date=\"Fri, 21 Dec 2029 00:00:00 GMT\", rule-id=\"r\"", null),
        ("x-amz-restore", "ongoing-request=\"false\"", null),
        ("x-amz-archive-status", "ARCHIVE_ACCESS", null),
        ("x-amz-checksum-type", "FULL_OBJECT", null),
        ("x-amz-version-id", "v1", null),
        ("x-amz-request-charged", "requester", null),
        ("x-amz-replication-status", "COMPLETED", null),
        ("x-amz-mp-parts-count", "1", null),
        ("x-amz-id-2", "i", null),
        ("Accept-Ranges", "bytes", null),
        ("Last-Modified", "Wed, 01 Jan 2025 00:00:00 GMT", null),
        ("Server", "AmazonS3", null),
        ("Date", "Wed, 01 Jan 2025 00:00:00 GMT", null),
    ];

    private readonly SourceStore _store = new() { Headers = [.. OfS3.Select(header => (header.Name, header.Value))] };

    public static TheoryData<TransferWire, Way> WiresAndWays()
    {
        TheoryData<TransferWire, Way> data = [];
        foreach (Way way in Enum.GetValues<Way>())
        {
            data.Add(TransferWire.Http, way);
            data.Add(TransferWire.Sdk, way);
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(WiresAndWays))]
    public async Task EveryHeaderOfS3_IsInTheCopyOrLost(TransferWire wire, Way way)
    {
        IReadOnlyList<string> lost = await CopyAsync(wire, way);

        bool isByStore = way is Way.Whole or Way.Directory;
        foreach ((string name, string value, bool? isKept) in OfS3)
        {
            // The store copies its own headers, also those that it couldn't return.
            // The SDK drops an Expires header that is no date.
            bool isDropped = wire == TransferWire.Sdk && name == "Expires" && !isByStore;
            bool isLost = isDropped || (isKept == false && !(isByStore && name == "x-amz-missing-meta"));
            Assert.EachEqual((name, isLost), (name, lost.Contains(name, StringComparer.OrdinalIgnoreCase)));
            Assert.EachEqual((name, isKept == true && !isByStore && !isDropped ? value : null), (name, SentAs(name)));
        }

        Assert.Equal(lost.Count, lost.Count(name => OfS3.Any(header => header.Name.Equals(name, StringComparison.OrdinalIgnoreCase))));

        // The media type that the client sends if there is none, and the type of a request without a type, aren't those of the source.
        string? SentAs(string name) => name == "Content-Type" && isByStore ? null : _store.Sent(name);
    }

    [Theory]
    [InlineData(Way.Parts)]
    [InlineData(Way.Stores)]
    public async Task HeadersThatAreNotOfS3_AreLostUnlessTheyAreOfTheTransport(Way way)
    {
        _store.Headers = [("x-amz-new", "1"), ("x-own", "2"), ("CF-Ray", "r"), ("X-Cache", "HIT"), ("x-minio-deployment-id", "d"), ("Strict-Transport-Security", "max-age=1")];

        Assert.Equal(["x-amz-new", "x-own"], (await CopyAsync(TransferWire.Http, way)).Order());
    }

    [Theory]
    [InlineData("-1", Way.Parts)]
    [InlineData("-1", Way.Stores)]
    [InlineData("Wed, 01 Jan 2025 00:00:00 GMT", Way.DirectoryStores)]
    [InlineData("never", Way.DirectoryStores)]
    public async Task Expires_IsKeptAsText(string expires, Way way)
    {
        _store.Headers = [("Expires", expires)];

        Assert.Empty(await CopyAsync(TransferWire.Http, way));
        Assert.Equal(expires, _store.Sent("Expires"));
    }

    [Theory]
    [InlineData(Way.Parts)]
    [InlineData(Way.Stores)]
    public async Task ValuesThatCannotBeSent_AreLost(Way way)
    {
        _store.Headers = [("Cache-Control", "sm\u00f8rbr\u00f8d"), ("x-amz-meta-name", "\u00fc"), ("x-amz-meta-plain", "a")];

        Assert.Equal(["Cache-Control", "metadata 'name'"], (await CopyAsync(TransferWire.Http, way)).Order());
        Assert.EachEqual((null, null, "a"), (_store.Sent("Cache-Control"), _store.Sent("x-amz-meta-name"), _store.Sent("x-amz-meta-plain")));
    }

    [Fact]
    public async Task WhatTheOptionsReplace_IsNotLost()
    {
        _store.Headers = [("Cache-Control", "\u00fc"), ("x-amz-meta-a", "\u00fc"), ("x-amz-storage-class", "GLACIER"), ("x-amz-server-side-encryption", "aws:kms")];
        UploadOptions given = new()
        {
            CacheControl = "no-store",
            Metadata = new Dictionary<string, string> { ["b"] = "c" },
            StorageClass = "STANDARD_IA",
            Encryption = ObjectEncryption.Aes256,
        };

        Assert.Empty(await CopyAsync(TransferWire.Http, Way.Stores, given));
        Assert.EachEqual(("no-store", "c", null), (_store.Sent("Cache-Control"), _store.Sent("x-amz-meta-b"), _store.Sent("x-amz-meta-a")));
    }

    /// <summary>The encryption that a bucket applies to all of its objects isn't a property of the source, but that with a key is, unless the target has it, too.</summary>
    [Theory]
    [InlineData("AES256", null, false)]
    [InlineData("aws:kms", "aws:kms", false)]
    [InlineData("aws:kms", "AES256", true)]
    [InlineData("aws:kms:dsse", "aws:kms", true)]
    public async Task Encryption_IsLostIfTheTargetDoesNotHaveIt(string source, string? target, bool isLost)
    {
        _store.Headers = [("x-amz-server-side-encryption", source)];
        _store.Published = target is null ? [] : [("x-amz-server-side-encryption", target)];
        foreach (Way way in Enum.GetValues<Way>())
        {
            Assert.Equal(isLost ? ["x-amz-server-side-encryption"] : [], await CopyAsync(TransferWire.Http, way));
        }
    }

    [Theory]
    [InlineData(Way.Parts)]
    [InlineData(Way.Stores)]
    public async Task SourceWithoutAType_GetsNoneFromTheKeyOfTheTarget(Way way)
    {
        _store.Headers = [];

        await CopyAsync(TransferWire.Http, way);

        Assert.Equal("application/octet-stream", _store.Sent("Content-Type"));
    }

    private async Task<IReadOnlyList<string>> CopyAsync(TransferWire wire, Way way, UploadOptions? given = null)
    {
        const string bucket = FakeHttp.Bucket;
        const string target = "target/copy.html";
        using AmazonS3Client s3 = _store.Http.NewS3();
        await using TransferClient from = new(s3, new TransferClientOptions { Advanced = { Wire = wire }, StateDirectory = null });
        await using TransferClient to = new(s3, new TransferClientOptions { Advanced = { Wire = wire }, StateDirectory = null });
        List<Outcome> outcomes = [];
        DirectoryOptions each = new() { ObjectEnded = outcomes.Add };
        switch (way)
        {
            case Way.Whole:
                return (await from.CopyAsync(new(bucket, SourceStore.Key), new(bucket, target)).Within()).LostProperties;
            case Way.Parts:
                return (await from.CopyAsync(new(bucket, SourceStore.Key), new(bucket, target), new CopyOptions { MultipartThresholdBytes = 0 }).Within()).LostProperties;
            case Way.Stores:
                return (await from.CopyAsync(new(bucket, SourceStore.Key), to, new(bucket, target), new StoreCopyOptions { Target = given ?? new UploadOptions() }).Within()).LostProperties;
        }

        DirectoryResult result = way == Way.Directory
            ? await from.CopyTreeAsync(Place.InBucket(bucket, "source/"), Place.InBucket(bucket, "target/"), each).Within()
            : await from.CopyTreeAsync(Place.InBucket(bucket, "source/"), to, Place.InBucket(bucket, "target/"), each).Within();
        Assert.EachEqual((1, outcomes[0].LostProperties.Count > 0 ? 1 : 0), (result.Counts.Copied, result.Counts.WithLostProperties));
        return outcomes.Single().LostProperties;
    }
}
