using Amazon.S3;
using Amazon.S3.Transfer;
using Transfer.S3.Server;
using Transfer.S3.TransferUtility;

namespace Transfer.S3.IntegrationTests.Compatibility;

/// <summary>
/// Runs a case on the same server with the SDK's utility and with the adapter, over the library's connections and through the SDK's client, and
/// compares all results.
/// </summary>
public abstract class DifferentialTest : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("transfer-compatibility-").FullName;

    /// <summary>Returns the names of all cases, or of every third one in a quick run.</summary>
    protected static TheoryData<string> Sample(IEnumerable<string> names) => [.. names.Where((_, i) => LongTests.AreEnabled || i % 3 == 0)];

    protected async Task AssertSameAsync(Func<Stage, Task> run, Func<Stage, Task>? arrange = null, TransferUtilityConfig? config = null)
    {
        await using EmbeddedS3Server server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = ["bucket-sdk", "bucket-own", "bucket-through"] });
        using AmazonS3Client s3 = server.CreateClient();
        using Amazon.S3.Transfer.TransferUtility sdk = new(s3, config ?? new TransferUtilityConfig());
        using TransferUtilityAdapter own = new(s3, config);
        await using TransferClient client = new(
            s3, new TransferClientOptions { Advanced = { Wire = TransferWire.Sdk }, MultipartThresholdBytes = (config ?? new TransferUtilityConfig()).MinSizeBeforePartUpload });
        using TransferUtilityAdapter through = new(client);

        string expected = await RunAsync(sdk, s3, "sdk", run, arrange);
        string actual = await RunAsync(own, s3, "own", run, arrange);
        string actualThrough = await RunAsync(through, s3, "through", run, arrange);

        Assert.True(expected == actual, $"The SDK:\n{expected}\n\nThe adapter:\n{actual}");
        Assert.True(expected == actualThrough, $"The SDK:\n{expected}\n\nThe adapter, through the SDK's client:\n{actualThrough}");
    }

    public void Dispose()
    {
        Directory.Delete(_root, recursive: true);
        GC.SuppressFinalize(this);
    }

    private async Task<string> RunAsync(ITransferUtility utility, AmazonS3Client s3, string name, Func<Stage, Task> run, Func<Stage, Task>? arrange)
    {
        Stage stage = new(utility, s3, "bucket-" + name, Directory.CreateDirectory(Path.Combine(_root, name)).FullName);
        if (arrange is not null)
        {
            await arrange(stage);
        }

        return await stage.RunAsync(run).Within();
    }
}
