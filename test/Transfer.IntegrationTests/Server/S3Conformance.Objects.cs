using System.Net;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.Server.Checksums;

namespace Transfer.S3.IntegrationTests.Server;

/// <content>Single objects.</content>
public abstract partial class S3Conformance
{
    [Theory]
    [InlineData("plain", 0)]
    [InlineData("a/b c+d=e&f%20g?h#i", 1)]
    [InlineData("a/../b/./c//d", 100_000)]
    [InlineData("é\U0001F600/日本", 3_000_001)]
    [InlineData("UPPER", 10)]
    public async Task PutObject_AnyKeyAndSize_CanBeReadBack(string key, int length)
    {
        byte[] data = Sample.Bytes(length);

        PutObjectResponse put = await PutAsync(key, data);

        Assert.Equal(Sample.ETag(data), put.ETag);
        Assert.Equal(data, await GetAsync(key));
        ListObjectsV2Response list = await Client.ListObjectsV2Async(new ListObjectsV2Request { BucketName = BucketName }).Within();
        S3Object listed = Assert.Single(list.S3Objects);
        Assert.Equal(key, listed.Key);
        Assert.Equal(length, listed.Size);
        Assert.Equal(put.ETag, listed.ETag);
    }

    [Fact]
    public async Task PutObject_HeadersMetadataAndTags_AreKept()
    {
        var request = new PutObjectRequest { BucketName = BucketName, Key = "k", ContentBody = "text", ContentType = "text/x-test" };
        request.Headers.CacheControl = "no-cache";
        request.Headers.ContentDisposition = "attachment";
        request.Headers.ContentEncoding = "identity";
        request.Headers["Content-Language"] = "de";
        request.StorageClass = S3StorageClass.StandardInfrequentAccess;
        request.Metadata["Colour"] = "blue  green";
        request.TagSet = [new Tag { Key = "one", Value = "1 &=" }, new Tag { Key = "two", Value = "" }];
        await Client.PutObjectAsync(request).Within();

        GetObjectMetadataResponse head = await Client.GetObjectMetadataAsync(BucketName, "k").Within();
        Assert.Equal("text/x-test", head.Headers.ContentType);
        Assert.Equal("no-cache", head.Headers.CacheControl);
        Assert.Equal("attachment", head.Headers.ContentDisposition);
        Assert.Equal("identity", head.Headers.ContentEncoding);
        Assert.Equal("de", head.ContentLanguage);
        Assert.Equal(S3StorageClass.StandardInfrequentAccess, head.StorageClass);
        Assert.Equal("blue  green", head.Metadata["colour"]);
        Assert.Equal(4, head.ContentLength);
        GetObjectTaggingResponse tags = await Client.GetObjectTaggingAsync(new GetObjectTaggingRequest { BucketName = BucketName, Key = "k" }).Within();
        Assert.Equal([("one", "1 &="), ("two", "")], tags.Tagging.Select(static tag => (tag.Key, tag.Value)));
    }

    [Fact]
    public async Task PutObjectTagging_Object_ReplacesOnlyItsTags()
    {
        PutObjectResponse put = await PutAsync("k", [1, 2, 3]);
        await Client.PutObjectTaggingAsync(new PutObjectTaggingRequest
        {
            BucketName = BucketName,
            Key = "k",
            Tagging = new Tagging { TagSet = [new Tag { Key = "one", Value = "1 &=" }, new Tag { Key = "two", Value = "" }] },
        }).Within();
        GetObjectTaggingResponse tags = await Client.GetObjectTaggingAsync(new GetObjectTaggingRequest { BucketName = BucketName, Key = "k" }).Within();
        await Client.DeleteObjectTaggingAsync(new DeleteObjectTaggingRequest { BucketName = BucketName, Key = "k" }).Within();
        GetObjectTaggingResponse none = await Client.GetObjectTaggingAsync(new GetObjectTaggingRequest { BucketName = BucketName, Key = "k" }).Within();

        Assert.Equal([("one", "1 &="), ("two", "")], tags.Tagging.Select(static tag => (tag.Key, tag.Value)));
        Assert.Empty(none.Tagging ?? []);
        Assert.Equal([1, 2, 3], await GetAsync("k"));
        Assert.Equal(put.ETag, (await Client.GetObjectMetadataAsync(BucketName, "k").Within()).ETag);
    }

    [Fact]
    public async Task PutObject_SameKey_ReplacesTheObject()
    {
        await PutAsync("k", Sample.Bytes(10, 1));
        byte[] second = Sample.Bytes(20, 2);
        await PutAsync("k", second);

        Assert.Equal(second, await GetAsync("k"));
        Assert.Single((await Client.ListObjectsV2Async(new ListObjectsV2Request { BucketName = BucketName }).Within()).S3Objects);
    }

    [Theory]
    [InlineData("CRC32")]
    [InlineData("CRC32C")]
    [InlineData("CRC64NVME")]
    [InlineData("SHA1")]
    [InlineData("SHA256")]
    [InlineData("SHA512")]
    [InlineData("MD5")]
    [InlineData("XXHASH64")]
    [InlineData("XXHASH3")]
    [InlineData("XXHASH128")]
    public async Task PutObject_Checksum_IsVerifiedStoredAndReturned(string algorithm)
    {
        byte[] data = Sample.Bytes(1000);
        string expected = RunningChecksum.Compute(ChecksumInfo.FromApiName(algorithm)!.Algorithm, data);
        var put = new PutObjectRequest { BucketName = BucketName, Key = "k", InputStream = new MemoryStream(data) };
        typeof(PutObjectRequest).GetProperty("Checksum" + algorithm)!.SetValue(put, expected);
        await Client.PutObjectAsync(put).Within();

        GetObjectAttributesResponse attributes = await Client.GetObjectAttributesAsync(new GetObjectAttributesRequest
        {
            BucketName = BucketName,
            Key = "k",
            ObjectAttributes = [ObjectAttributes.Checksum, ObjectAttributes.ObjectSize, ObjectAttributes.ETag, ObjectAttributes.StorageClass],
        }).Within();

        Assert.Equal(expected, (string?)typeof(Checksum).GetProperty("Checksum" + algorithm)!.GetValue(attributes.Checksum));
        Assert.Equal(Amazon.S3.ChecksumType.FULL_OBJECT, attributes.Checksum.ChecksumType);
        Assert.Equal(1000, attributes.ObjectSize);
        Assert.Equal(data, await GetAsync("k")); // the SDK requests the checksum and compares it
    }

    [Fact]
    public async Task GetObject_Range_ReturnsItsBytes()
    {
        byte[] data = Sample.Bytes(2_500_000);
        await PutAsync("k", data);

        using GetObjectResponse response = await Client.GetObjectAsync(
            new GetObjectRequest { BucketName = BucketName, Key = "k", ByteRange = new ByteRange(1_000_000, 2_100_000) }).Within();

        Assert.Equal(HttpStatusCode.PartialContent, response.HttpStatusCode);
        Assert.Equal("bytes 1000000-2100000/2500000", response.ContentRange);
        Assert.Equal(data[1_000_000..2_100_001], await ReadAsync(response));
    }

    [Fact]
    public async Task GetObject_Missing_IsNoSuchKey()
    {
        AmazonS3Exception error = await FailsAsync("NoSuchKey", () => Client.GetObjectAsync(BucketName, "missing"));

        Assert.Equal(HttpStatusCode.NotFound, error.StatusCode);
        Assert.Equal(Server.Requests[^1].RequestId, error.RequestId);
        Assert.NotEmpty(error.AmazonId2);
        AmazonS3Exception head = await Assert.ThrowsAnyAsync<AmazonS3Exception>(() => Client.GetObjectMetadataAsync(BucketName, "missing").Within());
        Assert.Equal(HttpStatusCode.NotFound, head.StatusCode);
    }

    [Fact]
    public async Task PutObject_IfNoneMatch_SucceedsOnce()
    {
        var request = new PutObjectRequest { BucketName = BucketName, Key = "k", ContentBody = "1", IfNoneMatch = "*" };
        await Client.PutObjectAsync(request).Within();
        await FailsAsync("PreconditionFailed", () => Client.PutObjectAsync(request));

        string etag = (await Client.GetObjectMetadataAsync(BucketName, "k").Within()).ETag;
        await Client.PutObjectAsync(new PutObjectRequest { BucketName = BucketName, Key = "k", ContentBody = "2", IfMatch = etag }).Within();
        await FailsAsync(
            "PreconditionFailed",
            () => Client.PutObjectAsync(new PutObjectRequest { BucketName = BucketName, Key = "k", ContentBody = "3", IfMatch = etag }));
        await FailsAsync(
            "NoSuchKey",
            () => Client.PutObjectAsync(new PutObjectRequest { BucketName = BucketName, Key = "other", ContentBody = "3", IfMatch = etag }));
    }

    [Fact]
    public async Task CopyObject_DirectivesAndConditions_AreHonored()
    {
        byte[] data = Sample.Bytes(100_000);
        var put = new PutObjectRequest { BucketName = BucketName, Key = "a b/é", InputStream = new MemoryStream(data), ContentType = "text/a" };
        put.Metadata["x"] = "1";
        PutObjectResponse source = await Client.PutObjectAsync(put).Within();
        var copy = new CopyObjectRequest { SourceBucket = BucketName, SourceKey = "a b/é", DestinationBucket = BucketName, DestinationKey = "copy" };

        CopyObjectResponse copied = await Client.CopyObjectAsync(copy).Within();
        Assert.Equal(source.ETag, copied.ETag);
        await Client.DeleteObjectAsync(BucketName, "a b/é").Within();
        Assert.Equal(data, await GetAsync("copy"));
        Assert.Equal("1", (await Client.GetObjectMetadataAsync(BucketName, "copy").Within()).Metadata["x"]);

        copy = new CopyObjectRequest { SourceBucket = BucketName, SourceKey = "copy", DestinationBucket = BucketName, DestinationKey = "copy" };
        await FailsAsync("InvalidRequest", () => Client.CopyObjectAsync(copy));
        copy.MetadataDirective = S3MetadataDirective.REPLACE;
        copy.ContentType = "text/b";
        await Client.CopyObjectAsync(copy).Within();
        GetObjectMetadataResponse head = await Client.GetObjectMetadataAsync(BucketName, "copy").Within();
        Assert.Equal("text/b", head.Headers.ContentType);
        Assert.Empty(head.Metadata.Keys);

        copy.ETagToMatch = "\"00000000000000000000000000000000\"";
        await FailsAsync("PreconditionFailed", () => Client.CopyObjectAsync(copy));
    }

    [Fact]
    public async Task DeleteObjects_SomeMissing_AllAreDeleted()
    {
        await PutAsync("a", [1]);
        await PutAsync("b\r\n<&>", [2]);
        var request = new DeleteObjectsRequest { BucketName = BucketName };
        request.AddKey("a");
        request.AddKey("b\r\n<&>");
        request.AddKey("missing");

        DeleteObjectsResponse response = await Client.DeleteObjectsAsync(request).Within();

        Assert.Equal(["a", "b\r\n<&>", "missing"], response.DeletedObjects.Select(static deleted => deleted.Key));
        Assert.Empty((await Client.ListObjectsV2Async(new ListObjectsV2Request { BucketName = BucketName }).Within()).S3Objects ?? []);
    }
}
