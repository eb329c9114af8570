using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Server;

/// <summary>Pages of buckets, who owns what, and the tags of buckets.</summary>
public sealed class BucketSettingTests : RawServerTest
{
    [Fact]
    public async Task Buckets_InPages_AreAllListed()
    {
        using AmazonS3Client s3 = Server.CreateClient();
        foreach (string name in (string[])["b-1", "b-2", "b-3"])
        {
            await s3.PutBucketAsync(name).Within();
        }

        List<string> names = [];
        ListBucketsRequest request = new() { Prefix = "b-", MaxBuckets = 2 };
        do
        {
            ListBucketsResponse page = await s3.ListBucketsAsync(request).Within();
            Assert.Equal("b-", page.Prefix);
            names.AddRange(page.Buckets.Select(static bucket => bucket.BucketName));
            request.ContinuationToken = page.ContinuationToken;
        }
        while (request.ContinuationToken is not null);

        Assert.Equal(["b-1", "b-2", "b-3"], names);
    }

    [Theory]
    [InlineData("?list-type=2", false)]
    [InlineData("?list-type=2&fetch-owner=false", false)]
    [InlineData("?list-type=2&fetch-owner=true", true)]
    [InlineData("", true)]
    [InlineData("?versions", true)]
    public async Task Listing_HasOwnersIfTheClientAsksForThem(string query, bool hasOwner)
    {
        await PutAsync("/bucket/k", [1]);
        Assert.Equal(hasOwner ? Server.AccessKeyId : null, (await Raw.SendSignedAsync("GET", "/bucket" + query)).Element("ID"));
    }

    [Fact]
    public async Task Uploads_HaveAnInitiator()
    {
        string uploadId = (await Raw.SendSignedAsync("POST", "/bucket/k?uploads")).Element("UploadId")!;
        Assert.Equal(Server.AccessKeyId, (await Raw.SendSignedAsync("GET", "/bucket?uploads")).Element("Initiator")?[..Server.AccessKeyId.Length]);
        Assert.Equal(Server.AccessKeyId, (await Raw.SendSignedAsync("GET", $"/bucket/k?uploadId={uploadId}")).Element("Initiator")?[..Server.AccessKeyId.Length]);
    }

    [Fact]
    public async Task Tags_OfABucket_CanBeReplacedAndDeleted()
    {
        const string Tag = "<Tag><Key>{0}</Key><Value>v</Value></Tag>";
        Fails(await Raw.SendSignedAsync("GET", "/bucket?tagging"), 404, "NoSuchTagSet");

        Assert.Equal(204, (await PutXmlAsync("/bucket?tagging", $"<Tagging><TagSet>{string.Concat(Enumerable.Range(1, 50).Select(i => string.Format(Tag, i)))}</TagSet></Tagging>")).Status);
        Assert.Equal("1", (await Raw.SendSignedAsync("GET", "/bucket?tagging")).Element("Key"));
        Fails(await PutXmlAsync("/bucket?tagging", $"<Tagging><TagSet>{string.Concat(Enumerable.Range(1, 51).Select(i => string.Format(Tag, i)))}</TagSet></Tagging>"), 400, "InvalidTag");

        Assert.Equal(204, (await Raw.SendSignedAsync("DELETE", "/bucket?tagging")).Status);
        Fails(await Raw.SendSignedAsync("GET", "/bucket?tagging"), 404, "NoSuchTagSet");
    }

    [Fact]
    public async Task DeletedObject_OfABucketWithVersions_TellsItsMarker()
    {
        Assert.Equal(200, (await Raw.SendSignedAsync("PUT", "/bucket?versioning", "<VersioningConfiguration><MfaDelete>Disabled</MfaDelete><Status>Enabled</Status></VersioningConfiguration>"u8.ToArray())).Status);
        string version = (await Raw.SendSignedAsync("PUT", "/bucket/k", [1])).Header("x-amz-version-id")!;
        Assert.Equal(version, (await Raw.SendSignedAsync("GET", "/bucket/k?attributes", null, ("x-amz-object-attributes", "ETag"))).Header("x-amz-version-id"));
        string marker = (await Raw.SendSignedAsync("DELETE", "/bucket/k")).Header("x-amz-version-id")!;

        RawAnswer hidden = await Raw.SendSignedAsync("HEAD", "/bucket/k");
        RawAnswer itself = await Raw.SendSignedAsync("GET", $"/bucket/k?versionId={marker}");
        RawAnswer missing = await Raw.SendSignedAsync("HEAD", "/bucket/missing");

        Assert.Equal([(404, "true", marker), (405, "true", marker), (404, null, null)], new[] { hidden, itself, missing }.Select(static a => (a.Status, a.Header("x-amz-delete-marker"), a.Header("x-amz-version-id"))));
        Assert.NotNull(itself.Header("Last-Modified"));
    }
}
