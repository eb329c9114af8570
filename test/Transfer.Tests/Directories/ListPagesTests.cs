using System.Net;
using Amazon.S3;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Directories;

/// <summary>The pages of buckets and of an object's parts. Both wires read them in the same way.</summary>
public sealed class ListPagesTests
{
    public static TheoryData<TransferWire> Wires => new(TransferWire.Http, TransferWire.Sdk);

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Parts_OfSeveralPages_AreListed(TransferWire wire)
    {
        (string? error, List<ListedPart> listed, int requests) = await ListPartsAsync(wire, after => after is null ? Parts("e", 1, isTruncated: true) : Parts("e", 2, isTruncated: false));

        Assert.Null(error);
        Assert.Equal([1, 2], listed.Select(part => part.Number));
        Assert.Equal(2, requests);
    }

    /// <summary>The parts of two states of an object would be a list of neither.</summary>
    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Parts_OfAnotherState_Fail(TransferWire wire)
    {
        (string? error, List<ListedPart> listed, _) = await ListPartsAsync(wire, after => after is null ? Parts("e", 1, isTruncated: true) : Parts("f", 2, isTruncated: false));

        Assert.Contains("s3://bucket/key: the parts can't be listed: the object was replaced", error, StringComparison.Ordinal);
        Assert.Equal([1], listed.Select(part => part.Number));
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Parts_LastPageIsMissing_Fail(TransferWire wire)
    {
        (string? error, _, _) = await ListPartsAsync(wire, after => after is null ? Parts("e", 1, isTruncated: true) : "<GetObjectAttributesResponse><ETag>e</ETag></GetObjectAttributesResponse>");

        Assert.Contains("does not list all of them", error, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Parts_SamePageAgain_Fail(TransferWire wire)
    {
        (string? error, List<ListedPart> listed, int requests) = await ListPartsAsync(wire, _ => Parts("e", 1, isTruncated: true));

        Assert.Contains("the store returned the same page of the list of parts again", error, StringComparison.Ordinal);
        Assert.EachEqual((1, 2), (listed.Count, requests));
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Parts_StoreListsNone_AreNone(TransferWire wire)
    {
        (string? error, List<ListedPart> listed, _) = await ListPartsAsync(
            wire, _ => "<GetObjectAttributesResponse><ETag>e</ETag><ObjectParts><TotalPartsCount>2</TotalPartsCount></ObjectParts></GetObjectAttributesResponse>");

        Assert.Null(error);
        Assert.Empty(listed);
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Buckets_SamePageAgain_Fail(TransferWire wire)
    {
        int number = 0;
        FakeHttp http = new(_ => FakeHttp.Answer(
            HttpStatusCode.OK, $"<ListAllMyBucketsResult><Buckets><Bucket><Name>b{number++}</Name></Bucket></Buckets><ContinuationToken>t</ContinuationToken></ListAllMyBucketsResult>"));
        (TransferException? error, List<ListedBucket> listed) = await ListAsync(http, wire, client => client.ListBucketsAsync());

        Assert.Contains("the store returned the same page of the list of buckets again", error?.Message, StringComparison.Ordinal);
        Assert.Equal(["b0"], listed.Select(bucket => bucket.Name));
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Buckets_Error_NamesNoBucket(TransferWire wire)
    {
        FakeHttp http = new(_ => FakeHttp.Error(HttpStatusCode.Forbidden, "AccessDenied"));
        (TransferException? error, _) = await ListAsync(http, wire, client => client.ListBucketsAsync());

        Assert.StartsWith("the buckets can't be listed: ", error!.Message, StringComparison.Ordinal);
        Assert.EachEqual(("AccessDenied", null, null), (error.ErrorCode, error.Bucket, error.Key));
    }

    /// <summary>The SDK accepts any XML as a list, so only its request ID shows that a store has sent it.</summary>
    [Theory]
    [InlineData("<ListBucketResult><Name>b</Name></ListBucketResult>")]
    [InlineData("<html><body>Log in</body></html>")]
    [InlineData("")]
    public async Task Buckets_AnotherDocument_Fails(string body)
    {
        FakeHttp http = new(_ => FakeHttp.Answer(HttpStatusCode.OK, body));
        (TransferException? error, _) = await ListAsync(http, TransferWire.Http, client => client.ListBucketsAsync());

        Assert.Contains("S3", error?.Message, StringComparison.Ordinal);
    }

    private static string Parts(string etag, int number, bool isTruncated)
        => $"<GetObjectAttributesResponse><ETag>{etag}</ETag><ObjectParts><IsTruncated>{(isTruncated ? "true" : "false")}</IsTruncated><NextPartNumberMarker>{number}</NextPartNumberMarker>"
            + $"<Part><PartNumber>{number}</PartNumber><Size>5</Size></Part></ObjectParts></GetObjectAttributesResponse>";

    private static async Task<(string? Error, List<ListedPart> Listed, int Requests)> ListPartsAsync(TransferWire wire, Func<string?, string> answer)
    {
        FakeHttp http = new(request => FakeHttp.Answer(HttpStatusCode.OK, answer(FakeHttp.Header(request, "x-amz-part-number-marker"))));
        (TransferException? error, List<ListedPart> listed) = await ListAsync(http, wire, client => client.ListPartsAsync(FakeHttp.Bucket, FakeHttp.Key));
        return (error?.Message, listed, http.Requests.Count);
    }

    private static async Task<(TransferException? Error, List<T> Listed)> ListAsync<T>(FakeHttp http, TransferWire wire, Func<TransferClient, IAsyncEnumerable<T>> list)
    {
        using AmazonS3Client s3 = http.NewS3();
        await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = wire }, MaxAttempts = 1 });
        List<T> listed = [];
        try
        {
            await foreach (T item in list(client))
            {
                listed.Add(item);
            }

            return (null, listed);
        }
        catch (TransferException e)
        {
            return (e, listed);
        }
    }
}
