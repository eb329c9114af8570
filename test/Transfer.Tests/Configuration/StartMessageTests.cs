using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Configuration;

/// <summary>The log message that lists the options of a client that differ from the defaults, and their sources.</summary>
public sealed class StartMessageTests
{
    [Fact]
    public async Task Defaults_AreOneLine()
        => Assert.Equal(["Information: Transfer client 'default' started with the default options"], await StartAsync(services => services.AddTransfer(IgnoreEnvironment)));

    [Fact]
    public async Task EveryKindOfValue_IsLoggedWithItsSource()
    {
        IConfiguration configuration = new ConfigurationBuilder().AddInMemoryCollection(new Dictionary<string, string?>
        {
            ["Transfer:MemoryBytes"] = "256MiB",
            ["Transfer:StallTimeout"] = "00:01:00",
            ["Transfer:MaxAttempts"] = "3",
            ["Transfer:HedgeRequests"] = "true",
            ["Transfer:RateLimit"] = "20MiB,up=5MiB",
        }).Build();

        IReadOnlyList<string> lines = await StartAsync(services => services
            .AddKeyedTransfer("far", configuration.GetSection("Transfer"))
            .AddKeyedTransfer("far", options =>
            {
                options.MaxAttempts = 4; // replaces the value from the section
                options.Advanced.Wire = TransferWire.Sdk;
                options.Advanced.ChunkSizeBytes = 5000;
                options.StateDirectory = string.Empty;
                options.Advanced.EnvironmentVariables = name => name switch { "TRANSFER_CONCURRENCY" => "17", "TRANSFER_MEMORY" => "1GiB", _ => null };
            }));

        Assert.Equal(
            [
                "Information: Transfer client 'far' started with MaxConcurrency=17 (TRANSFER_CONCURRENCY), MemoryBytes=256MiB (Transfer:MemoryBytes), Advanced:ChunkSizeBytes=5KB (code), "
                    + "RateLimit=20MiB,up=5MiB (Transfer:RateLimit), MaxAttempts=4 (code), StallTimeout=00:01:00 (Transfer:StallTimeout), Advanced:Wire=Sdk (code), StateDirectory='' (code)",
            ],
            lines);
    }

    private static void IgnoreEnvironment(TransferClientOptions options) => options.Advanced.EnvironmentVariables = _ => null;

    private static async Task<IReadOnlyList<string>> StartAsync(Action<IServiceCollection> register)
    {
        using LogLines lines = new();
        using LoggerFactory factory = new([lines]);
        ServiceCollection collection = new();
        register(collection.AddSingleton<ILoggerFactory>(factory).AddSingleton(new FakeS3().Client).AddKeyedSingleton("far", new FakeS3().Client));
        await using ServiceProvider services = collection.BuildServiceProvider();
        _ = services.GetKeyedService<ITransferClient>("far") ?? services.GetRequiredService<ITransferClient>();
        return [.. lines.Written.Where(line => line.Contains("started with", StringComparison.Ordinal))];
    }
}
