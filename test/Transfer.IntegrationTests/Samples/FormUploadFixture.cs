using Amazon.S3;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Samples;

/// <summary>The FormUpload sample as a process that can hold no large form: its heap is small, and it has no folder for temporary files.</summary>
#pragma warning disable CA1001 // xunit disposes it, asynchronously
public sealed class FormUploadFixture : IAsyncLifetime
#pragma warning restore CA1001
{
    public const string Bucket = "bucket";
    public const int HeapBytes = 64 << 20;
    public const int MaxFormBytes = 128 << 20;
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
        environment["Transfer__MemoryBytes"] = "16MiB";
        environment["DOTNET_GCHeapHardLimit"] = $"0x{HeapBytes:x}";
        environment["ASPNETCORE_TEMP"] = "/nonexistent"; // where ASP.NET Core would write what it doesn't hold in memory
        _process = SampleProcess.Start("FormUpload", environment, "--urls", "http://127.0.0.1:0", "--MaxFormSize", $"{MaxFormBytes}");
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
