using System.Net;
using System.Net.Sockets;
using Amazon.Runtime;
using Amazon.S3;
using Transfer.S3.IntegrationTests.Stores;

namespace Transfer.S3.IntegrationTests.Transfers;

public class FailureTests : TransferSuite
{
    private const long Part = 8 * 1024 * 1024;

    private string Target => Path.Combine(Folder, "target");

    [Theory]
    [Stores]
    public async Task Download_MissingKey_ErrorNamesIt(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => Client(store).DownloadAsync(store.Bucket, "not/there", Target));

        Assert.EachEqual((store.Bucket, "not/there", HttpStatusCode.NotFound, "NoSuchKey"), (e.Bucket, e.Key, e.StatusCode!.Value, e.ErrorCode));
        Assert.Contains("not/there", e.Message, StringComparison.Ordinal);
        Assert.NotNull(e.RequestId);
        Assert.Empty(Directory.GetFileSystemEntries(Folder));
    }

    [Theory]
    [Stores]
    public async Task Transfers_MissingBucket_ErrorNamesIt(string storeName)
    {
        await using Store store = await Store.StartAsync(storeName);
        TransferClient client = Client(store);

        TransferException down = await Assert.ThrowsAsync<TransferException>(() => client.DownloadAsync("no-such-bucket", "key", Target));
        TransferException up = await Assert.ThrowsAsync<TransferException>(() => client.UploadAsync(new PatternSource(10), "no-such-bucket", "key"));
        TransferException parts = await Assert.ThrowsAsync<TransferException>(() => client.UploadAsync(new PatternSource(Part * 2), "no-such-bucket", "key"));

        Assert.All([down, up, parts], e => Assert.Equal("NoSuchBucket", e.ErrorCode));
    }

    [Theory]
    [Stores]
    public async Task WrongSecret_IsRejectedAndNotShown(string storeName)
    {
        const string secret = "not-the-secret-of-anybody";
        await using Store store = await Store.StartAsync(storeName);
        AWSCredentials credentials = new BasicAWSCredentials(storeName.StartsWith(Store.Minio, StringComparison.Ordinal) ? "minioadmin" : "transfer", secret);
        using AmazonS3Client s3 = new(credentials, new AmazonS3Config { ServiceURL = store.S3.Config.ServiceURL, ForcePathStyle = true, AuthenticationRegion = "us-east-1" });
        await using TransferClient client = new(s3, new TransferClientOptions { Advanced = { Wire = store.Wire } });

        TransferException e = await Assert.ThrowsAsync<TransferException>(() => client.DownloadAsync(store.Bucket, "key", Target));

        Assert.EachEqual(("SignatureDoesNotMatch", HttpStatusCode.Forbidden, 1), (e.ErrorCode, e.StatusCode, e.Attempts));
        Assert.DoesNotContain(secret, e.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(TransferWire.Http)]
    [InlineData(TransferWire.Sdk)]
    public async Task NothingListens_ErrorSaysThatThereIsNoConnection(TransferWire wire)
    {
        using TcpListener taken = new(IPAddress.Loopback, 0);
        taken.Start();
        int port = ((IPEndPoint)taken.LocalEndpoint).Port;
        taken.Stop();

        TransferException e = await FailAsync($"http://127.0.0.1:{port}", wire);

        Assert.Contains("could not connect", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [CombinedData("HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 15\r\nConnection: close\r\n\r\n<html>no</html>")]
    [CombinedData("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 15\r\nConnection: close\r\n\r\n<html>hi</html>")]
    [CombinedData("220 mail.example ESMTP\r\n")]
    public async Task EndpointIsNotS3_ErrorSaysSo(string answer, TransferWire wire)
    {
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        Task serve = AnswerAsync();

        TransferException e = await FailAsync($"http://127.0.0.1:{((IPEndPoint)listener.LocalEndpoint).Port}", wire);

        listener.Stop();
        await serve;
        Assert.Matches("is it an S3 endpoint|is not valid HTTP", e.Message);
        Assert.Empty(Directory.GetFileSystemEntries(Folder));

        async Task AnswerAsync()
        {
            try
            {
                while (true)
                {
                    using TcpClient connection = await listener.AcceptTcpClientAsync();
                    NetworkStream stream = connection.GetStream();
                    _ = await stream.ReadAsync(new byte[4096]);
                    await stream.WriteAsync(System.Text.Encoding.ASCII.GetBytes(answer));
                }
            }
            catch (Exception ended) when (ended is SocketException or IOException or InvalidOperationException)
            {
                // The listener was stopped.
            }
        }
    }

    private async Task<TransferException> FailAsync(string endpoint, TransferWire wire)
    {
        using AmazonS3Client s3 = new(
            new BasicAWSCredentials("key", "secret"),
            new AmazonS3Config { ServiceURL = endpoint, ForcePathStyle = true, AuthenticationRegion = "us-east-1", MaxErrorRetry = 0 });
        await using TransferClient client = new(s3, new TransferClientOptions { MaxAttempts = 2, Advanced = { Wire = wire } });
        return await Assert.ThrowsAsync<TransferException>(() => client.DownloadAsync("bucket", "key", Target));
    }

    /// <summary>Combines a value with each of the two protocols.</summary>
    [AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
    private sealed class CombinedDataAttribute(object value) : Xunit.Sdk.DataAttribute
    {
        public override IEnumerable<object[]> GetData(System.Reflection.MethodInfo testMethod) => [[value, TransferWire.Http], [value, TransferWire.Sdk]];
    }
}
