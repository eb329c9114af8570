using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Model;

namespace Transfer.S3.IntegrationTests.Stores;

/// <summary>A store that <c>TRANSFER_TEST_STORES</c> names: words such as <c>versitygw=http://ACCESS-KEY:SECRET@127.0.0.1:7070</c>, separated by spaces.</summary>
public sealed class OtherStore(string name) : Store
{
    private static readonly IReadOnlyDictionary<string, Uri> Endpoints = (Environment.GetEnvironmentVariable("TRANSFER_TEST_STORES") ?? string.Empty)
        .Split(' ', StringSplitOptions.RemoveEmptyEntries)
        .Select(word => word.Split('=', 2))
        .ToDictionary(pair => pair[0], pair => new Uri(pair[1]));

    public static IEnumerable<string> Names => Endpoints.Keys;

    public override AmazonS3Client S3 { get; } = Connect(Endpoints[name]);

    public override async ValueTask DisposeAsync()
    {
        await foreach (S3Object item in S3.Paginators.ListObjectsV2(new ListObjectsV2Request { BucketName = Bucket }).S3Objects)
        {
            await S3.DeleteObjectAsync(Bucket, item.Key);
        }

        await S3.DeleteBucketAsync(Bucket);
        await base.DisposeAsync();
    }

    private static AmazonS3Client Connect(Uri endpoint)
    {
        string[] keys = [.. endpoint.UserInfo.Split(':', 2).Select(Uri.UnescapeDataString)];
        return new AmazonS3Client(
            new BasicAWSCredentials(keys[0], keys[1]),
            new AmazonS3Config { ServiceURL = $"{endpoint.Scheme}://{endpoint.Authority}", ForcePathStyle = true, AuthenticationRegion = "us-east-1" });
    }
}
