using System.Net;
using Amazon.Runtime;
using Amazon.S3;
using Microsoft.Extensions.Logging;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Wire;

/// <summary>HTTP clients of a caller's factory. Shared clients are neither changed nor disposed.</summary>
public sealed class HttpTransportTests : IDisposable
{
    private static readonly byte[] Content = Sample.Bytes(1000);
    private readonly LogLines _lines = new();
    private readonly LoggerFactory _logger;

    public HttpTransportTests() => _logger = new LoggerFactory([_lines]);

    public void Dispose()
    {
        _logger.Dispose();
        _lines.Dispose();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task SharedClient_AlreadyUsed_IsUnchanged(bool usesSdkCaching)
    {
        Network network = new();
        using HttpClient shared = network.NewClient();
        shared.Timeout = TimeSpan.FromSeconds(100);
        using AmazonS3Client s3 = NewS3(new Factory(() => shared) { UsesSdkCaching = usesSdkCaching });
        await s3.GetObjectAsync(FakeHttp.Bucket, FakeHttp.Key).Within();

        await using (TransferClient client = NewClient(s3))
        {
            Assert.Equal(Content, await ReadAsync(client));
        }

        Assert.Equal(TimeSpan.FromSeconds(100), shared.Timeout);
        await s3.GetObjectAsync(FakeHttp.Bucket, FakeHttp.Key).Within(); // it works after the transfer client was disposed
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task SharedClient_NotYetUsed_IsUnchanged(bool usesSdkCaching)
    {
        Network network = new();
        using HttpClient shared = network.NewClient();
        shared.Timeout = TimeSpan.FromSeconds(100);
        using AmazonS3Client s3 = NewS3(new Factory(() => shared) { UsesSdkCaching = usesSdkCaching });

        await NewClient(s3).DisposeAsync();

        Assert.Equal(TimeSpan.FromSeconds(100), shared.Timeout);
        Assert.Equal(HttpStatusCode.OK, (await shared.GetAsync("http://store/key").Within()).StatusCode);
    }

    [Theory]
    [InlineData(100, true)]
    [InlineData(-1, false)]
    public async Task SharedClient_HasATimeout_WarnsOnce(int seconds, bool isWarned)
    {
        Network network = new();
        using HttpClient shared = network.NewClient();
        shared.Timeout = seconds < 0 ? Timeout.InfiniteTimeSpan : TimeSpan.FromSeconds(seconds);
        using AmazonS3Client s3 = NewS3(new Factory(() => shared));
        await using TransferClient client = NewClient(s3);

        await ReadAsync(client);
        await ReadAsync(client);

        Assert.Equal(isWarned ? 1 : 0, _lines.Written.Count(line => line.StartsWith("Warning: ", StringComparison.Ordinal) && line.Contains("Timeout of 100 s", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task SharedClient_TimeoutEndsARequest_ErrorSaysSoAndItIsRetried()
    {
        Network network = new() { TimeoutsLeft = 1 };
        using HttpClient shared = network.NewClient();
        using AmazonS3Client s3 = NewS3(new Factory(() => shared));
        await using TransferClient patient = NewClient(s3, attempts: 2);
        await using TransferClient impatient = NewClient(s3);

        Assert.Equal(Content, await ReadAsync(patient));
        network.TimeoutsLeft = 1;
        TransferException e = await Assert.ThrowsAsync<TransferException>(() => ReadAsync(impatient));

        Assert.Contains("HttpClient's Timeout", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public async Task OwnClient_HasNoTimeoutAndIsDisposed(bool usesSdkCaching, bool disposesAfterUse)
    {
        Network network = new();
        List<HttpClient> made = [];
        using AmazonS3Client s3 = NewS3(new Factory(() =>
        {
            made.Add(network.NewClient());
            return made[^1];
        })
        { UsesSdkCaching = usesSdkCaching, DisposesAfterUse = disposesAfterUse });

        await using (TransferClient client = NewClient(s3))
        {
            Assert.Equal(Content, await ReadAsync(client));
            Assert.Equal(Timeout.InfiniteTimeSpan, made[0].Timeout);
            Assert.Equal(0, network.Disposed);
        }

        Assert.Equal(1, network.Disposed);
        Assert.DoesNotContain(_lines.Written, line => line.StartsWith("Warning", StringComparison.Ordinal));
    }

    private TransferClient NewClient(AmazonS3Client s3, int attempts = 1)
        => new(s3, new TransferClientOptions { MaxAttempts = attempts, LoggerFactory = _logger, Advanced = { EnvironmentVariables = _ => null } });

    private static async Task<byte[]> ReadAsync(TransferClient client)
    {
        MemoryStream target = new();
        await client.DownloadAsync(FakeHttp.Bucket, FakeHttp.Key, target, new DownloadOptions { Verify = false }).Within();
        return target.ToArray();
    }

    private static AmazonS3Client NewS3(HttpClientFactory factory) => new(
        new BasicAWSCredentials("access", "secret"), new AmazonS3Config { RegionEndpoint = Amazon.RegionEndpoint.USWest2, MaxErrorRetry = 0, HttpClientFactory = factory });

    private sealed class Factory(Func<HttpClient> create) : HttpClientFactory
    {
        public bool UsesSdkCaching { get; init; } = true;

        public bool DisposesAfterUse { get; init; }

        public override HttpClient CreateHttpClient(IClientConfig clientConfig) => create();

        public override bool UseSDKHttpClientCaching(IClientConfig clientConfig) => UsesSdkCaching;

        public override bool DisposeHttpClientsAfterUse(IClientConfig clientConfig) => DisposesAfterUse;
    }

    /// <summary>Serves one object, and counts disposed handlers.</summary>
    private sealed class Network
    {
        private int _disposed;
        private int _timeoutsLeft;

        public int Disposed => Volatile.Read(ref _disposed);

        /// <summary>Gets or sets the number of requests that end like those that exceed the timeout of a client.</summary>
        public int TimeoutsLeft { get => _timeoutsLeft; set => _timeoutsLeft = value; }

        public HttpClient NewClient() => new(new Handler(this));

        private sealed class Handler(Network network) : HttpMessageHandler
        {
            protected override Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
                => Interlocked.Decrement(ref network._timeoutsLeft) >= 0
                    ? Task.FromException<HttpResponseMessage>(new TaskCanceledException("The request was canceled due to the configured HttpClient.Timeout.", new TimeoutException()))
                    : Task.FromResult(FakeHttp.Range(request, Content, "\"0123456789abcdef0123456789abcdef\""));

            protected override void Dispose(bool disposing)
            {
                Interlocked.Increment(ref network._disposed);
                base.Dispose(disposing);
            }
        }
    }
}
