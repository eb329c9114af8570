using System.Net;
using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Text;
using Amazon.S3.Model;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Samples;

/// <summary>Requests to the AspNetProxy sample.</summary>
public sealed class AspNetProxyTests(AspNetProxyFixture proxy) : IClassFixture<AspNetProxyFixture>, IDisposable
{
    private const string Bucket = AspNetProxyFixture.Bucket;
    private const int Length = 20_000_000; // several ranges
    private static readonly byte[] Content = Sample.Bytes(Length);

    public void Dispose()
    {
        proxy.Server.SetFaults(null);
        proxy.Server.LinkBytesPerSecond = null;
    }

    [Fact]
    public async Task Get_Object_SendsContentAndHeaders()
    {
        string etag = await PutAsync("whole.bin", Content);

        using HttpResponseMessage response = await proxy.Http.GetAsync("objects/whole.bin").Within();

        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.Equal(Content, await response.Content.ReadAsByteArrayAsync().Within());
        Assert.Equal(etag, response.Headers.ETag?.ToString());
        Assert.Equal("video/x-test", response.Content.Headers.ContentType?.ToString());
        Assert.NotNull(response.Content.Headers.LastModified);
        Assert.Equal("bytes", response.Headers.AcceptRanges.ToString());
    }

    [Fact]
    public async Task Head_Object_SendsHeadersOnly()
    {
        await PutAsync("head.bin", Content);
        using HttpRequestMessage request = new(HttpMethod.Head, "objects/head.bin");

        using HttpResponseMessage response = await proxy.Http.SendAsync(request).Within();

        Assert.EachEqual((HttpStatusCode.OK, Length), (response.StatusCode, response.Content.Headers.ContentLength));
        Assert.DoesNotContain(proxy.Server.Requests, one => one is { Operation: "GetObject", Key: "head.bin" });
    }

    [Theory]
    [InlineData("bytes=5-14", 5, 10)]
    [InlineData("bytes=1000000-", 1_000_000, Length - 1_000_000)]
    [InlineData("bytes=-7", Length - 7, 7)]
    [InlineData("bytes=-30000000", 0, Length)]
    [InlineData("bytes=19999999-99999999", Length - 1, 1)]
    public async Task Get_Range_SendsIt(string range, int offset, int length)
    {
        await PutAsync("range.bin", Content);

        using HttpResponseMessage response = await GetAsync("range.bin", ("Range", range));

        Assert.Equal(HttpStatusCode.PartialContent, response.StatusCode);
        Assert.Equal($"bytes {offset}-{offset + length - 1}/{Length}", response.Content.Headers.ContentRange?.ToString());
        Assert.Equal(Content[offset..(offset + length)], await response.Content.ReadAsByteArrayAsync().Within());
    }

    [Theory]
    [InlineData("bytes=20000000-")]
    [InlineData("bytes=-0")]
    public async Task Get_RangeThatTheObjectDoesNotHave_IsNotSatisfiable(string range)
    {
        await PutAsync("end.bin", Content);

        using HttpResponseMessage response = await GetAsync("end.bin", ("Range", range));

        Assert.Equal(HttpStatusCode.RequestedRangeNotSatisfiable, response.StatusCode);
        Assert.Equal($"bytes */{Length}", response.Content.Headers.ContentRange?.ToString());
    }

    [Theory]
    [InlineData("bytes=0-1,5-6")]
    [InlineData("lines=0-1")]
    [InlineData("bytes=b-a")]
    public async Task Get_RangeThatIsNotSupported_SendsTheWholeObject(string range)
    {
        await PutAsync("several.bin", [1, 2, 3, 4, 5, 6, 7, 8]);

        using HttpResponseMessage response = await GetAsync("several.bin", ("Range", range));

        Assert.EachEqual((HttpStatusCode.OK, 8), (response.StatusCode, response.Content.Headers.ContentLength));
    }

    [Fact]
    public async Task Get_EmptyObject_IsEmpty()
    {
        await PutAsync("empty.bin", []);

        using HttpResponseMessage whole = await GetAsync("empty.bin");
        using HttpResponseMessage range = await GetAsync("empty.bin", ("Range", "bytes=0-"));

        Assert.EachEqual((HttpStatusCode.OK, 0), (whole.StatusCode, whole.Content.Headers.ContentLength));
        Assert.Equal(HttpStatusCode.RequestedRangeNotSatisfiable, range.StatusCode);
    }

    [Fact]
    public async Task Get_Conditions_AreChecked()
    {
        string etag = await PutAsync("condition.bin", [1, 2, 3]);
        const string Past = "Wed, 01 Jan 2020 00:00:00 GMT";
        const string Future = "Sun, 01 Jan 2090 00:00:00 GMT";

        Assert.Equal(HttpStatusCode.NotModified, await StatusAsync(("If-None-Match", etag)));
        Assert.Equal(HttpStatusCode.NotModified, await StatusAsync(("If-None-Match", $"\"other\", W/{etag}")));
        Assert.Equal(HttpStatusCode.NotModified, await StatusAsync(("If-None-Match", "*")));
        Assert.Equal(HttpStatusCode.OK, await StatusAsync(("If-None-Match", "\"other\"")));
        Assert.Equal(HttpStatusCode.NotModified, await StatusAsync(("If-Modified-Since", Future)));
        Assert.Equal(HttpStatusCode.OK, await StatusAsync(("If-Modified-Since", Past)));
        Assert.Equal(HttpStatusCode.OK, await StatusAsync(("If-None-Match", "\"other\""), ("If-Modified-Since", Future)));
        Assert.Equal(HttpStatusCode.OK, await StatusAsync(("If-Match", etag)));
        Assert.Equal(HttpStatusCode.PreconditionFailed, await StatusAsync(("If-Match", "\"other\"")));
        Assert.Equal(HttpStatusCode.PreconditionFailed, await StatusAsync(("If-Unmodified-Since", Past)));
        Assert.Equal(HttpStatusCode.PartialContent, await StatusAsync(("Range", "bytes=0-0"), ("If-Range", etag)));
        Assert.Equal(HttpStatusCode.OK, await StatusAsync(("Range", "bytes=0-0"), ("If-Range", "\"other\"")));
        Assert.Equal(HttpStatusCode.OK, await StatusAsync(("Range", "bytes=0-0"), ("If-Range", Past)));

        async Task<HttpStatusCode> StatusAsync(params (string Name, string Value)[] headers)
        {
            using HttpResponseMessage response = await GetAsync("condition.bin", headers);
            return response.StatusCode;
        }
    }

    [Fact]
    public async Task Get_NotModified_HasETagAndNoBody()
    {
        string etag = await PutAsync("known.bin", [1, 2, 3]);

        using HttpResponseMessage response = await GetAsync("known.bin", ("If-None-Match", etag));

        Assert.Equal(HttpStatusCode.NotModified, response.StatusCode);
        Assert.Equal(etag, response.Headers.ETag?.ToString());
        Assert.Empty(await response.Content.ReadAsByteArrayAsync().Within());
    }

    [Theory]
    [InlineData("bytes=5-14", 5, 10)]
    [InlineData("bytes=19000000-", 19_000_000, Length - 19_000_000)]
    [InlineData("bytes=-7", Length - 7, 7)]
    public async Task GetFile_Range_SendsIt(string range, int offset, int length)
    {
        string etag = await PutAsync("file.bin", Content);

        using HttpResponseMessage response = await GetAsync("file.bin", "files/", ("Range", range), ("If-Range", etag));

        Assert.Equal(HttpStatusCode.PartialContent, response.StatusCode);
        Assert.Equal($"bytes {offset}-{offset + length - 1}/{Length}", response.Content.Headers.ContentRange?.ToString());
        Assert.Equal(Content[offset..(offset + length)], await response.Content.ReadAsByteArrayAsync().Within());
        Assert.Equal(etag, response.Headers.ETag?.ToString());
        Assert.Equal("video/x-test", response.Content.Headers.ContentType?.ToString());
    }

    [Fact]
    public async Task GetFile_Object_SendsContentAndHeaders()
    {
        string etag = await PutAsync("whole-file.bin", Content);

        using HttpResponseMessage response = await GetAsync("whole-file.bin", "files/");

        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.Equal(Content, await response.Content.ReadAsByteArrayAsync().Within());
        Assert.Equal(etag, response.Headers.ETag?.ToString());
        Assert.NotNull(response.Content.Headers.LastModified);
        Assert.Equal("bytes", response.Headers.AcceptRanges.ToString());
    }

    [Fact]
    public async Task GetFile_NothingToSend_RequestsNoData()
    {
        string etag = await PutAsync("unread.bin", Content);
        using HttpRequestMessage head = new(HttpMethod.Head, "files/unread.bin");

        using HttpResponseMessage headers = await proxy.Http.SendAsync(head).Within();
        using HttpResponseMessage known = await GetAsync("unread.bin", "files/", ("If-None-Match", etag));
        using HttpResponseMessage beyond = await GetAsync("unread.bin", "files/", ("Range", "bytes=20000000-"));
        using HttpResponseMessage missing = await GetAsync("none.bin", "files/");

        Assert.EachEqual((HttpStatusCode.OK, Length), (headers.StatusCode, headers.Content.Headers.ContentLength));
        Assert.Equal(HttpStatusCode.NotModified, known.StatusCode);
        Assert.Equal(HttpStatusCode.RequestedRangeNotSatisfiable, beyond.StatusCode);
        Assert.Equal(HttpStatusCode.NotFound, missing.StatusCode);
        Assert.DoesNotContain(proxy.Server.Requests, one => one is { Operation: "GetObject", Key: "unread.bin" });
    }

    [Fact]
    public async Task Get_MissingObject_IsNotFound()
    {
        using HttpResponseMessage response = await GetAsync("none.bin");

        Assert.Equal(HttpStatusCode.NotFound, response.StatusCode);
        Assert.DoesNotContain(Bucket, await response.Content.ReadAsStringAsync().Within(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(ServerFault.InternalError, HttpStatusCode.BadGateway)]
    [InlineData(ServerFault.ExpireToken, HttpStatusCode.BadGateway)]
    public async Task Get_StoreFails_IsABadGateway(ServerFault fault, HttpStatusCode expected)
    {
        proxy.Server.SetFaults(new FaultPlan { Rules = [new FaultRule(fault) { Times = null }] });

        using HttpResponseMessage response = await GetAsync("any.bin");

        Assert.Equal(expected, response.StatusCode);
        Assert.Equal("application/problem+json", response.Content.Headers.ContentType?.MediaType);
    }

    [Fact]
    public async Task Get_ContentIsDamaged_IsNeverComplete()
    {
        await PutAsync("damaged.bin", Content);
        proxy.Server.SetFaults(new FaultPlan { Rules = [new FaultRule(ServerFault.FlipDownload) { Times = null }] });

        using HttpResponseMessage response = await proxy.Http.GetAsync("objects/damaged.bin", HttpCompletionOption.ResponseHeadersRead).Within();

        await Assert.ThrowsAnyAsync<HttpRequestException>(() => response.Content.ReadAsByteArrayAsync().Within());
    }

    [Fact]
    public async Task Get_ClientDisconnects_CancelsTheRequestsToTheStore()
    {
        await PutAsync("slow.bin", Content);
        proxy.Server.LinkBytesPerSecond = 64 << 10; // the whole object would take five minutes

        HttpResponseMessage response = await proxy.Http.GetAsync("objects/slow.bin", HttpCompletionOption.ResponseHeadersRead).Within();
        Assert.True(proxy.Server.Statistics.ActiveRequests > 0);
        response.Dispose();

        await Deadline.Until(() => proxy.Server.Statistics.ActiveRequests == 0);
    }

    [Fact]
    public async Task Put_ChunkedBody_IsStored()
    {
        using HttpRequestMessage request = new(HttpMethod.Put, "objects/folder/up%20load.bin") { Content = new StreamContent(new MemoryStream(Content)) };
        request.Headers.TransferEncodingChunked = true;
        request.Content.Headers.ContentType = new MediaTypeHeaderValue("video/x-test");
        request.Content.Headers.ContentEncoding.Add("gzip");

        using HttpResponseMessage response = await proxy.Http.SendAsync(request).Within();

        Assert.Equal(HttpStatusCode.NoContent, response.StatusCode);
        using GetObjectResponse stored = await proxy.S3.GetObjectAsync(Bucket, "folder/up load.bin").Within();
        Assert.Equal(stored.ETag, response.Headers.ETag?.ToString());
        Assert.EachEqual(("video/x-test", "gzip"), (stored.Headers.ContentType, stored.Headers.ContentEncoding));
        using MemoryStream body = new();
        await stored.ResponseStream.CopyToAsync(body).Within();
        Assert.Equal(Content, body.ToArray());
    }

    [Fact]
    public async Task Put_Conditions_AreChecked()
    {
        string etag = await PutAsync("existing.bin", [1]);

        Assert.Equal(HttpStatusCode.PreconditionFailed, await StatusAsync(("If-None-Match", "*")));
        Assert.Equal(HttpStatusCode.PreconditionFailed, await StatusAsync(("If-Match", "\"9b2cf535f27731c974343645a3985328\"")));
        Assert.Equal(HttpStatusCode.BadRequest, await StatusAsync(("If-None-Match", etag)));
        Assert.Equal(HttpStatusCode.BadRequest, await StatusAsync(("If-Match", $"{etag}, \"other\"")));
        Assert.Equal(HttpStatusCode.BadRequest, await StatusAsync(("If-Match", "*")));
        Assert.Equal(HttpStatusCode.BadRequest, await StatusAsync(("If-Match", "no-quotes")));
        Assert.Equal(HttpStatusCode.NoContent, await StatusAsync(("If-Match", etag)));

        async Task<HttpStatusCode> StatusAsync((string Name, string Value) condition)
        {
            using HttpRequestMessage request = new(HttpMethod.Put, "objects/existing.bin") { Content = new ByteArrayContent([2]) };
            request.Headers.TryAddWithoutValidation(condition.Name, condition.Value);
            using HttpResponseMessage response = await proxy.Http.SendAsync(request).Within();
            return response.StatusCode;
        }
    }

    [Fact]
    public async Task Put_PieceOfAnObject_IsRefused()
    {
        using ByteArrayContent piece = new([1, 2, 3]);
        piece.Headers.ContentRange = new ContentRangeHeaderValue(10, 12, 20);

        using HttpResponseMessage response = await proxy.Http.PutAsync("objects/piece.bin", piece).Within();

        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        Assert.DoesNotContain(proxy.Server.Requests, request => request.Key == "piece.bin");
    }

    [Fact]
    public async Task Put_ClientDisconnects_LeavesNothing()
    {
        using (TcpClient connection = new())
        {
            await connection.ConnectAsync(proxy.Http.BaseAddress!.Host, proxy.Http.BaseAddress.Port).Within();
            NetworkStream stream = connection.GetStream();
            await stream.WriteAsync(Encoding.ASCII.GetBytes($"PUT /objects/aborted.bin HTTP/1.1\r\nHost: proxy\r\nTransfer-Encoding: chunked\r\n\r\n{Content.Length:x}\r\n")).Within();
            await stream.WriteAsync(Content).Within();
            await Deadline.Until(() => proxy.Server.Requests.Any(static request => request is { Operation: "CreateMultipartUpload", Key: "aborted.bin" }));
        }

        await Deadline.Until(() => proxy.Server.Requests.Any(static request => request is { Operation: "AbortMultipartUpload", Key: "aborted.bin" }));

        Assert.Equal(0, proxy.Server.Statistics.OpenMultipartUploads);
        Assert.Empty((await proxy.S3.ListObjectsV2Async(new ListObjectsV2Request { BucketName = Bucket, Prefix = "aborted.bin" }).Within()).S3Objects ?? []);
    }

    private Task<HttpResponseMessage> GetAsync(string key, params (string Name, string Value)[] headers) => GetAsync(key, "objects/", headers);

    private async Task<HttpResponseMessage> GetAsync(string key, string folder, params (string Name, string Value)[] headers)
    {
        using HttpRequestMessage request = new(HttpMethod.Get, folder + key);
        foreach ((string name, string value) in headers)
        {
            Assert.True(request.Headers.TryAddWithoutValidation(name, value));
        }

        return await proxy.Http.SendAsync(request).Within();
    }

    private async Task<string> PutAsync(string key, byte[] content)
    {
        using MemoryStream body = new(content);
        PutObjectRequest request = new() { BucketName = Bucket, Key = key, InputStream = body, ContentType = "video/x-test" };
        return (await proxy.S3.PutObjectAsync(request).Within()).ETag;
    }
}
