using Amazon.S3;
using Transfer.S3;
using Transfer.S3.Server;

namespace ServerTests;

/// <summary>An embedded server and a client, which the tests of a class share. Starting them takes some milliseconds.</summary>
#pragma warning disable CA1001 // xunit calls DisposeAsync
public sealed class StoreFixture : IAsyncLifetime
#pragma warning restore CA1001
{
    public const string Bucket = "bucket";
    private AmazonS3Client? _s3;
    private TransferClient? _client;

    public EmbeddedS3Server Server { get; private set; } = null!;

    public ITransferClient Client => _client!;

    public async Task InitializeAsync()
    {
        Server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = [Bucket] });
        _s3 = Server.CreateClient();

        _client = new TransferClient(_s3, new TransferClientOptions
        {
            MaxAttempts = 2, // enough to see a retry; with the default of eight, tests of permanent failures would take longer
            HedgeRequests = false, // on a busy machine, a slow request would be sent again, and tests couldn't count requests
        });
    }

    public async Task DisposeAsync()
    {
        await _client!.DisposeAsync();
        _s3!.Dispose();
        await Server.DisposeAsync();
    }
}
