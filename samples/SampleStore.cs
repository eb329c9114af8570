using Amazon.S3;
using Transfer.S3.Server;

namespace Samples;

/// <summary>
/// The store of a sample: an embedded server, or a real store if <c>S3_ENDPOINT</c> or <c>S3_BUCKET</c> is set. Credentials and region of a real store come from the
/// same places as for the AWS CLI.
/// </summary>
internal sealed class SampleStore : IAsyncDisposable
{
    private const string DefaultBucket = "samples";

    private SampleStore(IAmazonS3 s3, string bucket, EmbeddedS3Server? server)
    {
        S3 = s3;
        Bucket = bucket;
        Server = server;
    }

    public IAmazonS3 S3 { get; }

    public string Bucket { get; }

    /// <summary>Gets the embedded server; <see langword="null"/> if the sample uses a real store.</summary>
    public EmbeddedS3Server? Server { get; }

    public static async Task<SampleStore> OpenAsync(CancellationToken cancellationToken = default)
    {
        string? endpoint = Setting("S3_ENDPOINT");
        string? bucket = Setting("S3_BUCKET");
        if (endpoint is null && bucket is null)
        {
            EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = [DefaultBucket] }, cancellationToken);
            return new SampleStore(server.CreateClient(), DefaultBucket, server);
        }

        AmazonS3Config config = new();
        if (endpoint is not null)
        {
            config.ServiceURL = endpoint;
            config.ForcePathStyle = true;
            config.AuthenticationRegion = Setting("AWS_REGION") ?? "us-east-1";
        }

        return new SampleStore(new AmazonS3Client(config), bucket ?? DefaultBucket, server: null);
    }

    public async ValueTask DisposeAsync()
    {
        S3.Dispose();
        if (Server is not null)
        {
            await Server.DisposeAsync();
        }
    }

    private static string? Setting(string name) => Environment.GetEnvironmentVariable(name) is { Length: > 0 } value ? value : null;
}
