using System.Collections.Concurrent;
using Amazon.Runtime;
using Amazon.S3;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Stores;

/// <summary>The embedded server with a record of the headers of every request.</summary>
internal sealed class RecordedStore : IAsyncDisposable
{
    private readonly RecordingHttpClientFactory _factory = new();

    private RecordedStore(EmbeddedS3Server server)
    {
        Server = server;
        S3 = new AmazonS3Client(
            new BasicAWSCredentials(server.AccessKeyId, server.SecretAccessKey),
            new AmazonS3Config { ServiceURL = server.Endpoint.ToString(), ForcePathStyle = true, AuthenticationRegion = server.Region, HttpClientFactory = _factory });
    }

    public EmbeddedS3Server Server { get; }

    public AmazonS3Client S3 { get; }

    public string Bucket { get; } = "bucket";

    public ConcurrentQueue<HttpRequestMessage> Requests => _factory.Requests;

    /// <summary>Gets or sets a function that answers instead of the store; it returns null to pass the request on to the store.</summary>
    public Func<HttpRequestMessage, HttpResponseMessage?>? Answer
    {
        set => _factory.Answer = value;
    }

    public static async Task<RecordedStore> StartAsync()
    {
        RecordedStore store = new(await EmbeddedS3Server.StartAsync());
        await store.S3.PutBucketAsync(store.Bucket);
        return store;
    }

    public static string? Header(HttpRequestMessage request, string name) => RecordingHttpClientFactory.Header(request, name);

    public async ValueTask DisposeAsync()
    {
        S3.Dispose();
        await Server.DisposeAsync();
    }
}
