using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Amazon.S3;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Wire;

/// <summary>Which certificates of a store are accepted over HTTPS, with both protocols.</summary>
public sealed class TlsTests : WireTest, IDisposable
{
    private static readonly byte[] Content = Sample.Bytes(200_000);
    private readonly TestAuthority _authority = new();

    public static TheoryData<TransferWire> Wires => [TransferWire.Http, TransferWire.Sdk];

    public void Dispose() => _authority.Dispose();

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task PrivateAuthority_TrustedByTheFactory_IsAccepted(TransferWire wire)
    {
        using X509Certificate2 certificate = _authority.Issue();
        await using EmbeddedS3Server store = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Certificate = certificate, Buckets = [Bucket] });
        using AmazonS3Client s3 = Trusting(store.Endpoint.ToString(), _authority.Certificate);
        await using TransferClient client = Client(s3, wire, attempts: 1);

        await client.UploadAsync(new MemoryStream(Content), Bucket, Key).Within();

        Assert.Equal(Content, await ReadAsync(client));
    }

    /// <summary>The library's own connections trust what the callback says, whatever the factory of the SDK trusts.</summary>
    [Fact]
    public async Task PrivateAuthority_TrustedByTheCallback_IsAcceptedOverOwnConnections()
    {
        using X509Certificate2 certificate = _authority.Issue();
        await using ScriptedServer server = new(Answer, certificate);
        using AmazonS3Client untrusting = Trusting(server.Url);
        int calls = 0;
        await using TransferClient client = new(untrusting, new TransferClientOptions
        {
            MaxAttempts = 1,
            ConfigureTls = tls =>
            {
                calls++;
                tls.CertificateChainPolicy = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
                tls.CertificateChainPolicy.CustomTrustStore.Add(_authority.Certificate);
            },
        });

        Assert.Equal(Content, await ReadAsync(client));
        Assert.Equal(1, calls);
        await using TransferClient without = Client(untrusting, TransferWire.Http, attempts: 1);
        await Assert.ThrowsAsync<TransferException>(() => ReadAsync(without));
    }

    [Theory]
    [InlineData("unknown", "issued by an untrusted certificate authority", TransferWire.Http)]
    [InlineData("unknown", "issued by an untrusted certificate authority", TransferWire.Sdk)]
    [InlineData("impostor", "not signed by the authority that it names", TransferWire.Http)]
    [InlineData("impostor", "not signed by the authority that it names", TransferWire.Sdk)]
    [InlineData("expired", "has expired", TransferWire.Http)]
    [InlineData("expired", "has expired", TransferWire.Sdk)]
    [InlineData("name", "is for another name", TransferWire.Http)]
    [InlineData("name", "is for another name", TransferWire.Sdk)]
    public async Task Certificate_Invalid_IsRejectedImmediatelyAndErrorSaysWhy(string what, string reason, TransferWire wire)
    {
        using TestAuthority other = what == "impostor" ? new() : new("CN=Another authority");
        using X509Certificate2 certificate = what switch
        {
            "expired" => _authority.Issue(isExpired: true),
            "name" => _authority.Issue("store.example"),
            _ => other.Issue(),
        };
        await using ScriptedServer server = new(Answer, certificate);
        using AmazonS3Client s3 = Trusting(server.Url, _authority.Certificate);
        await using TransferClient client = Client(s3, wire, attempts: 3);

        TransferException down = await Assert.ThrowsAsync<TransferException>(() => ReadAsync(client));
        TransferException up = await Assert.ThrowsAsync<TransferException>(() => client.UploadAsync(new MemoryStream(Content), Bucket, Key).Within());

        Assert.All([down, up], e => Assert.Contains(reason, e.Message, StringComparison.Ordinal));
        Assert.EachEqual((1, 1), (down.Attempts, up.Attempts));
        Assert.EachEqual((2, 0), (server.Connections, server.Requests.Count));
    }

    [Fact]
    public async Task Certificate_OfAnIntermediateAuthority_IsVerifiedUpToTheTrustedOne()
    {
        using TestAuthority intermediate = _authority.CreateIntermediate();
        using X509Certificate2 certificate = intermediate.Issue();
        await using ScriptedServer whole = new(Answer, certificate, intermediate.Certificate);
        await using ScriptedServer leafAlone = new(Answer, certificate);

        Assert.Equal(Content, await ReadAsync(whole.Url, _authority.Certificate));
        Assert.Equal(Content, await ReadAsync(leafAlone.Url, _authority.Certificate, intermediate.Certificate));
        TransferException e = await Assert.ThrowsAsync<TransferException>(() => ReadAsync(leafAlone.Url, _authority.Certificate));
        Assert.Contains("untrusted certificate authority", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Wires))]
    public async Task ServerWithoutTls_ThrowsImmediately(TransferWire wire)
    {
        (TransferException e, int connections) = await HandshakeAsync(wire, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");

        Assert.Contains("could not establish a TLS connection to the endpoint: it does not use TLS: is its URL http://", e.Message, StringComparison.Ordinal);
        Assert.EachEqual((1, 1), (e.Attempts, connections));
    }

    [Fact]
    public async Task ServerClosesDuringTheHandshake_IsRetried()
    {
        (TransferException e, int connections) = await HandshakeAsync(TransferWire.Http, string.Empty);

        Assert.Contains("could not establish a TLS connection to the endpoint: the connection was closed unexpectedly", e.Message, StringComparison.Ordinal);
        Assert.EachEqual((2, 2), (e.Attempts, connections));
    }

    /// <summary>Reads from a server that sends the given bytes in response to a handshake, and closes the connection.</summary>
    private static async Task<(TransferException Error, int Connections)> HandshakeAsync(TransferWire wire, string answer)
    {
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        int connections = 0;
        Task serving = ServeAsync();
        using AmazonS3Client s3 = S3($"https://{listener.LocalEndpoint}");
        await using TransferClient client = Client(s3, wire, attempts: 2);
        TransferException e = await Assert.ThrowsAsync<TransferException>(() => ReadAsync(client));
        listener.Stop();
        await Assert.ThrowsAnyAsync<Exception>(() => serving.Within()); // the server was stopped
        return (e, connections);

        async Task ServeAsync()
        {
            byte[] hello = new byte[16 * 1024];
            while (true)
            {
                using TcpClient connection = await listener.AcceptTcpClientAsync();
                connections++;
                Assert.True(await connection.GetStream().ReadAtLeastAsync(hello, 5 + 100, throwOnEndOfStream: false) > 0); // reads everything, because unread data would cause a reset
                await connection.GetStream().WriteAsync(Encoding.ASCII.GetBytes(answer));
            }
        }
    }

    private static ScriptedAnswer Answer(ScriptedRequest request)
        => request.RangeStart is null ? ScriptedAnswer.Error(404, "NoSuchKey") : ScriptedAnswer.Range(request, Content);

    private static AmazonS3Client Trusting(string url, params X509Certificate2[] trusted)
        => S3(url, config => config.HttpClientFactory = new AuthorityHttpClientFactory(trusted));

    private static TransferClient Client(AmazonS3Client s3, TransferWire wire, int attempts)
        => new(s3, new TransferClientOptions { Advanced = { Wire = wire }, MaxAttempts = attempts });

    private static async Task<byte[]> ReadAsync(string url, params X509Certificate2[] trusted)
    {
        using AmazonS3Client s3 = Trusting(url, trusted);
        await using TransferClient client = Client(s3);
        return await ReadAsync(client);
    }
}
