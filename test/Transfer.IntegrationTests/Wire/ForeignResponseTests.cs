using Amazon.S3;
using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Wire;

/// <summary>Responses with status 200 of something that isn't a store, such as the login page of a proxy. They never count as success.</summary>
[LongRunning]
public sealed class ForeignResponseTests : UploadTest
{
    private const string Page = "<html><body><form>Log in</form></body></html>";

    /// <summary>Responses in place of the store's: a page, a page with an ETag, a page that isn't XML, an empty response, and another document.</summary>
    private static readonly ScriptedAnswer[] Pages =
    [
        ScriptedAnswer.Text("HTTP/1.1 200 OK\r\nContent-Type: text/html", Page),
        ScriptedAnswer.Text("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nETag: \"page\"", Page),
        ScriptedAnswer.Text("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8", "<!DOCTYPE html><html><br>"),
        ScriptedAnswer.Text("HTTP/1.1 200 OK", string.Empty),
        ScriptedAnswer.Text("HTTP/1.1 200 OK\r\nContent-Type: application/xml", "<Result><State>done</State></Result>"),
    ];

    /// <summary>The SDK's responses don't contain the content type that would show a page with an ETag.</summary>
    public static TheoryData<TransferWire, int> WiresAndPages => new()
    {
        { TransferWire.Http, 0 },
        { TransferWire.Http, 1 },
        { TransferWire.Http, 2 },
        { TransferWire.Http, 3 },
        { TransferWire.Http, 4 },
        { TransferWire.Sdk, 0 },
        { TransferWire.Sdk, 2 },
        { TransferWire.Sdk, 3 },
        { TransferWire.Sdk, 4 },
    };

    [Theory]
    [MemberData(nameof(WiresAndPages))]
    public async Task Put_IsNotPublished(TransferWire wire, int page)
    {
        TinyStore store = new() { Instead = request => request.Method == "PUT" ? Pages[page] : null };
        await using ScriptedServer server = new(store.Answer);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => UploadAsync(server, Small, wire: wire, attempts: 2));

        Assert.Contains("not that of an S3 store", e.Message, StringComparison.Ordinal);
        Assert.Single(server.Requests, request => request.Method == "HEAD");
    }

    /// <summary>Some servers send the header with which other services of AWS name a request, and the content type of a page with an empty response.</summary>
    [Theory]
    [InlineData("x-amz-request-id")]
    [InlineData("x-amzn-RequestId")]
    public async Task Put_EmptyResponseWithTheIdOfARequest_IsThatOfAStore(string header)
    {
        TinyStore store = new()
        {
            Afterwards = (request, answer) => request.Method == "PUT"
                ? ScriptedAnswer.Of($"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nETag: \"e\"\r\n{header}: 1\r\nContent-Length: 0")
                : answer,
        };
        await using ScriptedServer server = new(store.Answer);

        UploadResult result = await UploadAsync(server, Small);

        Assert.Equal("\"e\"", result.ETag);
        Assert.Single(server.Requests);
    }

    /// <summary>A proxy can respond with status 412 too. That shows that the key exists only if a lookup finds it.</summary>
    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task PreconditionFailedOfAProxy_CountsOnlyIfTheKeyExists(bool inParts, bool exists)
    {
        ScriptedAnswer ofProxy = ScriptedAnswer.Text("HTTP/1.1 412 No\r\nContent-Type: text/html", Page);
        bool isSent = false;
        TinyStore store = new();
        store.Instead = request =>
        {
            bool isWrite = request.Header("If-None-Match") is not null;
            isSent |= isWrite;
            return isWrite ? ofProxy : request.Method == "HEAD" && isSent && exists ? ScriptedAnswer.Of("HTTP/1.1 200 OK\r\nETag: \"e\"\r\nContent-Length: 1") : null;
        };
        await using ScriptedServer server = new(store.Answer);

        TransferException e = await Assert.ThrowsAnyAsync<TransferException>(() => UploadAsync(server, inParts ? Large : Small, new UploadOptions { Overwrite = false }, attempts: 2));

        Assert.EachEqual((exists, true), (e is TransferException { Error: TransferError.PreconditionFailed }, isSent));
    }

    [Theory]
    [MemberData(nameof(WiresAndPages))]
    public async Task Put_IsPublishedNevertheless_IsFound(TransferWire wire, int page)
    {
        TinyStore store = new() { Afterwards = (request, answer) => request.Method == "PUT" ? Pages[page] : answer };
        await using ScriptedServer server = new(store.Answer);

        UploadResult result = await UploadAsync(server, Small, wire: wire);

        Assert.True(result.Verdict.IsVerified);
        Assert.NotNull(result.ETag);
    }

    [Theory]
    [MemberData(nameof(WiresAndPages))]
    public async Task Complete_IsNotPublished_FailsAndAborts(TransferWire wire, int page)
    {
        TinyStore store = new() { Instead = request => TinyStore.IsComplete(request) ? Pages[page] : null };
        await using ScriptedServer server = new(store.Answer);

        await Assert.ThrowsAsync<TransferException>(() => UploadAsync(server, Large, wire: wire));

        Assert.Single(server.Requests, request => request.Method == "HEAD");
        Assert.EachEqual((null, false), (store.Content, store.HasOpenUpload));
    }

    [Theory]
    [MemberData(nameof(WiresAndPages))]
    public async Task Complete_IsPublishedNevertheless_IsFound(TransferWire wire, int page)
    {
        TinyStore store = new() { Afterwards = (request, answer) => TinyStore.IsComplete(request) ? Pages[page] : answer };
        await using ScriptedServer server = new(store.Answer);

        Assert.True((await UploadAsync(server, Large, wire: wire)).Verdict.IsVerified);
    }

    /// <summary>Neither the response nor the lookup comes from the store, so the parts may be the only copy of the data.</summary>
    [Theory]
    [MemberData(nameof(Wires))]
    public async Task CompleteAndLookup_UploadIsKept(TransferWire wire)
    {
        TinyStore store = new() { Instead = request => TinyStore.IsComplete(request) || request.Method == "HEAD" ? Pages[0] : null };
        await using ScriptedServer server = new(store.Answer);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => UploadAsync(server, Large, wire: wire));

        Assert.True(store.HasOpenUpload);
        Assert.DoesNotContain(server.Requests, request => request.Method == "DELETE");
        Assert.Contains($"multipart upload {TinyStore.UploadId}", e.CleanupError?.Message, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Complete_OfAResumableUpload_KeepsTheJournal(TransferWire wire)
    {
        TinyStore store = new() { Instead = request => TinyStore.IsComplete(request) ? Pages[0] : null };
        await using ScriptedServer server = new(store.Answer);
        using TemporaryFolder folder = new();
        string file = Path.Combine(folder.Path, "file");
        await File.WriteAllBytesAsync(file, Large);
        using AmazonS3Client s3 = S3(server.Url);
        await using TransferClient client = new(s3, new TransferClientOptions
        {
            Advanced = { Wire = wire },
            MaxAttempts = 1,
            UploadPartSizeBytes = Part,
            MultipartThresholdBytes = Part,
            StateDirectory = Path.Combine(folder.Path, "state"),
        });
        UploadOptions options = new();

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.UploadAsync(file, Bucket, Key, options).Within());
        Assert.EachEqual((Large.Length, true), ((int)e.BytesKept, store.HasOpenUpload));

        store.Instead = request => request.Method == "GET" ? ScriptedAnswer.Error(403, "AccessDenied") : null;
        UploadResult result = await client.UploadAsync(file, Bucket, Key, options).Within();

        Assert.Equal(Large, store.Content);
        Assert.True(result.Statistics.BytesResumed > 0);
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Part_WithoutETag_FailsAtOnceAndAborts(TransferWire wire)
    {
        TinyStore store = new() { Afterwards = (request, answer) => TinyStore.IsPart(request) ? ScriptedAnswer.Text("HTTP/1.1 200 OK\r\nx-amz-request-id: R1", string.Empty) : answer };
        await using ScriptedServer server = new(store.Answer);

        TransferException e = await Assert.ThrowsAsync<TransferException>(
            () => UploadAsync(server, Large, new UploadOptions { MaxConcurrency = 1 }, wire, attempts: 3));

        Assert.Contains("the store returned no ETag for part 1", e.Message, StringComparison.Ordinal);
        Assert.Single(server.Requests, TinyStore.IsPart);
        Assert.False(store.HasOpenUpload);
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Part_PageOfAProxy_IsSentAgain(TransferWire wire)
    {
        int pages = 0;
        TinyStore store = new() { Instead = request => TinyStore.IsPart(request) && Interlocked.Increment(ref pages) <= 1 ? Pages[0] : null };
        await using ScriptedServer server = new(store.Answer);

        await UploadAsync(server, Large, wire: wire, attempts: 2);

        Assert.Equal(Large, store.Content);
    }

    /// <summary>Each creation leaves an upload, so that a response of the store that can't be read isn't a reason to create more of them.</summary>
    [Theory]
    [InlineData(TransferWire.Http, "<InitiateMultipartUploadResult><UploadId>")]
    [InlineData(TransferWire.Http, "<Other><UploadId>u</UploadId></Other>")]
    [InlineData(TransferWire.Http, "<InitiateMultipartUploadResult/>")]
    [InlineData(TransferWire.Sdk, "<InitiateMultipartUploadResult/>")]
    public async Task Create_CannotBeRead_IsNotRepeated(TransferWire wire, string body)
    {
        TinyStore store = new() { Afterwards = (request, answer) => TinyStore.IsCreate(request) ? ScriptedAnswer.Text("HTTP/1.1 200 OK\r\nx-amz-request-id: R1", body) : answer };
        await using ScriptedServer server = new(store.Answer);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => UploadAsync(server, Large, wire: wire, attempts: 3));

        Assert.Single(server.Requests, TinyStore.IsCreate);
        Assert.Contains("created a multipart upload", e.Message, StringComparison.Ordinal);
        Assert.Contains("open upload", e.CleanupError?.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task Read_EmptyResponseOfNoStore_IsNotAnEmptyObject(TransferWire wire)
    {
        await using ScriptedServer server = new(_ => ScriptedAnswer.Text("HTTP/1.1 200 OK", string.Empty));
        using AmazonS3Client s3 = S3(server.Url);
        await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = wire }, MaxAttempts = 3 });

        TransferException get = await Assert.ThrowsAsync<TransferException>(() => client.DownloadAsync(Bucket, Key, Stream.Null).Within());
        TransferException head = await Assert.ThrowsAsync<TransferException>(() => client.GetInfoAsync(Bucket, Key).Within());

        Assert.All([get, head], e => Assert.Contains("is it an S3 endpoint?", e.Message, StringComparison.Ordinal));
        Assert.Equal(4, server.Requests.Count); // each is repeated once
    }

    [Fact]
    public async Task Read_PageOfAProxyInTheMiddle_IsRepeated()
    {
        byte[] content = Sample.Bytes(200_000);
        int answers = 0;
        await using ScriptedServer server = new(request => Interlocked.Increment(ref answers) == 2 ? Pages[0] : ScriptedAnswer.Range(request, content));

        Assert.Equal(content, await ReadAsync(server, attempts: 2));
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task Precondition_OfARequestWithoutACondition_SaysNothingAboutTheTarget(TransferWire wire)
    {
        TinyStore store = new() { Instead = request => request.Method == "PUT" || TinyStore.IsCreate(request) ? ScriptedAnswer.Error(412, "PreconditionFailed") : null };
        await using ScriptedServer server = new(store.Answer);

        Assert.IsNotError(TransferError.PreconditionFailed, await Assert.ThrowsAnyAsync<TransferException>(() => UploadAsync(server, Small, wire: wire)));
        Assert.IsNotError(TransferError.PreconditionFailed,
            await Assert.ThrowsAnyAsync<TransferException>(() => UploadAsync(server, Large, new UploadOptions { Overwrite = false }, wire)));
    }

    [Fact]
    public async Task Precondition_AfterTheConditionWasRejected_SaysNothingAboutTheTarget()
    {
        TinyStore store = new()
        {
            Instead = request => request.Method != "PUT" ? null : ScriptedAnswer.Error(request.Header("If-None-Match") is null ? 412 : 501, request.Header("If-None-Match") is null ? "PreconditionFailed" : "NotImplemented"),
        };
        await using ScriptedServer server = new(store.Answer);

        Assert.IsNotError(TransferError.PreconditionFailed,
            await Assert.ThrowsAnyAsync<TransferException>(() => UploadAsync(server, Small, new UploadOptions { Overwrite = false })));
    }
}
