using Amazon.S3;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Stores;

/// <summary>The embedded server, over a real connection.</summary>
public sealed class EmbeddedStore : Store
{
    private EmbeddedStore(EmbeddedS3Server server)
    {
        Server = server;
        S3 = server.CreateClient();
    }

    public EmbeddedS3Server Server { get; }

    public override AmazonS3Client S3 { get; }

    /// <param name="folder">Where objects are stored; null for memory.</param>
    public static async Task<EmbeddedStore> StartAsync(string? folder = null) => new(await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Directory = folder }));

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        await Server.DisposeAsync();
    }
}
