using System.IO.Compression;
using System.Net;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Amazon.Runtime;
using Amazon.S3;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Wire;

/// <summary>The connection settings of the SDK client's configuration also apply to the library's own connections.</summary>
public class TransportTests : WireTest
{
    private static readonly byte[] Content = Sample.Bytes(200_000);

    [Theory]
    [InlineData(null)]
    [InlineData("name:password")]
    public async Task Proxy_OfTheConfiguration_ForwardsEveryRequest(string? login)
    {
        await using TinyProxy proxy = new(login);
        await using ScriptedServer server = new(Answer);
        using AmazonS3Client s3 = S3(server.Url, config => Use(config, proxy, login));
        await using TransferClient client = Client(s3);

        Assert.Equal(Content, await ReadAsync(client));
        Assert.Contains($"GET {server.Url}/bucket/a%20folder/key HTTP/1.1", proxy.Lines);
        Assert.Equal(server.Connections, proxy.Lines.Count); // nothing bypassed the proxy
        Assert.All(server.Requests, request => Assert.Equal(server.Authority, request.Header("Host"))); // the host of the store is signed, not that of the proxy
    }

    [Fact]
    public async Task Proxy_WithTls_UsesATunnel()
    {
        using X509Certificate2 certificate = TestCertificate.Create();
        await using TinyProxy proxy = new();
        await using ScriptedServer server = new(Answer, certificate);
        using AmazonS3Client s3 = S3(server.Url, config =>
        {
            Use(config, proxy, null);
            config.HttpClientFactory = new TrustingHttpClientFactory(certificate);
        });
        await using TransferClient client = Client(s3);

        Assert.Equal(Content, await ReadAsync(client));
        Assert.All(proxy.Lines, line => Assert.Equal($"CONNECT {server.Authority} HTTP/1.1", line));
        Assert.NotEmpty(proxy.Lines);
    }

    [Fact]
    public async Task Proxy_RejectsTheLogin_ErrorNamesItsStatus()
    {
        await using TinyProxy proxy = new("name:password");
        await using ScriptedServer server = new(Answer);
        using AmazonS3Client s3 = S3(server.Url, config => Use(config, proxy, "name:wrong"));
        await using TransferClient client = Client(s3);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => ReadAsync(client));

        Assert.Contains("407", e.Message, StringComparison.Ordinal);
        Assert.Empty(server.Requests);
    }

    [Fact]
    public async Task Factory_OfTheUser_DeterminesTrustedCertificates()
    {
        using X509Certificate2 certificate = TestCertificate.Create();
        await using EmbeddedS3Server store = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Certificate = certificate, Buckets = [Bucket] });
        using AmazonS3Client s3 = S3(store.Endpoint.ToString(), config => config.HttpClientFactory = new TrustingHttpClientFactory(certificate));
        await using TransferClient client = Client(s3);

        await client.UploadAsync(new MemoryStream(Content), Bucket, Key).Within();

        Assert.Equal(Content, await ReadAsync(client));
    }

    [Fact]
    public async Task Certificate_Untrusted_ThrowsImmediately()
    {
        using X509Certificate2 certificate = TestCertificate.Create();
        await using ScriptedServer server = new(Answer, certificate);

        TransferException e = await FailAsync(server, attempts: 3);

        Assert.Contains("could not establish a TLS connection", e.Message, StringComparison.Ordinal);
        Assert.EachEqual((1, 0), (e.Attempts, server.Requests.Count));
    }

    [Fact]
    public async Task Name_SomeAddressesDoNotRespond_UsesTheOneThatDoes()
    {
        // On most machines, localhost is also ::1, but the server listens only at 127.0.0.1.
        await using ScriptedServer server = new(Answer);
        using AmazonS3Client s3 = S3(server.Url.Replace("127.0.0.1", "localhost", StringComparison.Ordinal));
        await using TransferClient client = Client(s3);

        Assert.Equal(Content, await ReadAsync(client));
    }

    [Fact]
    public async Task Connections_AreReused()
    {
        await using ScriptedServer server = new(Answer);
        using AmazonS3Client s3 = S3(server.Url);
        await using TransferClient client = Client(s3);
        for (int i = 0; i < 10; i++)
        {
            await client.DownloadAsync(Bucket, Key, Stream.Null, new DownloadOptions { Verify = false }).Within();
        }

        Assert.InRange(server.Connections, 1, 4); // one for each slot
    }

    [Theory]
    [InlineData("gzip", false, TransferWire.Http)]
    [InlineData("gzip", true, TransferWire.Http)]
    [InlineData("", true, TransferWire.Http)]
    [InlineData("gzip", false, TransferWire.Sdk)]
    [InlineData("gzip", true, TransferWire.Sdk)]
    public async Task DecompressingHandler_NeverReturnsWrongBytes(string encoding, bool isChunked, TransferWire wire)
    {
        using MemoryStream packed = new();
        using (GZipStream zip = new(packed, CompressionLevel.Fastest, leaveOpen: true))
        {
            zip.Write(new byte[Content.Length]);
        }

        await using ScriptedServer server = new(request => Packed(request, packed.ToArray(), encoding, isChunked));
        using AmazonS3Client s3 = S3(server.Url, config => config.HttpClientFactory = new DecompressingFactory());
        await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = wire }, MaxAttempts = 1 });

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => ReadAsync(client));

        Assert.Contains("AutomaticDecompression", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task DecompressingHandler_UncompressedObject_IsRead(TransferWire wire)
    {
        await using ScriptedServer server = new(Answer);
        using AmazonS3Client s3 = S3(server.Url, config => config.HttpClientFactory = new DecompressingFactory());
        await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = wire }, MaxAttempts = 1 });

        Assert.Equal(Content, await ReadAsync(client));
    }

    [Fact]
    public async Task DecompressingHandler_HeadersOfACompressedObject_ErrorSaysWhatIsWrong()
    {
        await using ScriptedServer server = new(_ => ScriptedAnswer.Of("HTTP/1.1 200 OK\r\nx-amz-request-id: R1\r\nETag: \"e\"\r\nContent-Encoding: gzip\r\nContent-Length: 12345"));
        using AmazonS3Client s3 = S3(server.Url, config => config.HttpClientFactory = new DecompressingFactory());
        await using TransferClient client = Client(s3);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.GetInfoAsync(Bucket, Key).Within());

        Assert.Contains("AutomaticDecompression", e.Message, StringComparison.Ordinal);
    }

    private static ScriptedAnswer Packed(ScriptedRequest request, byte[] content, string encoding, bool isChunked)
    {
        if (request.RangeStart is not { } start)
        {
            return ScriptedAnswer.Error(404, "NoSuchKey");
        }

        byte[] bytes = content[start..(Math.Min(request.RangeEnd!.Value, content.Length - 1) + 1)];
        string head = $"HTTP/1.1 206 Partial Content\r\nETag: \"e\"\r\nContent-Range: bytes {start}-{start + bytes.Length - 1}/{content.Length}"
            + (encoding.Length > 0 ? $"\r\nContent-Encoding: {encoding}" : string.Empty);
        return isChunked
            ? ScriptedAnswer.Of($"{head}\r\nTransfer-Encoding: chunked", [.. Encoding.ASCII.GetBytes($"{bytes.Length:x}\r\n"), .. bytes, .. "\r\n0\r\n\r\n"u8])
            : ScriptedAnswer.Of($"{head}\r\nContent-Length: {bytes.Length}", bytes);
    }

    private static void Use(AmazonS3Config config, TinyProxy proxy, string? login)
    {
        config.ProxyHost = "127.0.0.1";
        config.ProxyPort = proxy.Port;
        if (login is not null)
        {
            config.ProxyCredentials = new NetworkCredential(login.Split(':')[0], login.Split(':')[1]);
        }
    }

    private static ScriptedAnswer Answer(ScriptedRequest request)
        => request.RangeStart is null ? ScriptedAnswer.Error(404, "NoSuchKey") : ScriptedAnswer.Range(request, Content);

    private sealed class DecompressingFactory : HttpClientFactory
    {
        public override HttpClient CreateHttpClient(IClientConfig clientConfig) => new(new HttpClientHandler { AutomaticDecompression = DecompressionMethods.All });
    }
}
