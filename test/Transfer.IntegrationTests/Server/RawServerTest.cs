using System.Text;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;
using Transfer.S3.Server.Checksums;

namespace Transfer.S3.IntegrationTests.Server;

/// <summary>Provides a server for each test, and a client that sends raw requests.</summary>
public abstract class RawServerTest : IAsyncLifetime
{
    protected EmbeddedS3Server Server { get; private set; } = null!;

    private protected RawClient Raw { get; private set; } = null!;

    public async Task InitializeAsync()
    {
        Server = await EmbeddedS3Server.StartAsync(Options()).Within();
        Raw = new RawClient(Server);
    }

    public async Task DisposeAsync()
    {
        Raw.Dispose();
        await Server.DisposeAsync().Within();
    }

    protected virtual EmbeddedS3ServerOptions Options() => new() { Buckets = ["bucket"] };

    private protected async Task<RawAnswer> PutAsync(string path, byte[] data)
    {
        RawAnswer answer = await Raw.SendSignedAsync("PUT", path, data);
        Assert.Equal(200, answer.Status);
        return answer;
    }

    /// <summary>Sends a document with the checksum that S3 requires.</summary>
    private protected Task<RawAnswer> PutXmlAsync(string target, string xml)
    {
        byte[] body = Encoding.UTF8.GetBytes(xml);
        return Raw.SendSignedAsync("PUT", target, body, ("x-amz-checksum-crc32", RunningChecksum.Compute(ChecksumAlgorithm.Crc32, body)));
    }

    private protected static void Fails(RawAnswer answer, int status, string code)
    {
        Assert.EachEqual((status, code), (answer.Status, answer.Code));
        Assert.Equal(answer.Header("x-amz-request-id"), answer.Element("RequestId"));
        Assert.Equal(answer.Header("x-amz-id-2"), answer.Element("HostId"));
        Assert.NotNull(answer.Element("Message"));
        Assert.NotNull(answer.Element("Resource"));
    }
}
