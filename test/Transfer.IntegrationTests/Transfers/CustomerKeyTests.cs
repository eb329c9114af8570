using System.Net;
using Amazon.Runtime;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.S3.IntegrationTests.Infrastructure;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Transfers;

/// <summary>MinIO accepts customer-provided keys only over TLS, so these tests use the embedded server, with both kinds of connections.</summary>
public class CustomerKeyTests : TransferSuite
{
    private const int Part = 64 * 1024;
    private const int Length = (3 * Part) + 1;

    private static readonly byte[] Key = [.. Enumerable.Range(1, CustomerKey.LengthBytes).Select(i => (byte)(i * 7))];

    [Theory]
    [InlineData(TransferWire.Http, true)]
    [InlineData(TransferWire.Http, false)]
    [InlineData(TransferWire.Sdk, true)]
    [InlineData(TransferWire.Sdk, false)]
    public async Task EveryRequest_SendsTheKey(TransferWire wire, bool refusesAttributes)
    {
        await using RecordedStore store = await StartAsync();
        await using TransferClient client = new(store.S3, new TransferClientOptions { Advanced = { Wire = wire }, DownloadPartSizeBytes = Part });
        store.Answer = request => refusesAttributes && request.RequestUri!.Query.Contains("attributes", StringComparison.Ordinal) ? new HttpResponseMessage(HttpStatusCode.Forbidden) : null;
        store.Requests.Clear();
        PatternSink sink = new();

        DownloadResult down = await client.DownloadAsync(
            store.Bucket, "key", sink, new DownloadOptions { CustomerKey = CustomerKey.FromBase64(Convert.ToBase64String(Key)) });

        Assert.Equal(Length, sink.Written);
        Assert.True(down.Verdict.IsVerified, down.Verdict.ToString());
        Assert.Equal(refusesAttributes ? 5 : 4, store.Requests.Count); // three ranges, the attributes, and a HEAD if these are denied
        Assert.All(store.Requests, r => Assert.Equal(
            ("AES256", Convert.ToBase64String(Key)),
            (RecordedStore.Header(r, "x-amz-server-side-encryption-customer-algorithm"), RecordedStore.Header(r, "x-amz-server-side-encryption-customer-key"))));
    }

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task MissingOrWrongKey_IsRejectedAndNotShown(TransferWire wire)
    {
        await using RecordedStore store = await StartAsync();
        await using TransferClient client = new(store.S3, new TransferClientOptions { Advanced = { Wire = wire } });
        byte[] wrong = [.. Key.Reverse()];

        TransferException missing = await Assert.ThrowsAsync<TransferException>(() => client.OpenReadAsync(store.Bucket, "key"));
        TransferException other = await Assert.ThrowsAsync<TransferException>(
            () => client.OpenReadAsync(store.Bucket, "key", new DownloadOptions { CustomerKey = new CustomerKey(wrong) }));

        Assert.EachEqual((HttpStatusCode.BadRequest, HttpStatusCode.Forbidden), (missing.StatusCode, other.StatusCode));
        Assert.DoesNotContain(Convert.ToBase64String(wrong), other.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task PlainHttpToAnotherMachine_IsRejectedBeforeAnyRequest(TransferWire wire)
    {
        RecordingHttpClientFactory factory = new();
        using AmazonS3Client s3 = new(
            new BasicAWSCredentials("key", "secret"),
            new AmazonS3Config { ServiceURL = "http://store.example", ForcePathStyle = true, AuthenticationRegion = "us-east-1", HttpClientFactory = factory });
        await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = wire } });

        TransferException e = await Assert.ThrowsAsync<TransferException>(
            () => client.DownloadAsync("bucket", "key", Path.Combine(Folder, "target"), new DownloadOptions { CustomerKey = new CustomerKey(Key) }));

        Assert.Contains("only over HTTPS", e.Message, StringComparison.Ordinal);
        Assert.Empty(factory.Requests);
    }

    private static async Task<RecordedStore> StartAsync()
    {
        RecordedStore store = await RecordedStore.StartAsync();
        await store.S3.PutObjectAsync(new PutObjectRequest
        {
            BucketName = store.Bucket,
            Key = "key",
            InputStream = new MemoryStream(Pattern.Bytes(Length)),
            ServerSideEncryptionCustomerMethod = ServerSideEncryptionCustomerMethod.AES256,
            ServerSideEncryptionCustomerProvidedKey = Convert.ToBase64String(Key),
        });
        return store;
    }
}
