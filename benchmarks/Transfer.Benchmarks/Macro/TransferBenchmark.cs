using Amazon.S3;
using Amazon.S3.Transfer;
using BenchmarkDotNet.Attributes;

namespace Transfer.S3.Benchmarks.Macro;

/// <summary>The base of benchmarks of whole transfers: the library's client and the SDK's utility, with the same <see cref="IAmazonS3"/>.</summary>
[Config(typeof(TransferConfig))]
public abstract class TransferBenchmark(Func<AmazonS3Client> connect)
{
    [Params(16, 256, 1024)]
    public int MiB { get; set; }

    protected AmazonS3Client S3 { get; private set; } = null!;

    protected TransferClient Client { get; private set; } = null!;

    protected TransferUtility Utility { get; private set; } = null!;

    [GlobalSetup]
    public virtual Task SetUpAsync()
    {
        S3 = connect();
        Client = new TransferClient(S3);
        Utility = new TransferUtility(S3);
        return Task.CompletedTask;
    }

    [GlobalCleanup]
    public virtual async Task CleanUpAsync()
    {
        await Client.DisposeAsync();
        Utility.Dispose();
        S3.Dispose();
    }
}
