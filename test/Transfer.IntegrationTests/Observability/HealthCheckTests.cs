using Amazon.Runtime;
using Amazon.S3;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Observability;

/// <summary>The health check of a store, as the health checks of .NET run it.</summary>
#pragma warning disable CA1001 // xunit disposes it, asynchronously
public sealed class HealthCheckTests : IAsyncLifetime
#pragma warning restore CA1001
{
    private const string Bucket = "photos";
    private const string Secret = "the-secret-access-key";
    private EmbeddedS3Server _server = null!;

    public async Task InitializeAsync() => _server = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions { Buckets = [Bucket], SecretAccessKey = Secret });

    public Task DisposeAsync() => _server.DisposeAsync().AsTask();

    [Theory]
    [InlineData(null, "ListBuckets")]
    [InlineData(Bucket, "ListObjectsV2")]
    public async Task Store_Responds_IsHealthyAfterOneRequest(string? bucket, string operation)
    {
        HealthReportEntry entry = await CheckAsync(checks => checks.AddTransferStore(bucket));

        Assert.Equal(HealthStatus.Healthy, entry.Status);
        Assert.Contains(_server.Endpoint.Authority, entry.Description, StringComparison.Ordinal);
        Assert.Equal([operation], _server.Requests.Select(request => request.Operation));
    }

    [Fact]
    public async Task Bucket_IsMissing_ResultNamesItAndTheError()
    {
        HealthReportEntry entry = await CheckAsync(checks => checks.AddTransferStore("videos"));

        Assert.Equal(HealthStatus.Unhealthy, entry.Status);
        Assert.Contains($"s3://videos at {_server.Endpoint.Authority}", entry.Description, StringComparison.Ordinal);
        Assert.Contains("NoSuchBucket", entry.Description, StringComparison.Ordinal);
        Assert.Equal(TransferError.BucketNotFound, Assert.IsType<TransferException>(entry.Exception).Error);
    }

    [Theory]
    [InlineData(null)]
    [InlineData(Bucket)]
    public async Task Credentials_AreWrong_ResultHasTheErrorAndNoSecret(string? bucket)
    {
        const string Wrong = "another-secret-access-key";

        HealthReportEntry entry = await CheckAsync(checks => checks.AddTransferStore(bucket), Wrong);

        Assert.Equal(HealthStatus.Unhealthy, entry.Status);
        Assert.Contains("SignatureDoesNotMatch", entry.Description, StringComparison.Ordinal);
        Assert.DoesNotContain(Wrong, entry.Description + entry.Exception, StringComparison.Ordinal);
    }

    /// <summary>Whoever runs the checks repeats them.</summary>
    [Fact]
    public async Task Store_Throttles_FailsWithoutARetry()
    {
        _server.SetFaults(new FaultPlan { Rules = [new FaultRule(ServerFault.SlowDown)] });

        HealthReportEntry entry = await CheckAsync(checks => checks.AddTransferStore(Bucket, failureStatus: HealthStatus.Degraded));

        Assert.Equal(HealthStatus.Degraded, entry.Status);
        Assert.Contains("SlowDown", entry.Description, StringComparison.Ordinal);
        Assert.Single(_server.Requests);
    }

    [Fact]
    public async Task Store_DoesNotRespond_FailsAfterTheTimeout()
    {
        _server.SetFaults(new FaultPlan { Rules = [new FaultRule(ServerFault.StallHeaders) { Times = null }] });

        HealthReportEntry entry = await CheckAsync(checks => checks.AddTransferStore(Bucket, timeout: TimeSpan.FromMilliseconds(200)));

        Assert.Equal(HealthStatus.Unhealthy, entry.Status);
        Assert.Contains("did not respond within 0.2 s", entry.Description, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Store_IsNotThere_Fails()
    {
        await _server.DisposeAsync();

        HealthReportEntry entry = await CheckAsync(checks => checks.AddTransferStore());

        Assert.Equal(HealthStatus.Unhealthy, entry.Status);
        Assert.Contains(_server.Endpoint.Authority, entry.Description, StringComparison.Ordinal);
        Assert.Equal(TransferError.Connection, Assert.IsType<TransferException>(entry.Exception).Error);
    }

    /// <summary>An upload that the store doesn't answer holds the only slot.</summary>
    [Fact]
    public async Task Client_HasNoFreeSlot_IsHealthy()
    {
        _server.SetFaults(new FaultPlan { Rules = [new FaultRule(ServerFault.StallHeaders) { Operation = "PutObject", Times = null }] });
        using AmazonS3Client s3 = _server.CreateClient();
        await using ServiceProvider services = Services(s3, checks => checks.AddTransferStore(Bucket), options => options.MaxConcurrency = 1);
        using CancellationTokenSource canceled = new();
        Task upload = services.GetRequiredService<ITransferClient>().UploadAsync(new MemoryStream(new byte[100]), Bucket, "key", cancellationToken: canceled.Token);
        await Deadline.Until(() => _server.Statistics.FaultCount(ServerFault.StallHeaders) == 1);

        HealthReport report = await services.GetRequiredService<HealthCheckService>().CheckHealthAsync().Within();

        Assert.Equal(HealthStatus.Healthy, report.Status);
        await canceled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => upload).Within();
    }

    [Fact]
    public async Task Keyed_ChecksTheStoreOfItsClient()
    {
        using AmazonS3Client s3 = _server.CreateClient();
        ServiceCollection services = new();
        services.AddLogging().AddKeyedSingleton<IAmazonS3>("archive", s3).AddKeyedTransfer("archive").AddHealthChecks().AddKeyedTransferStore("archive", Bucket);
        await using ServiceProvider provider = services.BuildServiceProvider();

        HealthReport report = await provider.GetRequiredService<HealthCheckService>().CheckHealthAsync().Within();

        Assert.Equal(HealthStatus.Healthy, report.Entries["transfer-store-archive"].Status);
    }

    /// <summary>The result, and not an exception that would hide the results of the other checks.</summary>
    [Fact]
    public async Task Client_CannotBeCreated_IsUnhealthy()
    {
        ServiceCollection services = new();
        services.AddLogging().AddTransfer().AddHealthChecks().AddTransferStore();
        await using ServiceProvider provider = services.BuildServiceProvider();

        HealthReport report = await provider.GetRequiredService<HealthCheckService>().CheckHealthAsync().Within();

        Assert.Contains("IAmazonS3", report.Entries["transfer-store"].Description, StringComparison.Ordinal);
    }

    [Fact]
    public void Arguments_Invalid_AreRefused()
    {
        IHealthChecksBuilder checks = new ServiceCollection().AddHealthChecks();

        Assert.Throws<ArgumentException>(() => checks.AddTransferStore("bucket/key"));
        Assert.Throws<ArgumentOutOfRangeException>(() => checks.AddTransferStore(timeout: TimeSpan.Zero));
    }

    private async Task<HealthReportEntry> CheckAsync(Action<IHealthChecksBuilder> add, string secret = Secret)
    {
        using AmazonS3Client s3 = new(
            new BasicAWSCredentials(_server.AccessKeyId, secret), new AmazonS3Config { ServiceURL = _server.Endpoint.ToString(), AuthenticationRegion = _server.Region, ForcePathStyle = true });
        await using ServiceProvider services = Services(s3, add);
        HealthReport report = await services.GetRequiredService<HealthCheckService>().CheckHealthAsync().Within();
        return report.Entries["transfer-store"];
    }

    private static ServiceProvider Services(IAmazonS3 s3, Action<IHealthChecksBuilder> add, Action<TransferClientOptions>? configure = null)
    {
        ServiceCollection services = new();
        services.AddLogging().AddSingleton(s3).AddTransfer(configure);
        add(services.AddHealthChecks());
        return services.BuildServiceProvider();
    }
}
