using System.Net;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Wire;

/// <summary>The lists of buckets, of uploads, and of parts, with the quirks of stores. Both wires read them in the same way.</summary>
public sealed class ListRequestTests
{
    private const string Buckets = "ListAllMyBucketsResult";
    private const string Uploads = "ListMultipartUploadsResult";
    private const string Versions = "ListVersionsResult";
    private static readonly ObjectAddress Address = new(FakeHttp.Bucket, FakeHttp.Key, null, new ReadAccess(RequesterPays: true, new CustomerKey(new byte[32])));

    public static TheoryData<TransferWire> Wires => new(TransferWire.Http, TransferWire.Sdk);

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Uploads_AreDecodedAndContinued(TransferWire wire)
    {
        FakeHttp http = new(request => Query(request, "key-marker") is null
            ? Answer(Uploads, "<Bucket>bucket</Bucket><EncodingType>url</EncodingType><IsTruncated>true</IsTruncated><NextKeyMarker>p/a+b%2B%0A</NextKeyMarker><NextUploadIdMarker>u/1</NextUploadIdMarker>"
                + "<Upload><Key>p/a+b%2B%0A</Key><UploadId>u/1</UploadId><Initiated>2026-11-25T01:02:03.000Z</Initiated><Owner><ID>o</ID></Owner></Upload>")
            : Answer(Uploads, "<Bucket>bucket</Bucket><EncodingType>url</EncodingType><Upload><Key>p/c</Key><UploadId>u2</UploadId></Upload>"));
        using FakeWires wires = new(http, wire);

        Page<UnfinishedUpload> first = await wires.For(FakeHttp.Bucket).ListUploadsAsync(FakeHttp.Bucket, "p/", null, CancellationToken.None).Within();
        Page<UnfinishedUpload> second = await wires.For(FakeHttp.Bucket).ListUploadsAsync(FakeHttp.Bucket, "p/", first.Next, CancellationToken.None).Within();

        Assert.Equal(new UnfinishedUpload { Key = "p/a b+\n", UploadId = "u/1", Initiated = new DateTimeOffset(2026, 11, 25, 1, 2, 3, TimeSpan.Zero) }, Assert.Single(first.Items));
        Assert.EachEqual(("p/c", "u2"), (Assert.Single(second.Items).Key, second.Items[0].UploadId));
        Assert.Null(second.Next);
        Assert.EachEqual(("p/a b+\n", "u/1", "p/"), (Query(http.Requests.Last(), "key-marker"), Query(http.Requests.Last(), "upload-id-marker"), Query(http.Requests.Last(), "prefix")));
        Assert.All(http.Requests, request => Assert.Equal(wire == TransferWire.Sdk, FakeHttp.IsOfSdk(request)));
    }

    /// <summary>The SDK reads an empty list from an empty body.</summary>
    [Theory]
    [MemberData(nameof(Wires))]
    public async Task EmptyBody_IsNoList(TransferWire wire)
    {
        FakeHttp http = new(_ => FakeHttp.Answer(HttpStatusCode.OK, string.Empty, headers: ("x-amz-request-id", "1")));
        using FakeWires wires = new(http, wire);
        IObjectWire bucket = wires.For(FakeHttp.Bucket);

        await Assert.ThrowsAsync<WireException>(() => bucket.ListAsync(new ListQuery(FakeHttp.Bucket, string.Empty, ReadAccess.Plain), null, CancellationToken.None).Within());
        await Assert.ThrowsAsync<WireException>(() => bucket.ListUploadsAsync(FakeHttp.Bucket, string.Empty, null, CancellationToken.None).Within());
    }

    /// <summary>Ceph encodes the keys without saying so, so they are requested again as they are.</summary>
    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Uploads_KeysLookEncoded_AreRequestedUnencoded(TransferWire wire)
    {
        FakeHttp http = new(request => Answer(Uploads, $"<Bucket>bucket</Bucket><Upload><Key>{(Query(request, "encoding-type") is null ? "100% a+b" : "100%25%20a%2Bb")}</Key><UploadId>u</UploadId></Upload>"));
        using FakeWires wires = new(http, wire);

        Page<UnfinishedUpload> page = await wires.For(FakeHttp.Bucket).ListUploadsAsync(FakeHttp.Bucket, string.Empty, null, CancellationToken.None).Within();

        Assert.Equal("100% a+b", Assert.Single(page.Items).Key);
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Versions_AreDecodedAndContinued(TransferWire wire)
    {
        FakeHttp http = new(request => Query(request, "key-marker") is null
            ? Answer(Versions, "<Name>bucket</Name><EncodingType>url</EncodingType><IsTruncated>true</IsTruncated><NextKeyMarker>p/a+b%2B%0A</NextKeyMarker><NextVersionIdMarker>v2</NextVersionIdMarker>"
                + "<DeleteMarker><Key>p/a+b%2B%0A</Key><VersionId>v3</VersionId><IsLatest>true</IsLatest><LastModified>2026-11-25T01:02:03.000Z</LastModified></DeleteMarker>"
                + "<Version><Key>p/a+b%2B%0A</Key><VersionId>v2</VersionId><IsLatest>false</IsLatest><LastModified>2026-11-25T01:02:03.000Z</LastModified><ETag>&quot;e&quot;</ETag><Size>5</Size><StorageClass>GLACIER</StorageClass>"
                + "<RestoreStatus><IsRestoreInProgress>true</IsRestoreInProgress></RestoreStatus></Version>")
            : Answer(Versions, "<Name>bucket</Name><EncodingType>url</EncodingType><IsTruncated>false</IsTruncated><Version><Key>p/a+b%2B%0A</Key><VersionId>null</VersionId><ETag>&quot;f&quot;</ETag><Size>6</Size></Version>"));
        using FakeWires wires = new(http, wire);
        ListQuery query = new(FakeHttp.Bucket, "p/", new ReadAccess(RequesterPays: true, null)) { Versions = true, WithRestoreStates = true };

        Page<ListedObject> first = await wires.For(FakeHttp.Bucket).ListAsync(query, null, CancellationToken.None).Within();
        Page<ListedObject> second = await wires.For(FakeHttp.Bucket).ListAsync(query, first.Next, CancellationToken.None).Within();

        DateTimeOffset time = new(2026, 11, 25, 1, 2, 3, TimeSpan.Zero);
        Assert.Equal(
            [
                new ListedObject { Key = "p/a b+\n", Length = 0, LastModified = time, VersionId = "v3", IsDeleteMarker = true, IsLatest = true },
                new ListedObject { Key = "p/a b+\n", Length = 5, ETag = "\"e\"", LastModified = time, VersionId = "v2", StorageClass = "GLACIER", Restore = RestoreState.From(true, null) },
            ],
            first.Items);
        Assert.EachEqual(("null", 6L), (Assert.Single(second.Items).VersionId, second.Items[0].Length));
        Assert.Null(second.Next);
        Assert.EachEqual(("p/a b+\n", "v2", "p/"), (Query(http.Requests.Last(), "key-marker"), Query(http.Requests.Last(), "version-id-marker"), Query(http.Requests.Last(), "prefix")));
        Assert.All(http.Requests, request => Assert.Contains("versions", request.RequestUri!.Query.TrimStart('?').Split('&').Select(part => part.TrimEnd('='))));
        Assert.All(http.Requests, request => Assert.Equal("requester", FakeHttp.Header(request, "x-amz-request-payer")));
        Assert.All(http.Requests, request => Assert.Equal("RestoreStatus", FakeHttp.Header(request, "x-amz-optional-object-attributes")));
        Assert.All(http.Requests, request => Assert.Equal(wire == TransferWire.Sdk, FakeHttp.IsOfSdk(request)));
    }

    /// <summary>A version without an ID could only be deleted as the current object.</summary>
    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Versions_WithoutAnId_AreRejected(TransferWire wire)
    {
        FakeHttp http = new(_ => Answer(Versions, "<Name>bucket</Name><Version><Key>p/a</Key><Size>5</Size></Version>"));
        using FakeWires wires = new(http, wire);
        ListQuery query = new(FakeHttp.Bucket, "p/", ReadAccess.Plain) { Versions = true };
        await Assert.ThrowsAsync<WireException>(() => wires.For(FakeHttp.Bucket).ListAsync(query, null, CancellationToken.None).Within());
    }

    /// <summary>A wrong key would leave the version, and nobody would know.</summary>
    [Fact]
    public async Task Versions_KeysLookEncoded_AreRequestedUnencoded()
    {
        FakeHttp http = new(request => Answer(Versions, $"<Name>bucket</Name><Version><Key>{(Query(request, "encoding-type") is null ? "100% a+b" : "100%25%20a%2Bb")}</Key><VersionId>v</VersionId><Size>1</Size></Version>"));
        using FakeWires wires = new(http, TransferWire.Http);
        ListQuery query = new(FakeHttp.Bucket, string.Empty, ReadAccess.Plain) { Versions = true };

        Page<ListedObject> page = await wires.For(FakeHttp.Bucket).ListAsync(query, null, CancellationToken.None).Within();

        Assert.Equal("100% a+b", Assert.Single(page.Items).Key);
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Parts_AreReadWithTheCustomerKeyAndContinued(TransferWire wire)
    {
        FakeHttp http = new(request => Query(request, "part-number-marker") is null
            ? Answer("ListPartsResult", "<UploadId>u</UploadId><IsTruncated>true</IsTruncated><NextPartNumberMarker>2</NextPartNumberMarker>"
                + "<Part><PartNumber>2</PartNumber><ETag>&quot;e&quot;</ETag><Size>5</Size><ChecksumCRC32C>AAAAAA==</ChecksumCRC32C></Part>")
            : Answer("ListPartsResult", "<UploadId>u</UploadId><NextPartNumberMarker>0</NextPartNumberMarker><Part><PartNumber>3</PartNumber><ETag>&quot;f&quot;</ETag><Size>1</Size></Part>"));
        using FakeWires wires = new(http, wire);

        Page<SentPart> first = await wires.For(FakeHttp.Bucket).ListPartsAsync(Address, "u", null, CancellationToken.None).Within();
        Page<SentPart> second = await wires.For(FakeHttp.Bucket).ListPartsAsync(Address, "u", first.Next, CancellationToken.None).Within();

        Assert.Equal(new SentPart(2, 5, "\"e\"", new StoredChecksum { Algorithm = ChecksumAlgorithm.Crc32C, Value = "AAAAAA==", IsComposite = false }), Assert.Single(first.Items));
        Assert.EachEqual((3, 1L), (Assert.Single(second.Items).Number, second.Items[0].LengthBytes));
        Assert.Null(second.Next);
        Assert.All(http.Requests, request => Assert.EachEqual(("AES256", "requester"), (
            FakeHttp.Header(request, "x-amz-server-side-encryption-customer-algorithm"), FakeHttp.Header(request, "x-amz-request-payer"))));
    }

    [Theory]
    [InlineData("ListPartsResult", "<UploadId>another</UploadId>")]
    [InlineData("ListPartsResult", "<UploadId>u</UploadId><IsTruncated>true</IsTruncated>")]
    [InlineData("html", "<body>login</body>")]
    public async Task Parts_OfSomethingElseOrWithoutTheirEnd_Throw(string root, string content)
    {
        foreach (TransferWire wire in (TransferWire[])[TransferWire.Http, TransferWire.Sdk])
        {
            FakeHttp http = new(_ => Answer(root, content));
            using FakeWires wires = new(http, wire);

            await Assert.ThrowsAsync<WireException>(() => wires.For(FakeHttp.Bucket).ListPartsAsync(Address, "u", null, CancellationToken.None).Within());
        }
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task PartsOfAnObject_AreReadInOrder(TransferWire wire)
    {
        FakeHttp http = new(_ => Answer("GetObjectAttributesResponse", "<ETag>e</ETag><ObjectParts><IsTruncated>true</IsTruncated><NextPartNumberMarker>2</NextPartNumberMarker>"
            + "<Part><PartNumber>2</PartNumber><Size>0</Size></Part><Part><PartNumber>1</PartNumber><Size>5</Size><ChecksumCRC64NVME>AAAAAAAAAAA=</ChecksumCRC64NVME></Part></ObjectParts>"));
        using FakeWires wires = new(http, wire);

        Page<ListedPart>? page = await wires.For(FakeHttp.Bucket).ListStoredPartsAsync(Address, "\"e\"", null, CancellationToken.None).Within();
        Page<ListedPart>? ofAnother = await wires.For(FakeHttp.Bucket).ListStoredPartsAsync(Address, "\"f\"", null, CancellationToken.None).Within();

        Assert.Equal([new ListedPart { Number = 1, Length = 5, Checksum = new StoredChecksum { Algorithm = ChecksumAlgorithm.Crc64Nvme, Value = "AAAAAAAAAAA=", IsComposite = false } }, new ListedPart { Number = 2, Length = 0 }], page!.Items);
        Assert.EachEqual(("2", "e"), (page.Next!.Marker.Token, page.ETag));
        Assert.Null(ofAnother);
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Buckets_AreContinued(TransferWire wire)
    {
        FakeHttp http = new(request => Query(request, "continuation-token") is null
            ? Answer(Buckets, "<Owner><ID>o</ID></Owner><Buckets><Bucket><Name>b</Name><CreationDate>2026-11-25T01:02:03.000Z</CreationDate></Bucket></Buckets><ContinuationToken>t/1</ContinuationToken>")
            : Answer(Buckets, "<Owner><ID>o</ID></Owner><Buckets><Bucket><Name>a</Name></Bucket></Buckets>"));
        using FakeWires wires = new(http, wire);

        Page<ListedBucket> first = await wires.For(string.Empty).ListBucketsAsync(null, CancellationToken.None).Within();
        Page<ListedBucket> second = await wires.For(string.Empty).ListBucketsAsync(first.Next, CancellationToken.None).Within();

        Assert.Equal([new ListedBucket { Name = "b", Created = new DateTimeOffset(2026, 11, 25, 1, 2, 3, TimeSpan.Zero) }], first.Items);
        Assert.Equal([new ListedBucket { Name = "a" }], second.Items);
        Assert.EachEqual((null, "t/1"), (second.Next, Query(http.Requests.Last(), "continuation-token")));
        Assert.All(http.Requests, request => Assert.EachEqual(("s3.us-west-2.amazonaws.com", "/", wire == TransferWire.Sdk), (request.RequestUri!.Host, request.RequestUri.AbsolutePath, FakeHttp.IsOfSdk(request))));
    }

    /// <summary>The list has no bucket whose region could be found out.</summary>
    [Fact]
    public async Task Buckets_InAnotherRegion_AreRequestedThere()
    {
        FakeHttp http = new(request => request.RequestUri!.Host.Contains("eu-west-1", StringComparison.Ordinal)
            ? Answer(Buckets, "<Buckets><Bucket><Name>b</Name></Bucket></Buckets>")
            : FakeHttp.Answer(HttpStatusCode.BadRequest, "<Error><Code>AuthorizationHeaderMalformed</Code><Message>m</Message><Region>eu-west-1</Region></Error>"));
        using FakeWires wires = new(http, TransferWire.Http);

        Assert.Equal("b", Assert.Single((await wires.For(string.Empty).ListBucketsAsync(null, CancellationToken.None).Within()).Items).Name);
        Assert.Equal("s3.eu-west-1.amazonaws.com", http.Requests.Last().RequestUri!.Host);
    }

    /// <summary>A reader that recurses for each level would end the process.</summary>
    [Fact]
    public async Task PartsOfAnObject_NestedWithoutEnd_Throw()
    {
        FakeHttp http = new(_ => Answer("GetObjectAttributesResponse", string.Concat(Enumerable.Repeat("<ObjectParts>", 100_000))));
        using FakeWires wires = new(http);

        await Assert.ThrowsAsync<WireException>(() => wires.For(FakeHttp.Bucket).ListStoredPartsAsync(Address, null, null, CancellationToken.None).Within());
    }

    private static HttpResponseMessage Answer(string root, string content)
        => FakeHttp.Answer(HttpStatusCode.OK, $"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{root} xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">{content}</{root}>");

    private static string? Query(HttpRequestMessage request, string name)
    {
        string? pair = request.RequestUri!.Query.TrimStart('?').Split('&').FirstOrDefault(pair => pair.StartsWith(name + "=", StringComparison.Ordinal));
        return pair is null ? null : Uri.UnescapeDataString(pair[(name.Length + 1)..]);
    }
}
