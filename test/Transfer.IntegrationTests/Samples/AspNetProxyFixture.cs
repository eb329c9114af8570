using Amazon.S3;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Samples;

/// <summary>The AspNetProxy sample as a process, between an HTTP client and an embedded server.</summary>
#pragma warning disable CA1001 // xunit disposes it, asynchronously
public sealed class AspNetProxyFixture : IAsyncLifetime
#pragma warning restore CA1001
{
    public const string Bucket = "bucket";
    private SampleProcess? _process;

    public EmbeddedS3Server Server { get; private set; } = null!;

    public AmazonS3Client S3 { get; private set; } = null!;

    public HttpClient Http { get; private set; } = null!;

    public async Task InitializeAsync()
    {
        Server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = [Bucket] });
        S3 = Server.CreateClient();
        Dictionary<string, string> environment = SampleProcess.EnvironmentOf(Server, Bucket);
        environment["Transfer__MaxAttempts"] = "1";
        _process = SampleProcess.Start("AspNetProxy", environment, "--urls", "http://127.0.0.1:0");
        string line = await _process.ReadLineWithAsync(static line => line.Contains("Now listening on: ", StringComparison.Ordinal));
        Http = new HttpClient { BaseAddress = new Uri(line.Split("Now listening on: ")[1].Trim()), Timeout = Deadline.Longest };
    }

    public async Task DisposeAsync()
    {
        Http?.Dispose();
        _process?.Dispose();
        S3?.Dispose();
        await Server.DisposeAsync();
    }
}
