using System.Net;
using Amazon.S3;
using Amazon.S3.Model;

namespace Transfer.S3.IntegrationTests.Server;

/// <content>Listings, page by page.</content>
public abstract partial class S3Conformance
{
    private static readonly string[] Keys = ["a", "a b+c", "d/1", "d/2", "d/e/3", "é", "\U0001F600", "x\u0001y"];

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(1000)]
    public async Task ListObjectsV2_AllPages_ReturnEverything(int pageSize)
    {
        await PutAllAsync();

        Assert.Equal(Keys.Order(StringComparer.Ordinal), await ListAsync(pageSize, delimiter: null));
        Assert.Equal(["a", "a b+c", "d/", "x\u0001y", "é", "\U0001F600"], await ListAsync(pageSize, delimiter: "/"));
        Assert.Equal(["d/1", "d/2", "d/e/"], await ListAsync(pageSize, delimiter: "/", prefix: "d/"));
        Assert.Equal(["x\u0001y", "é", "\U0001F600"], await ListAsync(pageSize, delimiter: "/", startAfter: "d/"));
        Assert.Equal(["d/2", "d/e/3"], await ListAsync(pageSize, delimiter: null, prefix: "d/", startAfter: "d/1"));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(1000)]
    public async Task ListObjects_AllPages_ReturnEverything(int pageSize)
    {
        await PutAllAsync();
        var found = new List<string>();
        var request = new ListObjectsRequest { BucketName = BucketName, MaxKeys = pageSize, Delimiter = "/", Encoding = EncodingType.Url };
        ListObjectsResponse page;
        do
        {
            page = await Client.ListObjectsAsync(request).Within();
            found.AddRange((page.S3Objects ?? []).Select(static o => o.Key).Concat(page.CommonPrefixes ?? []).Select(WebUtility.UrlDecode)!);
            Assert.InRange(found.Count, 0, Keys.Length);
            request.Marker = WebUtility.UrlDecode(page.NextMarker);
        }
        while (page.IsTruncated == true);

        Assert.Equal(["a", "a b+c", "d/", "x\u0001y", "é", "\U0001F600"], found.Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task ListParts_AllPages_ReturnEverything()
    {
        string uploadId = await BeginAsync("k");
        foreach (int number in new[] { 5, 1, 10000 })
        {
            await UploadAsync("k", uploadId, number, Sample.Bytes(number % 100));
        }

        ListPartsResponse first = await Client.ListPartsAsync(
            new ListPartsRequest { BucketName = BucketName, Key = "k", UploadId = uploadId, MaxParts = 2 }).Within();
        Assert.True(first.IsTruncated);
        Assert.Equal([1, 5], first.Parts.Select(static part => part.PartNumber!.Value));
        ListPartsResponse rest = await Client.ListPartsAsync(new ListPartsRequest
        {
            BucketName = BucketName,
            Key = "k",
            UploadId = uploadId,
            PartNumberMarker = first.NextPartNumberMarker.ToString(),
        }).Within();
        Assert.False(rest.IsTruncated);
        Assert.Equal(10000, Assert.Single(rest.Parts).PartNumber);
        Assert.Equal(0, rest.Parts[0].Size);
    }

    [Fact]
    public async Task ListMultipartUploads_AllPages_ReturnEverything()
    {
        foreach (string key in new[] { "b", "a", "d/1", "d/2", "b" })
        {
            await BeginAsync(key);
        }

        var found = new List<string>();
        var request = new ListMultipartUploadsRequest { BucketName = BucketName, MaxUploads = 1, Delimiter = "/" };
        ListMultipartUploadsResponse page;
        do
        {
            page = await Client.ListMultipartUploadsAsync(request).Within();
            found.AddRange((page.MultipartUploads ?? []).Select(static upload => upload.Key).Concat(page.CommonPrefixes ?? []));
            Assert.InRange(found.Count, 0, 5);
            request.KeyMarker = page.NextKeyMarker;
            request.UploadIdMarker = page.NextUploadIdMarker;
        }
        while (page.IsTruncated == true);

        Assert.Equal(["a", "b", "b", "d/"], found);
        Assert.Equal(5, Server.Statistics.OpenMultipartUploads);
    }

    private async Task PutAllAsync()
    {
        foreach (string key in Keys)
        {
            await PutAsync(key, [1]);
        }
    }

    private async Task<List<string>> ListAsync(int pageSize, string? delimiter, string? prefix = null, string? startAfter = null)
    {
        var found = new List<string>();
        var request = new ListObjectsV2Request
        {
            BucketName = BucketName,
            MaxKeys = pageSize,
            Delimiter = delimiter,
            Prefix = prefix,
            StartAfter = startAfter,
            Encoding = EncodingType.Url,
        };
        ListObjectsV2Response page;
        do
        {
            page = await Client.ListObjectsV2Async(request).Within();
            List<string> entries = [.. (page.S3Objects ?? []).Select(static o => o.Key), .. page.CommonPrefixes ?? []];
            Assert.Equal(entries.Count, page.KeyCount);
            found.AddRange(entries.Select(WebUtility.UrlDecode)!);
            Assert.InRange(found.Count, 0, Keys.Length);
            request.ContinuationToken = page.NextContinuationToken;
        }
        while (page.IsTruncated == true);

        // A page lists its keys before its groups. Only the order within each matters, and both are merged by name.
        found.Sort(StringComparer.Ordinal);
        return found;
    }
}
