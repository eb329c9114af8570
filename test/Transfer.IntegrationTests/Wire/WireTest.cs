using Amazon.Runtime;
using Amazon.S3;
using Transfer.S3.IntegrationTests.Infrastructure;

namespace Transfer.S3.IntegrationTests.Wire;

/// <summary>The base of tests of the library's own connections: clients of an endpoint, and reads to the end.</summary>
public abstract class WireTest
{
    protected const string Bucket = "bucket";

    protected const string Key = "a folder/key";

    internal static AmazonS3Client S3(string url, Action<AmazonS3Config>? configure = null, AWSCredentials? credentials = null)
    {
        AmazonS3Config config = new() { ServiceURL = url, ForcePathStyle = true, AuthenticationRegion = "us-east-1", MaxErrorRetry = 0 };
        configure?.Invoke(config);
        return new AmazonS3Client(credentials ?? new BasicAWSCredentials("transfer", "transfer-secret"), config);
    }

    internal static TransferClient Client(AmazonS3Client s3, int attempts = 1)
        => new(s3, new TransferClientOptions { Advanced = { Wire = TransferWire.Http }, MaxAttempts = attempts, DownloadPartSizeBytes = 64 * 1024, MaxConcurrency = 4 });

    internal static async Task<byte[]> ReadAsync(TransferClient client, string bucket = Bucket)
    {
        using MemoryStream target = new();
        await client.DownloadAsync(bucket, Key, target).Within();
        return target.ToArray();
    }

    /// <summary>Reads an object from a server whose responses the test provides.</summary>
    internal static async Task<byte[]> ReadAsync(ScriptedServer server, int attempts = 1)
    {
        using AmazonS3Client s3 = S3(server.Url);
        await using TransferClient client = Client(s3, attempts);
        return await ReadAsync(client);
    }

    internal static Task<TransferException> FailAsync(ScriptedServer server, int attempts = 1)
        => Assert.ThrowsAnyAsync<TransferException>(() => ReadAsync(server, attempts));
}
