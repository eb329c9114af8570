using System.Buffers;
using System.Net;
using System.Text;
using Amazon.S3;
using Transfer.S3.Buffers;
using Transfer.S3.Tests.Infrastructure;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Wire;

/// <summary>Whatever a response teaches about the address of a bucket, no request is sent for another bucket or another key.</summary>
public sealed class RedirectedBucketTests
{
    private const string Bucket = "bucket";
    private const string Host = "store.example";

    /// <summary>Keys that begin with the name of the bucket, that contain segments with dots or escapes, or that are like the path of the bucket.</summary>
    private static readonly string[] Keys = ["key", "bucket", "bucket/photo", "bucket/bucket/photo", "a b/é%2F+", "a/../b", "/key", "other/key"];

    private static readonly int[] Statuses = [301, 302, 307, 308, 400];

    private static readonly string[] Operations = ["list", "versions", "uploads", "delete-batch", "head", "get", "put", "create", "part", "complete", "delete", "abort", "tags", "parts"];

    [Theory]
    [InlineData("https://store.example", true)]
    [InlineData("https://store.example", false)]
    [InlineData("https://store.example:9000/base", true)]
    [InlineData("https://store.example:9000/base", false)]
    [InlineData("https://bucket.example", true)]
    [InlineData("https://bucket.example", false)]
    public async Task AnyRedirect_RequestsNameTheSameBucketAndKey(string service, bool isPathStyle)
    {
        int count = 0;
        foreach (string operation in Operations)
        {
            foreach (string key in operation is "list" or "versions" or "uploads" or "delete-batch" ? [""] : operation is "head" or "put" ? Keys : Keys[..3])
            {
                foreach ((string Location, string Body) form in Forms(new Uri(service), key))
                {
                    int status = Statuses[count++ % Statuses.Length];
                    FakeHttp? http = null;
                    http = new FakeHttp(request => http!.Requests.Count == 1 ? Redirect(status, form.Location, form.Body) : Answer(request));
                    using FakeWires wires = new(NewS3(http, service, isPathStyle), TransferWire.Http);
                    IObjectWire wire = wires.For(Bucket);
                    string what = $"{operation} of '{key}' at {service}, status {status}, {form}";

                    await Record.ExceptionAsync(() => SendAsync(wire, operation, key).Within());
                    Assert.All(http.Requests, request => Assert.True(Means(request, service, key), $"{request.RequestUri} was sent for {what}"));

                    int before = http.Requests.Count;
                    await SendAsync(wire, "put", "bucket/photo").Within();
                    Assert.All(http.Requests.Skip(before), request => Assert.True(Means(request, service, "bucket/photo"), $"{request.RequestUri} was sent after {what}"));
                }
            }
        }
    }

    public static TheoryData<string, string, string> Learned => new()
    {
        { "list", "https://store.example:9001/", "https://store.example:9001/bucket/" },
        { "list", "https://store.example:9001/bucket", "https://store.example:9001/bucket/" },
        { "list", "https://store.example:9001/bucket/?list-type=2", "https://store.example:9001/bucket/" },
        { "uploads", "https://bucket.store.example/", "https://bucket.store.example/" },
        { "delete-batch", "https://eu.store.example", "https://eu.store.example/bucket/" },
        { "head", "https://bucket.store.example/key", "https://bucket.store.example/" },
        { "get", "//store.example:9001/bucket/key", "https://store.example:9001/bucket/" },
        { "put", "https://eu.store.example/bucket/key", "https://eu.store.example/bucket/" },
        { "create", "https://eu.store.example/bucket/key", "https://eu.store.example/bucket/" },
        { "delete", "https://eu.store.example/bucket/key", "https://eu.store.example/bucket/" },
        { "abort", "https://eu.store.example/bucket/key", "https://eu.store.example/bucket/" },
    };

    [Theory]
    [MemberData(nameof(Learned))]
    public async Task LastingRedirect_IsLearnedFromTheResponseOfAStore(string operation, string location, string expected)
    {
        FakeHttp http = new(request => request.RequestUri is { Port: 443, Host: Host } ? Redirect(301, location, string.Empty) : Answer(request));
        using FakeWires wires = new(NewS3(http, $"https://{Host}", isPathStyle: true), TransferWire.Http);

        await SendAsync(wires.For(Bucket), operation, "key").Within();
        await SendAsync(wires.For(Bucket), "put", "bucket/photo").Within();

        Assert.Equal(3, http.Requests.Count);
        Assert.Equal(expected + "bucket/photo", http.Requests.Last().RequestUri!.OriginalString);
    }

    [Theory]
    [InlineData(302)]
    [InlineData(307)]
    public async Task TemporaryRedirect_IsNotLearned(int status)
    {
        FakeHttp http = new(request => request.RequestUri!.Host == Host ? Redirect(status, "https://eu.store.example/bucket/key", string.Empty) : Answer(request));
        using FakeWires wires = new(NewS3(http, $"https://{Host}", isPathStyle: true), TransferWire.Http);

        await SendAsync(wires.For(Bucket), "put", "key").Within();
        await SendAsync(wires.For(Bucket), "put", "key").Within();

        Assert.Equal(4, http.Requests.Count);
    }

    /// <summary>Any server can respond with status 200. The next request is sent to the configured endpoint again.</summary>
    [Theory]
    [InlineData("list", "<ListAllMyBucketsResult/>", null)]
    [InlineData("list", "<html/>", "x-amz-request-id")]
    [InlineData("uploads", "", null)]
    [InlineData("delete-batch", "<ListAllMyBucketsResult/>", "x-amz-request-id")]
    [InlineData("create", "<html/>", null)]
    [InlineData("head", "", null)]
    [InlineData("get", "<html/>", null)]
    [InlineData("put", "", null)]
    [InlineData("put", "text/html", "ETag")]
    [InlineData("part", "", null)]
    [InlineData("delete", "", null)]
    [InlineData("abort", "", null)]
    public async Task ResponseOfAnotherServer_TeachesNothing(string operation, string body, string? header)
    {
        FakeHttp http = new(request => request.RequestUri!.Host == Host ? Redirect(301, "https://eu.store.example/", string.Empty) : AnswerOfOther(body, header));
        using FakeWires wires = new(NewS3(http, $"https://{Host}", isPathStyle: true), TransferWire.Http);

        await Record.ExceptionAsync(() => SendAsync(wires.For(Bucket), operation, "key").Within());
        int before = http.Requests.Count;
        await Record.ExceptionAsync(() => SendAsync(wires.For(Bucket), "head", "key").Within());

        Assert.Equal(Host, http.Requests.ElementAt(before).RequestUri!.Host);
    }

    [Fact]
    public async Task OtherAddress_ErrorNamesIt()
    {
        FakeHttp http = new(_ => Redirect(302, $"https://{Host}/login?next=x", string.Empty));
        using FakeWires wires = new(NewS3(http, $"https://{Host}", isPathStyle: true), TransferWire.Http);

        WireException e = await Assert.ThrowsAsync<WireException>(() => SendAsync(wires.For(Bucket), "head", "key").Within());

        Assert.EachEqual((FailureKind.Final, 1), (e.Kind, http.Requests.Count));
        Assert.Contains("redirects a request from https://store.example to an address at store.example that isn't that of the same bucket and key", e.Message, StringComparison.Ordinal);
    }

    private static IEnumerable<(string Location, string Body)> Forms(Uri service, string key)
    {
        string path = Uri.EscapeDataString(key).Replace("%2F", "/", StringComparison.Ordinal);
        string own = service.Host;
        foreach (string host in (string[])[own, own + ":9001", "eu." + own, $"{Bucket}.{own}", $"{Bucket}.eu.{own}", $"other.{own}", $"{Bucket}.elsewhere.example"])
        {
            foreach (string before in (string[])["", "/", $"/{Bucket}/", "/base/", $"/base/{Bucket}/", "/other/", $"/other/{Bucket}/", $"/{Bucket}/{Bucket}/"])
            {
                yield return ($"https://{host}{before}", "");
                yield return ($"https://{host}{before}{path}", "");
                yield return ($"//{host}{before}{path}?list-type=2", "");
            }

            yield return ("", $"<Code>PermanentRedirect</Code><Endpoint>{host}</Endpoint>");
            yield return ("", $"<Code>TemporaryRedirect</Code><Endpoint>{host}</Endpoint>");
            yield return ("", $"<Code>AuthorizationHeaderMalformed</Code><Endpoint>{host}</Endpoint><Region>eu-west-1</Region>");
        }

        foreach (string location in (string[])["/", $"/{Bucket}/", $"/{Bucket}/{path}", $"/{path}", $"/other/{path}", path, "?", "#", "../" + path, "::", "https:", "file:///etc/passwd", "https://[::1", new('a', 5000)])
        {
            yield return (location, "");
        }
    }

    /// <summary>Returns whether a store takes a request for one about the key in the bucket, or about the region of the bucket.</summary>
    private static bool Means(HttpRequestMessage request, string service, string key)
    {
        Uri uri = request.RequestUri!;
        string own = new Uri(service).Host;
        string path = Uri.UnescapeDataString(uri.AbsolutePath)[1..];

        // The path of the configured URL is that of a proxy, which removes it.
        path = service.EndsWith("/base", StringComparison.Ordinal) && path.StartsWith("base/", StringComparison.Ordinal) ? path["base/".Length..] : path;
        bool isInHost = uri.Host.StartsWith(Bucket + ".", StringComparison.Ordinal) && uri.Host != own;
        Assert.True(uri.Host == own || uri.Host.EndsWith("." + own, StringComparison.Ordinal));
        bool isOfRegion = request.Method == HttpMethod.Head || uri.Query.Contains("location", StringComparison.Ordinal);
        return isInHost ? path == key || (path.Length == 0 && isOfRegion) : path == $"{Bucket}/{key}" || (path == $"{Bucket}/" && isOfRegion);
    }

    private static async Task SendAsync(IObjectWire wire, string operation, string key)
    {
        ObjectAddress address = new(Bucket, key);
        NewObject target = new(address, ChecksumAlgorithm.None, default, new ObjectHeaders());
        RequestBody body = new(new SequenceBytes(new ReadOnlySequence<byte>(new byte[10])), null);
        switch (operation)
        {
            case "list": await wire.ListAsync(new ListQuery(Bucket, string.Empty, ReadAccess.Plain), null, default); break;
            case "versions": await wire.ListAsync(new ListQuery(Bucket, string.Empty, ReadAccess.Plain) { Versions = true }, null, default); break;
            case "uploads": await wire.ListUploadsAsync(Bucket, string.Empty, null, default); break;
            case "delete-batch": await wire.DeleteObjectsAsync(Bucket, [new ObjectDeletion("k")], ReadAccess.Plain, default); break;
            case "head": await wire.HeadAsync(address, default); break;
            case "get": (await wire.GetRangeAsync(address, new RequestedRange(0, 10), ReadCondition.None, wantChecksum: false, default)).Dispose(); break;
            case "put": await wire.PutObjectAsync(target, body, default); break;
            case "create": await wire.CreateMultipartUploadAsync(target, default); break;
            case "part": await wire.UploadPartAsync(target, "u", 1, body, default); break;
            case "complete": await wire.CompleteMultipartUploadAsync(target, "u", [new UploadedPart(1, "\"e\"", null, default)], null, 10, default); break;
            case "delete": await wire.DeleteObjectAsync(address, null, default); break;
            case "abort": await wire.AbortMultipartUploadAsync(address, "u", default); break;
            case "tags": await wire.GetTagsAsync(address, default); break;
            default: await wire.ListPartsAsync(address, "u", null, default); break;
        }
    }

    private static HttpResponseMessage Redirect(int status, string location, string body) => FakeHttp.Answer(
        (HttpStatusCode)status, body.Length == 0 ? string.Empty : $"<Error>{body}</Error>", headers: location.Length == 0 ? [] : [("Location", location)]);

    /// <summary>Responds as a store does. At the address of the service itself, this is the list of the buckets.</summary>
    private static HttpResponseMessage Answer(HttpRequestMessage request)
    {
        string query = request.RequestUri!.Query;
        string? document = query.Contains("list-type", StringComparison.Ordinal) ? "ListBucketResult"
            : query.Contains("versions", StringComparison.Ordinal) ? "ListVersionsResult"
            : query.Contains("uploads", StringComparison.Ordinal) && request.Method == HttpMethod.Get ? "ListMultipartUploadsResult"
            : query.Contains("delete", StringComparison.Ordinal) ? "DeleteResult"
            : query.Contains("tagging", StringComparison.Ordinal) ? "Tagging"
            : query.Contains("uploads", StringComparison.Ordinal) ? "InitiateMultipartUploadResult"
            : query.Contains("uploadId", StringComparison.Ordinal) && request.Method == HttpMethod.Get ? "ListPartsResult"
            : query.Contains("uploadId", StringComparison.Ordinal) && request.Method == HttpMethod.Post ? "CompleteMultipartUploadResult"
            : null;
        return document is not null ? FakeHttp.Answer(HttpStatusCode.OK, $"<{document}><UploadId>u</UploadId><ETag>\"e\"</ETag></{document}>")
            : request.Method == HttpMethod.Get && FakeHttp.Header(request, "Range") is not null ? FakeHttp.Range(request, new byte[10])
            : FakeHttp.Answer(HttpStatusCode.OK, new byte[request.Method == HttpMethod.Head ? 10 : 0], headers: ("ETag", "\"e\""));
    }

    private static HttpResponseMessage AnswerOfOther(string body, string? header)
    {
        HttpResponseMessage response = new(HttpStatusCode.OK) { Content = new StringContent(body, Encoding.UTF8, body == "text/html" ? "text/html" : "application/xml") };
        if (header is not null)
        {
            response.Headers.TryAddWithoutValidation(header, "\"x\"");
        }

        return response;
    }

    private static AmazonS3Client NewS3(FakeHttp http, string service, bool isPathStyle) => http.NewS3(config =>
    {
        config.ServiceURL = service;
        config.ForcePathStyle = isPathStyle;
        config.AuthenticationRegion = "us-east-1";
    });
}
