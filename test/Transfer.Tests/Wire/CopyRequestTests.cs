using System.Net;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Wire;

/// <summary>The requests of copies inside a store, and their responses, which can be an error although their status is 200.</summary>
public sealed class CopyRequestTests
{
    private const string Result = "<ETag>&quot;e&quot;</ETag><ChecksumCRC32C>AAAAAA==</ChecksumCRC32C><ChecksumType>FULL_OBJECT</ChecksumType>";
    private static readonly ObjectAddress Source = new("from", "a/b c+ü", "v1");
    private static readonly ObjectHead Head = new(new ObjectInfo { Length = 10, ETag = "\"s\"" });

    public static TheoryData<TransferWire> Wires => new(TransferWire.Http, TransferWire.Sdk);

    public static TheoryData<TransferWire, bool> WiresAndForms => new() { { TransferWire.Http, true }, { TransferWire.Http, false }, { TransferWire.Sdk, true }, { TransferWire.Sdk, false } };

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Copy_IsBoundToItsSourceAndReturnsTheResult(TransferWire wire)
    {
        FakeHttp http = new(_ => FakeHttp.Answer(HttpStatusCode.OK, $"<CopyObjectResult>{Result}</CopyObjectResult>", headers: ("x-amz-version-id", "v2")));

        PublishedObject copy = await CopyAsync(http, wire);

        HttpRequestMessage request = Assert.Single(http.Requests);
        Assert.EachEqual((HttpMethod.Put, "/key", string.Empty), (request.Method, request.RequestUri!.AbsolutePath, request.RequestUri.Query.Replace("?x-id=CopyObject", string.Empty, StringComparison.Ordinal)));
        Assert.Equal("from/a/b%20c%2B%C3%BC?versionId=v1", FakeHttp.Header(request, "x-amz-copy-source"));
        Assert.EachEqual(("\"s\"", "*", "CRC32C"), (FakeHttp.Header(request, "x-amz-copy-source-if-match"), FakeHttp.Header(request, "If-None-Match"), FakeHttp.Header(request, "x-amz-checksum-algorithm")));
        Assert.EachEqual(("\"e\"", "v2", new StoredChecksum { Algorithm = ChecksumAlgorithm.Crc32C, Value = "AAAAAA==", IsComposite = false }), (copy.ETag, copy.VersionId, copy.Checksum));
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task CopyPart_NamesTheRangeAndReturnsTheResult(TransferWire wire)
    {
        FakeHttp http = new(_ => FakeHttp.Answer(HttpStatusCode.OK, $"<CopyPartResult>{Result}</CopyPartResult>"));

        UploadedPart part = await CopyPartAsync(http, wire);

        HttpRequestMessage request = Assert.Single(http.Requests);
        Assert.Contains("partNumber=2", request.RequestUri!.Query, StringComparison.Ordinal);
        Assert.Contains("uploadId=u%2F1", request.RequestUri.Query, StringComparison.Ordinal);
        Assert.EachEqual(("bytes=3-9", "\"s\""), (FakeHttp.Header(request, "x-amz-copy-source-range"), FakeHttp.Header(request, "x-amz-copy-source-if-match")));
        Assert.EachEqual((2, "\"e\"", "AAAAAA=="), (part.Number, part.ETag, part.Checksum));
    }

    /// <summary>Without a range, the store copies the whole source, whatever size it told before.</summary>
    [Theory]
    [MemberData(nameof(Wires))]
    public async Task CopyPart_OfTheWholeSource_HasNoRange(TransferWire wire)
    {
        FakeHttp http = new(_ => FakeHttp.Answer(HttpStatusCode.OK, $"<CopyPartResult>{Result}</CopyPartResult>"));

        await CopyPartAsync(http, wire, 0, Head.Info.Length);

        Assert.Null(FakeHttp.Header(Assert.Single(http.Requests), "x-amz-copy-source-range"));
    }

    /// <summary>Amazon S3 sends whitespace while it copies, so the status comes before the result.</summary>
    [Theory]
    [MemberData(nameof(WiresAndForms))]
    public async Task ErrorInA200_IsAnError(TransferWire wire, bool isPart)
    {
        FakeHttp http = new(_ => FakeHttp.Answer(HttpStatusCode.OK, "<?xml version=\"1.0\"?>\n<Error><Code>InternalError</Code><Message>no</Message></Error>"));

        WireException e = await Assert.ThrowsAsync<WireException>(() => SendAsync(http, wire, isPart));

        Assert.True(e.MayRetry, e.ToString());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task WhitespaceBeforeAnError_IsAnError(bool isPart)
    {
        FakeHttp http = new(_ => Chunked(new string(' ', 70_000) + "\n<?xml version=\"1.0\"?><Error><Code>SlowDown</Code><Message>no</Message></Error>"));

        WireException e = await Assert.ThrowsAsync<WireException>(() => SendAsync(http, TransferWire.Http, isPart));

        Assert.Equal("SlowDown", e.ErrorCode);
    }

    /// <summary>Some stores return the time in the form of HTTP, which isn't needed.</summary>
    [Fact]
    public async Task WhitespaceAndATimeInAnotherForm_AreIgnored()
    {
        const string time = "<LastModified>Wed, 25 Nov 2026 00:00:00 GMT</LastModified>";
        FakeHttp http = new(request => Chunked(
            "  \n<?xml version=\"1.0\"?>" + (request.RequestUri!.Query.Contains("partNumber", StringComparison.Ordinal) ? $"<CopyPartResult>{time}{Result}</CopyPartResult>" : $"<CopyObjectResult>{time}{Result}</CopyObjectResult>")));

        Assert.Equal("\"e\"", (await CopyAsync(http, TransferWire.Http)).ETag);
        Assert.Equal("\"e\"", (await CopyPartAsync(http, TransferWire.Http)).ETag);
    }

    [Theory]
    [MemberData(nameof(WiresAndForms))]
    public async Task NoETag_IsNotACopy(TransferWire wire, bool isPart)
    {
        FakeHttp http = new(_ => FakeHttp.Answer(HttpStatusCode.OK, isPart ? "<CopyPartResult/>" : "<CopyObjectResult/>"));

        await Assert.ThrowsAsync<WireException>(() => SendAsync(http, wire, isPart));
    }

    /// <summary>A copy names its source in a header, so both buckets decide which signature is needed.</summary>
    [Fact]
    public async Task EitherBucketNeedsTheSdk_IsSentByTheSdk()
    {
        FakeHttp http = new(_ => FakeHttp.Answer(HttpStatusCode.OK, $"<CopyObjectResult>{Result}</CopyObjectResult>"));
        using FakeWires wires = new(http);

        await wires.For("data--usw2-az1--x-s3", FakeHttp.Bucket).CopyObjectAsync(new CopySource(new ObjectAddress("data--usw2-az1--x-s3", "k"), Head), Target, CancellationToken.None).Within();

        Assert.True(FakeHttp.IsOfSdk(Assert.Single(http.Requests)));
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Tags_AreRead(TransferWire wire)
    {
        const string body = "<?xml version=\"1.0\"?>\n<Tagging xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><TagSet><Tag><Key>a b</Key><Value>1 &amp; 2</Value></Tag><Tag><Key>empty</Key><Value/></Tag></TagSet></Tagging>";
        FakeHttp http = new(_ => FakeHttp.Answer(HttpStatusCode.OK, body));
        using FakeWires wires = new(http, wire);

        IReadOnlyDictionary<string, string> tags = await wires.For(Source.Bucket).GetTagsAsync(Source, CancellationToken.None).Within();

        Assert.Equal(new Dictionary<string, string> { ["a b"] = "1 & 2", ["empty"] = string.Empty }, tags);
        Assert.Contains("versionId=v1", Assert.Single(http.Requests).RequestUri!.Query, StringComparison.Ordinal);
        Assert.Equal(wire == TransferWire.Sdk, FakeHttp.IsOfSdk(http.Requests.First()));
    }

    [Theory]
    [InlineData("<html><body>login</body></html>", "is it an S3 endpoint?")]
    [InlineData("<Tagging><TagSet><Tag><Key>a</Key>", "not an S3 response")]
    [InlineData("<Tagging><TagSet><Tag><Value>a</Value></Tag></TagSet></Tagging>", "not an S3 response")]
    [InlineData("", "not an S3 response")]
    public async Task Tags_NotAResponseOfAStore_Throws(string body, string message)
    {
        FakeHttp http = new(_ => FakeHttp.Answer(HttpStatusCode.OK, body));
        using FakeWires wires = new(http);

        WireException e = await Assert.ThrowsAsync<WireException>(() => wires.For(Source.Bucket).GetTagsAsync(Source, CancellationToken.None).Within());

        Assert.Contains(message, e.Message, StringComparison.Ordinal);
    }

    private static NewObject Target => new(new ObjectAddress(FakeHttp.Bucket, FakeHttp.Key), ChecksumAlgorithm.Crc32C, new WriteCondition(ForbidsOverwrite: true), new ObjectHeaders());

    private static Task SendAsync(FakeHttp http, TransferWire wire, bool isPart) => isPart ? CopyPartAsync(http, wire) : CopyAsync(http, wire);

    private static async Task<PublishedObject> CopyAsync(FakeHttp http, TransferWire choice)
    {
        using FakeWires wires = new(http, choice);
        return await wires.For(Source.Bucket, FakeHttp.Bucket).CopyObjectAsync(new CopySource(Source, Head), Target, CancellationToken.None).Within();
    }

    private static async Task<UploadedPart> CopyPartAsync(FakeHttp http, TransferWire choice, long offset = 3, long length = 7)
    {
        using FakeWires wires = new(http, choice);
        return await wires.For(Source.Bucket, FakeHttp.Bucket).UploadPartCopyAsync(new CopySource(Source, Head), Target, "u/1", 2, offset, length, CancellationToken.None).Within();
    }

    /// <summary>Returns a body of unknown length.</summary>
    private static HttpResponseMessage Chunked(string body)
    {
        HttpResponseMessage response = FakeHttp.Answer(HttpStatusCode.OK, body);
        response.Content.Headers.ContentLength = null;
        response.Headers.TransferEncodingChunked = true;
        return response;
    }
}
