using System.Buffers;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.Buffers;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;
using Transfer.S3.Wire;

namespace Transfer.S3.IntegrationTests.Wire;

/// <summary>A bucket at another endpoint. The real endpoint is a server that checks every signature.</summary>
public class RedirectTests : WireTest
{
    private static readonly byte[] Content = Sample.Bytes(300_000);

    [Fact]
    public async Task OtherRegion_IsDetectedOnceAndUsedForSignatures()
    {
        await using EmbeddedS3Server store = await StartAsync("eu-west-1");
        using AmazonS3Client s3 = S3(store.Endpoint.ToString());
        await using TransferClient client = Client(s3);

        await client.UploadAsync(new ReadOnlySequence<byte>(Content), Bucket, Key).Within();
        byte[] read = await ReadAsync(client);

        Assert.Equal(Content, read);
        Assert.Equal(1, store.Requests.Count(request => request is { StatusCode: 400, Operation: "PutObject" or "GetObject" }));
    }

    /// <summary>The server tells its region only in the bodies of errors, so the error of a HEAD request doesn't contain it.</summary>
    [Theory]
    [InlineData("buckets")]
    [InlineData("objects")]
    [InlineData("uploads")]
    [InlineData("info")]
    [InlineData("tags")]
    [InlineData("read")]
    [InlineData("write")]
    [InlineData("copy")]
    [InlineData("delete")]
    public async Task OtherRegion_EveryFirstRequestSucceeds(string request)
    {
        await using EmbeddedS3Server store = await StartAsync("eu-west-1");
        using AmazonS3Client right = S3(store.Endpoint.ToString(), config => config.AuthenticationRegion = "eu-west-1");
        await right.PutObjectAsync(new PutObjectRequest { BucketName = Bucket, Key = Key, ContentBody = "content" });
        using AmazonS3Client s3 = S3(store.Endpoint.ToString());
        await using TransferClient client = Client(s3);

        await (request switch
        {
            "buckets" => CountAsync(client.ListBucketsAsync(), 1),
            "objects" => CountAsync(client.ListObjectsAsync(Bucket, string.Empty), 1),
            "uploads" => CountAsync(client.ListUploadsAsync(Bucket, string.Empty), 0),
            "info" => client.GetInfoAsync(Bucket, Key),
            "tags" => client.GetTagsAsync(Bucket, Key),
            "read" => ReadAsync(client),
            "write" => client.UploadAsync(new ReadOnlySequence<byte>(Content), Bucket, Key),
            "copy" => client.CopyAsync(new(Bucket, Key), new(Bucket, "copy")),
            _ => client.DeleteAsync(Bucket, Key),
        }).Within();
    }

    private static async Task CountAsync<T>(IAsyncEnumerable<T> items, int expected) => Assert.Equal(expected, await items.CountAsync());

    [Theory]
    [InlineData(301, "Location: http://{0}/bucket/a%20folder/key", "")]
    [InlineData(308, "Location: http://{0}/bucket/a%20folder/key", "")]
    [InlineData(307, "Location: http://{0}/", "<Code>TemporaryRedirect</Code>")]
    [InlineData(301, "x-amz-bucket-region: eu-west-1", "<Code>PermanentRedirect</Code><Endpoint>{0}</Endpoint>")]
    [InlineData(301, "x-amz-id-2: i", "<Code>PermanentRedirect</Code><Endpoint>{0}</Endpoint><Region>eu-west-1</Region>")]
    public async Task Moved_IsFollowedWithANewSignature(int status, string header, string error)
    {
        string region = (header + error).Contains("eu-west-1") ? "eu-west-1" : "us-east-1";
        await using EmbeddedS3Server store = await StartAsync(region);
        await using ScriptedServer sign = new(_ => Moved(status, header, error, store.Endpoint.Authority));
        using AmazonS3Client s3 = S3(sign.Url);
        await using TransferClient client = Client(s3);

        UploadResult up = await client.UploadAsync(new ReadOnlySequence<byte>(Content[..1000]), Bucket, Key).Within();
        byte[] read = await ReadAsync(client);

        Assert.Equal(Content[..1000], read);
        Assert.True(up.Verdict.IsVerified);
        Assert.Equal(status == 307 ? 2 : 1, sign.Requests.Count); // a temporary redirect applies to one request
    }

    [Fact]
    public async Task Moved_PartIsSentAgainFromItsFirstByte()
    {
        await using EmbeddedS3Server store = await StartAsync("us-east-1");
        await using ScriptedServer sign = new(request => Moved(307, $"Location: http://{{0}}{request.Target}", string.Empty, store.Endpoint.Authority));
        using AmazonS3Client direct = S3(store.Endpoint.ToString());
        using AmazonS3Client s3 = S3(sign.Url);
        using WireRouter wires = WireSelection.Create(s3, WireSettings.Default with { Wire = TransferWire.Http });
        string id = (await direct.InitiateMultipartUploadAsync(new InitiateMultipartUploadRequest { BucketName = Bucket, Key = Key })).UploadId;
        NewObject target = new(new ObjectAddress(Bucket, Key), ChecksumAlgorithm.Crc64Nvme, default, new ObjectHeaders());

        UploadedPart part = await wires.For(Bucket).UploadPartAsync(target, id, 1, new RequestBody(new SequenceBytes(new ReadOnlySequence<byte>(Content)), null), CancellationToken.None).Within();

        Assert.Equal(Sample.ETag(Content), part.ETag);
        Assert.Equal(Content, sign.Requests.Single().Body);
    }

    [Fact]
    public async Task RedirectLoop_ErrorNamesTheEndpoints()
    {
        ScriptedServer? second = null;
        await using ScriptedServer first = new(_ => Moved(307, $"Location: {second!.Url}/", string.Empty, string.Empty));
        second = new ScriptedServer(_ => Moved(307, $"Location: {first.Url}/", string.Empty, string.Empty));

        TransferException e = await FailAsync(first);

        await second.DisposeAsync();
        Assert.Contains("redirects in a loop, or too often", e.Message, StringComparison.Ordinal);
        Assert.Contains($"{first.Url} (us-east-1) → {second.Url} (us-east-1) → {first.Url}", e.Message, StringComparison.Ordinal);
        Assert.EachEqual((1, 1), (first.Requests.Count, second.Requests.Count));
    }

    [Fact]
    public async Task EndlessRedirects_EndAfterAFew()
    {
        int hop = 0;
        await using ScriptedServer server = new(_ => Moved(301, $"x-amz-bucket-region: region-{++hop}", string.Empty, string.Empty));

        TransferException e = await FailAsync(server);

        Assert.Contains("redirects in a loop, or too often", e.Message, StringComparison.Ordinal);
        Assert.Equal(5, server.Requests.Count);
    }

    [Fact]
    public async Task FromHttpsToHttp_IsRejected()
    {
        using System.Security.Cryptography.X509Certificates.X509Certificate2 certificate = TestCertificate.Create();
        await using ScriptedServer plain = new(request => ScriptedAnswer.Range(request, Content));
        await using ScriptedServer tls = new(_ => Moved(307, $"Location: {plain.Url}/", string.Empty, string.Empty), certificate);
        using AmazonS3Client s3 = S3(tls.Url, config => config.HttpClientFactory = new TrustingHttpClientFactory(certificate));
        await using TransferClient client = Client(s3);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => ReadAsync(client));

        Assert.Contains("redirects from HTTPS to HTTP are not followed", e.Message, StringComparison.Ordinal);
        Assert.Empty(plain.Requests);
    }

    [Theory]
    [InlineData(301, "Location: http://{0}/bucket/a%20folder/key", "")]
    [InlineData(302, "Location: http://{0}/", "")]
    [InlineData(307, "Location: http://{0}/bucket/a%20folder/key", "<Code>TemporaryRedirect</Code>")]
    [InlineData(308, "Location: http://user@{0}/", "")]
    [InlineData(301, "x-amz-bucket-region: eu-west-1", "<Code>PermanentRedirect</Code><Endpoint>{0}</Endpoint>")]
    [InlineData(400, "x-amz-id-2: i", "<Code>AuthorizationHeaderMalformed</Code><Endpoint>{0}</Endpoint>")]
    public async Task ToAnotherHost_IsRejectedWithoutARequestToIt(int status, string header, string error)
    {
        await using ScriptedServer stranger = new(request => ScriptedAnswer.Range(request, Content));
        string place = stranger.Authority.Replace("127.0.0.1", "localhost", StringComparison.Ordinal); // the same machine with a name that is not that of the store
        await using ScriptedServer store = new(_ => Moved(status, header, error, place));
        using AmazonS3Client s3 = S3(store.Url, credentials: new Amazon.Runtime.SessionAWSCredentials("transfer", "transfer-secret", "a-session-token"));
        await using TransferClient client = Client(s3, attempts: 3);

        TransferException down = await Assert.ThrowsAsync<TransferException>(() => ReadAsync(client));
        TransferException up = await Assert.ThrowsAsync<TransferException>(() => client.UploadAsync(new ReadOnlySequence<byte>(Content), Bucket, Key).Within());

        Assert.All([down, up], e => Assert.Contains($"redirects a request to http://{place}, which is not one of its hosts", e.Message, StringComparison.Ordinal));
        Assert.EachEqual((0, 0), (stranger.Connections, stranger.Requests.Count));
        Assert.Equal(2, store.Requests.Count);
    }

    [Fact]
    public async Task ToAnotherHost_OverTheSdk_IsRejected()
    {
        await using ScriptedServer stranger = new(request => ScriptedAnswer.Range(request, Content));
        string place = stranger.Authority.Replace("127.0.0.1", "localhost", StringComparison.Ordinal);
        await using ScriptedServer store = new(request => Moved(307, $"Location: http://{place}{request.Target}", string.Empty, place));
        using AmazonS3Client s3 = S3(store.Url, credentials: new Amazon.Runtime.SessionAWSCredentials("transfer", "transfer-secret", "a-session-token"));
        await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = TransferWire.Sdk }, MaxAttempts = 1 });

        await Assert.ThrowsAsync<TransferException>(() => ReadAsync(client));

        Assert.EachEqual((1, 0), (store.Requests.Count, stranger.Connections));
    }

    [Fact]
    public async Task LearnedEndpoint_NoLongerResponds_IsForgotten()
    {
        ScriptedServer second = new(request => ScriptedAnswer.Range(request, Content));
        await using ScriptedServer first = new(
            request => second.Requests.Count == 0 ? Moved(301, $"Location: {second.Url}/", string.Empty, string.Empty) : ScriptedAnswer.Range(request, Content));
        using AmazonS3Client s3 = S3(first.Url);
        await using TransferClient client = Client(s3, attempts: 2);
        await ReadAsync(client);
        await second.DisposeAsync();

        Assert.Equal(Content, await ReadAsync(client));
    }

    [Fact]
    public async Task RedirectWithoutALocation_TheRegionIsRequested()
    {
        await using ScriptedServer sign = new(request => request is { Method: "HEAD", Target: "/bucket/" }
            ? ScriptedAnswer.Of("HTTP/1.1 301 Moved\r\nx-amz-bucket-region: eu-west-1\r\nContent-Length: 0")
            : !request.Header("Authorization")!.Contains("eu-west-1", StringComparison.Ordinal) ? ScriptedAnswer.Error(301, "PermanentRedirect")
            : request.Method == "HEAD" ? ScriptedAnswer.Of($"HTTP/1.1 200 OK\r\nETag: \"e\"\r\nContent-Length: {Content.Length}")
            : ScriptedAnswer.Range(request, Content));

        byte[] read = await ReadAsync(sign);

        Assert.Equal(Content, read);
        Assert.Single(sign.Requests, request => request is { Method: "HEAD", Target: "/bucket/" });
    }

    private static ScriptedAnswer Moved(int status, string header, string error, string place)
        => ScriptedAnswer.Text($"HTTP/1.1 {status} Moved\r\nx-amz-request-id: R1\r\n{header.Replace("{0}", place)}", $"<Error>{error.Replace("{0}", place)}</Error>");

    private static async Task<EmbeddedS3Server> StartAsync(string region)
        => await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Region = region, Buckets = [Bucket] });
}
