using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

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

    private protected static void Fails(RawAnswer answer, int status, string code)
    {
        Assert.EachEqual((status, code), (answer.Status, answer.Code));
        Assert.Equal(answer.Header("x-amz-request-id"), answer.Element("RequestId"));
        Assert.Equal(answer.Header("x-amz-id-2"), answer.Element("HostId"));
        Assert.NotNull(answer.Element("Message"));
        Assert.NotNull(answer.Element("Resource"));
    }
}
