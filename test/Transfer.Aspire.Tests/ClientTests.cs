using Amazon.S3;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;
using Transfer.S3.Aspire;

namespace Transfer.S3.AspireTests;

/// <summary>What <c>AddTransferClient</c> registers, by configuration.</summary>
public sealed class ClientTests
{
    [Theory]
    [InlineData("Endpoint=http://127.0.0.1:9000;AccessKeyId=id;SecretAccessKey=se/cr+et==;Region=eu-west-1", "http://127.0.0.1:9000/", "eu-west-1")]
    [InlineData("endpoint=\"http://127.0.0.1:9000\";accesskey=id;secretkey=se/cr+et==", "http://127.0.0.1:9000/", "us-east-1")]
    public async Task ConnectionString_WithPairs_IsUsed(string text, string endpoint, string region)
    {
        TransferClientSettings? seen = null;
        await using ServiceProvider services = Build(builder => builder.AddTransferClient("store", settings => seen = settings), ("ConnectionStrings:store", text));

        AssertStore(services, endpoint, region, isPathStyle: true);
        Assert.Equal("id", seen!.AccessKeyId);
        Assert.Equal("se/cr+et==", seen.SecretAccessKey);
    }

    [Fact]
    public async Task ConnectionString_AsUrl_IsTheEndpoint()
    {
        await using ServiceProvider services = Build(builder => builder.AddTransferClient("store"), ("ConnectionStrings:store", "http://127.0.0.1:9000"));

        AssertStore(services, "http://127.0.0.1:9000/", "us-east-1", isPathStyle: true);
    }

    [Theory]
    [InlineData("Endpoint=ftp://host;SecretAccessKey=hidden", "the value of 'endpoint' is invalid")]
    [InlineData("http://id:hidden@127.0.0.1:9000", "neither a URL nor pairs")]
    [InlineData("Password=hidden", "the key 'password' is unknown")]
    [InlineData("hidden", "neither a URL nor pairs")]
    public void ConnectionString_Invalid_ErrorNamesItWithoutItsSecret(string text, string expected)
    {
        InvalidOperationException e = Assert.Throws<InvalidOperationException>(() => Build(builder => builder.AddTransferClient("store"), ("ConnectionStrings:store", text)));

        Assert.Contains("ConnectionStrings:store", e.Message, StringComparison.Ordinal);
        Assert.Contains(expected, e.Message, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("hidden", e.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void KeyWithoutSecret_IsRefused()
    {
        using ServiceProvider services = Build(builder => builder.AddTransferClient("store"), ("ConnectionStrings:store", "Endpoint=http://127.0.0.1:9000;AccessKeyId=id"));

        Assert.Contains("without a secret access key", Assert.Throws<InvalidOperationException>(services.GetRequiredService<IAmazonS3>).Message, StringComparison.Ordinal);
    }

    /// <summary>Each value from the last place that has it: common, of the connection, the connection string, code.</summary>
    [Fact]
    public async Task Settings_OfTheConnection_ComeAfterCommonOnes()
    {
        TransferClientSettings? seen = null;
        await using ServiceProvider services = Build(
            builder => builder.AddTransferClient("store", settings => seen = settings, options => options.MaxAttempts = 5),
            ("Aspire:Transfer:S3:Region", "eu-west-1"),
            ("Aspire:Transfer:S3:Endpoint", "http://127.0.0.1:1"),
            ("Aspire:Transfer:S3:HealthCheckTimeout", "00:00:02"),
            ("Aspire:Transfer:S3:Options:MaxConcurrency", "7"),
            ("Aspire:Transfer:S3:Options:MemoryBytes", "64MiB"),
            ("Aspire:Transfer:S3:store:Region", "eu-west-2"),
            ("Aspire:Transfer:S3:store:Options:MemoryBytes", "32MiB"),
            ("Aspire:Transfer:S3:other:Region", "eu-west-3"),
            ("ConnectionStrings:store", "http://127.0.0.1:2"));

        TransferClientOptions options = services.GetRequiredService<IOptions<TransferClientOptions>>().Value;
        Assert.Equal((7, 32 << 20, 5), (options.MaxConcurrency, options.MemoryBytes, options.MaxAttempts));
        Assert.Equal(TimeSpan.FromSeconds(2), seen!.HealthCheckTimeout);
        AssertStore(services, "http://127.0.0.1:2/", "eu-west-2", isPathStyle: true);
    }

    [Theory]
    [InlineData("Aspire:Transfer:S3:Regoin", "eu-west-1")]
    [InlineData("Aspire:Transfer:S3:store:DisableTracing", "perhaps")]
    public void Setting_Misspelled_IsNamed(string key, string value)
        => Assert.Contains(key, Assert.Throws<InvalidOperationException>(() => Build(builder => builder.AddTransferClient("store"), (key, value))).Message, StringComparison.Ordinal);

    [Fact]
    public async Task Disabled_RegistersNothingOfIt()
    {
        await using ServiceProvider services = Build(
            builder => builder.AddTransferClient("store"),
            ("ConnectionStrings:store", "http://127.0.0.1:9000"),
            ("Aspire:Transfer:S3:DisableHealthChecks", "true"),
            ("Aspire:Transfer:S3:DisableTracing", "true"),
            ("Aspire:Transfer:S3:DisableMetrics", "true"),
            ("Aspire:Transfer:S3:DisableLogging", "true"));

        Assert.Null(services.GetService<HealthCheckService>());
        Assert.Null(services.GetService<TracerProvider>());
        Assert.Null(services.GetService<MeterProvider>());
        Assert.Same(Microsoft.Extensions.Logging.Abstractions.NullLoggerFactory.Instance, services.GetRequiredService<IOptions<TransferClientOptions>>().Value.LoggerFactory);
    }

    [Fact]
    public async Task Keyed_TwoStores_HaveClientsAndHealthChecksOfTheirOwn()
    {
        await using ServiceProvider services = Build(
            builder =>
            {
                builder.AddTransferClient("store");
                builder.AddKeyedTransferClient("archive");
                builder.AddKeyedTransferClient("archive"); // as two libraries may do
            },
            ("ConnectionStrings:store", "http://127.0.0.1:1"),
            ("ConnectionStrings:archive", "http://127.0.0.1:2"),
            ("Aspire:Transfer:S3:archive:Options:MaxAttempts", "3"));

        Assert.NotSame(services.GetRequiredService<ITransferClient>(), services.GetRequiredKeyedService<ITransferClient>("archive"));
        Assert.Equal("http://127.0.0.1:2/", services.GetRequiredKeyedService<IAmazonS3>("archive").Config.ServiceURL);
        Assert.Equal("http://127.0.0.1:1/", services.GetRequiredService<IAmazonS3>().Config.ServiceURL);
        Assert.Equal(3, services.GetRequiredService<IOptionsMonitor<TransferClientOptions>>().Get("archive").MaxAttempts);
        Assert.Equal(
            ["Transfer.S3", "Transfer.S3_archive"],
            services.GetRequiredService<IOptions<HealthCheckServiceOptions>>().Value.Registrations.Select(check => check.Name).Order(StringComparer.Ordinal));
    }

    private static void AssertStore(IServiceProvider services, string endpoint, string region, bool isPathStyle)
    {
        AmazonS3Config config = Assert.IsType<AmazonS3Config>(services.GetRequiredService<IAmazonS3>().Config);
        Assert.Equal((endpoint, region, isPathStyle), (config.ServiceURL, config.AuthenticationRegion, config.ForcePathStyle));
    }

    private static ServiceProvider Build(Action<HostApplicationBuilder> add, params (string Key, string Value)[] configuration)
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection(configuration.ToDictionary(pair => pair.Key, pair => (string?)pair.Value));
        add(builder);
        return builder.Services.BuildServiceProvider();
    }
}
