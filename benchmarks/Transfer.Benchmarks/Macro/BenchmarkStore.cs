using Amazon.Runtime;
using Amazon.S3;
using Transfer.S3.Server;

namespace Transfer.S3.Benchmarks.Macro;

/// <summary>
/// The embedded servers for benchmarks: one that keeps objects in memory, and one that discards uploads, so that its own copying is not measured.
/// </summary>
public sealed class BenchmarkStore : IAsyncDisposable
{
    public const string Bucket = "benchmark";
    private const string KeepingVariable = "TRANSFER_BENCHMARK_STORE";
    private const string DiscardingVariable = "TRANSFER_BENCHMARK_DISCARD";
    private readonly EmbeddedS3Server _keeping;
    private readonly EmbeddedS3Server _discarding;

    private BenchmarkStore(EmbeddedS3Server keeping, EmbeddedS3Server discarding)
    {
        _keeping = keeping;
        _discarding = discarding;
        Environment.SetEnvironmentVariable(KeepingVariable, keeping.Endpoint.ToString());
        Environment.SetEnvironmentVariable(DiscardingVariable, discarding.Endpoint.ToString());
    }

    public static async Task<BenchmarkStore> StartAsync() => new(
        await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = [Bucket] }),
        await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = [Bucket], Discard = true }));

    /// <summary>Creates a client for the store that keeps objects.</summary>
    public static AmazonS3Client Connect() => Connect(KeepingVariable);

    /// <summary>Creates a client for the store that discards objects.</summary>
    public static AmazonS3Client ConnectDiscarding() => Connect(DiscardingVariable);

    /// <summary>Ensures that an object of the given size exists, and returns its key.</summary>
    public static async Task<string> ObjectAsync(AmazonS3Client s3, int mebibytes)
    {
        string key = $"object-{mebibytes}MiB";
        await using TransferClient client = new(s3);
        await client.UploadAsync(new System.Buffers.ReadOnlySequence<byte>(TestBytes(mebibytes)), Bucket, key);
        return key;
    }

    public static byte[] TestBytes(int mebibytes)
    {
        byte[] bytes = new byte[mebibytes * 1024 * 1024];
        new Random(1).NextBytes(bytes);
        return bytes;
    }

    public async ValueTask DisposeAsync()
    {
        await _keeping.DisposeAsync();
        await _discarding.DisposeAsync();
    }

    private static AmazonS3Client Connect(string variable) => new(
        new BasicAWSCredentials("transfer", "transfer-secret"),
        new AmazonS3Config { ServiceURL = Environment.GetEnvironmentVariable(variable), ForcePathStyle = true, AuthenticationRegion = "us-east-1" });
}
