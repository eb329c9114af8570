using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Configuration;

public sealed class AddTransferTests
{
    // Options that text can't represent.
    private static readonly string[] Objects =
        [nameof(AdvancedOptions.ArrayPool), nameof(TransferClientOptions.MeterFactory), nameof(TransferClientOptions.Events), nameof(TransferClientOptions.Limit), nameof(TransferClientOptions.LoggerFactory), nameof(AdvancedOptions.TimeProvider),
            nameof(AdvancedOptions.EnvironmentVariables), nameof(AdvancedOptions.RequestObserver), nameof(TransferClientOptions.Advanced), nameof(TransferClientOptions.ConfigureTls), nameof(TransferClientOptions.OwnFiles), nameof(AdvancedOptions.WrapHandler)];

    [Fact]
    public async Task Client_ResolvedByClassAndInterface_IsTheSameAndDownloads()
    {
        FakeS3 s3 = new();
        byte[] content = s3.Put(1000);
        await using ServiceProvider services = new ServiceCollection().AddTransfer(o => o.MaxAttempts = 7).AddSingleton(s3.Client).BuildServiceProvider(validateScopes: true);

        ITransferClient client = services.GetRequiredService<ITransferClient>();
        MemoryStream target = new();
        await client.DownloadAsync(FakeS3.Bucket, FakeS3.Key, target).Within();

        Assert.Equal(content, target.ToArray());
        Assert.Same(services.GetRequiredService<TransferClient>(), client);
        Assert.Equal(7, ((TransferClient)client).Context.Settings.MaxAttempts);
    }

    [Fact]
    public async Task Container_DisposesTheClient()
    {
        ServiceProvider services = new ServiceCollection().AddTransfer().AddSingleton(new FakeS3().Client).BuildServiceProvider();
        ITransferClient client = services.GetRequiredService<ITransferClient>();

        await services.DisposeAsync();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => client.OpenReadAsync(FakeS3.Bucket, FakeS3.Key));
    }

    [Fact]
    public async Task Client_NoS3IsRegistered_ErrorSaysWhatIsMissing()
    {
        await using ServiceProvider services = new ServiceCollection().AddTransfer().BuildServiceProvider();

        InvalidOperationException e = Assert.Throws<InvalidOperationException>(services.GetRequiredService<ITransferClient>);

        Assert.Contains("IAmazonS3, and none is registered", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Options_Invalid_FailAtStartWithTheErrorOfTheClient()
    {
        using ServiceProvider services = new ServiceCollection().AddTransfer(o => o.MaxConcurrency = 0).BuildServiceProvider();
        FakeS3 s3 = new();
        ArgumentException own = await Assert.ThrowsAsync<ArgumentOutOfRangeException>(async () =>
        {
            await using TransferClient client = new(s3.Client, new TransferClientOptions { MaxConcurrency = 0 });
        });

        OptionsValidationException e = Assert.Throws<OptionsValidationException>(services.GetRequiredService<IStartupValidator>().Validate);

        Assert.Equal("TransferClientOptions: MaxConcurrency is 0; it must be from 1 to 1024.", e.Message);
        Assert.Contains("MaxConcurrency is 0; it must be from 1 to 1024.", own.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task LoggerAndClock_NotSet_AreResolvedFromTheContainer()
    {
        FakeTimeProvider registered = new();
        FakeTimeProvider own = new();
        using LoggerFactory factory = new();
        IServiceCollection collection = new ServiceCollection().AddSingleton(new FakeS3().Client).AddSingleton<TimeProvider>(registered).AddSingleton<ILoggerFactory>(factory);

        await using ServiceProvider taken = collection.AddTransfer().BuildServiceProvider();
        Assert.Same(registered, Settings(taken).TimeProvider);
        Assert.Same(factory, Settings(taken).LoggerFactory);

        await using ServiceProvider named = collection.AddTransfer(o => (o.Advanced.TimeProvider, o.LoggerFactory) = (own, NullLoggerFactory.Instance)).BuildServiceProvider();
        Assert.Same(own, Settings(named).TimeProvider);
        Assert.Same(NullLoggerFactory.Instance, Settings(named).LoggerFactory);

        static Transfer.S3.Requests.ClientSettings Settings(IServiceProvider services) => services.GetRequiredService<TransferClient>().Context.Settings;
    }

    [Fact]
    public void Configuration_SetsEveryOptionThatTextCanRepresent()
    {
        Dictionary<string, string?> values = new()
        {
            ["Transfer:MaxConcurrency"] = "17",
            ["Transfer:DownloadPartSizeBytes"] = "16MiB",
            ["Transfer:UploadPartSizeBytes"] = "7 MB",
            ["Transfer:MultipartThresholdBytes"] = "1048577",
            ["Transfer:MemoryBytes"] = "1GiB",
            ["Transfer:Advanced:ChunkSizeBytes"] = "32KiB",
            ["Transfer:MaxAttempts"] = "9",
            ["Transfer:StallTimeout"] = "00:00:45",
            ["Transfer:RetryFor"] = "00:02:00",
            ["Transfer:RateLimit"] = "20MiB,down=5MiB",
            ["Transfer:Advanced:Wire"] = "sdk",
            ["Transfer:MaxUploadConcurrency"] = "3",
            ["Transfer:Advanced:MaxUploadParts"] = "1000",
            ["Transfer:Advanced:EqualUploadParts"] = "true",
            ["Transfer:Advanced:PayloadSigning"] = "always",
            ["Transfer:Advanced:ExpectContinue"] = "True",
            ["Transfer:ExpectedBucketOwner"] = "123456789012",
            ["Transfer:ProgressInterval"] = "00:00:00.5",
            ["Transfer:StateDirectory"] = "/var/lib/it",
            ["Transfer:HedgeRequests"] = "false",
        };

        TransferClientOptions options = Read(values);

        Assert.Equal(
            (3, 1000, true, PayloadSigning.Always, true),
            (options.MaxUploadConcurrency, options.Advanced.MaxUploadParts, options.Advanced.EqualUploadParts, options.Advanced.PayloadSigning, options.Advanced.ExpectContinue));
        Assert.Equal(
            (17, 16L << 20, 7_000_000L, 1048577L, 1L << 30, 32 << 10, 9, TimeSpan.FromSeconds(45), TransferWire.Sdk, TimeSpan.FromSeconds(0.5)),
            (options.MaxConcurrency!.Value, options.DownloadPartSizeBytes!.Value, options.UploadPartSizeBytes!.Value, options.MultipartThresholdBytes!.Value, options.MemoryBytes!.Value,
                options.Advanced.ChunkSizeBytes, options.MaxAttempts, options.StallTimeout, options.Advanced.Wire, options.ProgressInterval));
        Assert.EachEqual(("/var/lib/it", "123456789012"), (options.StateDirectory, options.ExpectedBucketOwner));
        Assert.EachEqual((false, TimeSpan.FromMinutes(2)), (options.HedgeRequests, options.RetryFor));
        Assert.EachEqual((20L << 20, 5L << 20), (options.RateLimit?.TotalBytesPerSecond, options.RateLimit?.DownloadBytesPerSecond));
        IEnumerable<string> names = [.. typeof(TransferClientOptions).GetProperties().Select(p => p.Name).Except(Objects), .. typeof(AdvancedOptions).GetProperties().Select(p => p.Name).Except(Objects).Select(name => $"Advanced:{name}")];
        Assert.All(names, name => Assert.Contains($"Transfer:{name}", values.Keys));
    }

    [Fact]
    public void Configuration_Empty_LeavesTheDefaults()
    {
        TransferClientOptions options = Read(new() { ["Transfer:MaxConcurrency"] = "auto", ["Transfer:MemoryBytes"] = "" });

        Assert.EachEqual((null, null, new TransferClientOptions().DownloadPartSizeBytes), (options.MaxConcurrency, options.MemoryBytes, options.DownloadPartSizeBytes));
    }

    [Theory]
    [InlineData("MemoryBytes", "8 bananas")]
    [InlineData("MemoryBytes", "-1")]
    [InlineData("MemoryBytes", "9999999999TiB")]
    [InlineData("Advanced:ChunkSizeBytes", "4GiB")]
    [InlineData("MaxConcurrency", "many")]
    [InlineData("StallTimeout", "soon")]
    [InlineData("RateLimit", "fast")]
    [InlineData("Advanced:Wire", "7")]
    public void Configuration_Invalid_ErrorNamesTheKeyAndTheValue(string key, string value)
    {
        OptionsValidationException e = Assert.Throws<OptionsValidationException>(() => Read(new() { [$"Transfer:{key}"] = value }));

        Assert.StartsWith($"Transfer:{key} is '{value}'; it must be ", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("MemoryByte", "1MiB", "Transfer:MemoryByte is not an option that configuration can set. The options are MaxConcurrency, ")]
    [InlineData("LoggerFactory", "x", "Transfer:LoggerFactory is not an option that configuration can set. ")]
    [InlineData("memorybyte", "", "Transfer:memorybyte is not an option that configuration can set. ")]
    [InlineData("RateLimit:Up", "1MiB", "Transfer:RateLimit contains keys; it must be a value: ")]
    [InlineData("Advanced:ChunkSizeByte", "32KiB", "Transfer:Advanced:ChunkSizeByte is not an option that configuration can set. The options are MaxConcurrency, ")]
    [InlineData("Advanced:MaxAttempts", "3", "Transfer:Advanced:MaxAttempts is not an option that configuration can set. ")]
    [InlineData("Advanced:Wire:Kind", "Sdk", "Transfer:Advanced:Wire contains keys; it must be a value: ")]
    [InlineData("Advanced", "x", "Transfer:Advanced is not an option that configuration can set. ")]
    [InlineData("ChunkSizeBytes", "32KiB", "Transfer:ChunkSizeBytes is not an option that configuration can set. ")]
    public void Section_KeyIsNoOption_IsRejected(string key, string value, string message)
    {
        OptionsValidationException e = Assert.Throws<OptionsValidationException>(() => Read(new() { [$"Transfer:{key}"] = value }));

        Assert.StartsWith(message, e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Section_KeyIsInAnotherCase_IsRead() => Assert.Equal(7, Read(new() { ["Transfer:maxattempts"] = "7" }).MaxAttempts);

    [Fact]
    public void WholeConfiguration_HasOtherKeys_IsRead()
    {
        IConfiguration configuration = new ConfigurationBuilder().AddInMemoryCollection(new Dictionary<string, string?> { ["MaxAttempts"] = "7", ["PATH"] = "/bin" }).Build();
        using ServiceProvider services = new ServiceCollection().AddTransfer(configuration).BuildServiceProvider();

        Assert.Equal(7, services.GetRequiredService<IOptions<TransferClientOptions>>().Value.MaxAttempts);
    }

    [Fact]
    public async Task KeyedClients_HaveTheirOwnStoreAndOptions()
    {
        FakeS3 near = new();
        FakeS3 far = new();
        byte[] nearContent = near.Put(1000);
        byte[] farContent = far.Put(2000);
        IConfiguration configuration = new ConfigurationBuilder().AddInMemoryCollection(new Dictionary<string, string?> { ["Far:MaxAttempts"] = "3" }).Build();
        await using ServiceProvider services = new ServiceCollection()
            .AddTransfer(o => o.MaxAttempts = 5).AddSingleton(new FakeS3().Client)
            .AddKeyedTransfer("near", o => o.MaxAttempts = 4).AddKeyedSingleton("near", near.Client)
            .AddKeyedTransfer("far", configuration.GetSection("Far")).AddKeyedSingleton("far", far.Client)
            .BuildServiceProvider(validateScopes: true);

        Assert.Equal(nearContent, await ReadAsync("near"));
        Assert.Equal(farContent, await ReadAsync("far"));
        Assert.EachEqual((4, 3, 5), (Attempts(Get("near")), Attempts(Get("far")), Attempts(services.GetRequiredService<ITransferClient>())));
        Assert.Same(services.GetRequiredKeyedService<TransferClient>("far"), Get("far"));

        ITransferClient Get(string name) => services.GetRequiredKeyedService<ITransferClient>(name);

        static int Attempts(ITransferClient client) => ((TransferClient)client).Context.Settings.MaxAttempts;

        async Task<byte[]> ReadAsync(string name)
        {
            MemoryStream target = new();
            await Get(name).DownloadAsync(FakeS3.Bucket, FakeS3.Key, target).Within();
            return target.ToArray();
        }
    }

    [Fact]
    public async Task KeyedClient_IsDisposedWithTheContainer()
    {
        ServiceProvider services = new ServiceCollection().AddKeyedTransfer("far").AddKeyedSingleton("far", new FakeS3().Client).BuildServiceProvider();
        ITransferClient client = services.GetRequiredKeyedService<ITransferClient>("far");

        await services.DisposeAsync();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => client.OpenReadAsync(FakeS3.Bucket, FakeS3.Key));
    }

    [Fact]
    public async Task KeyedClient_NoS3WithItsKey_DoesNotUseAnotherStore()
    {
        await using ServiceProvider services = new ServiceCollection().AddKeyedTransfer("far").AddSingleton(new FakeS3().Client).BuildServiceProvider();

        InvalidOperationException e = Assert.Throws<InvalidOperationException>(() => services.GetRequiredKeyedService<ITransferClient>("far"));

        Assert.Contains("an IAmazonS3 with the key \"far\", and none is registered", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void KeyedOptions_Invalid_AreRejectedAtStartWithTheirName()
    {
        using ServiceProvider services = new ServiceCollection().AddKeyedTransfer("far", o => o.MaxConcurrency = 0).BuildServiceProvider();

        OptionsValidationException e = Assert.Throws<OptionsValidationException>(services.GetRequiredService<IStartupValidator>().Validate);

        Assert.Equal("TransferClientOptions 'far': MaxConcurrency is 0; it must be from 1 to 1024.", e.Message);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    public void KeyedClient_WithoutAName_IsRejected(string? name) => Assert.ThrowsAny<ArgumentException>(() => new ServiceCollection().AddKeyedTransfer(name!));

    private static TransferClientOptions Read(Dictionary<string, string?> values)
    {
        IConfiguration configuration = new ConfigurationBuilder().AddInMemoryCollection(values).Build();
        using ServiceProvider services = new ServiceCollection().AddTransfer(configuration.GetSection("Transfer")).BuildServiceProvider();
        return services.GetRequiredService<IOptions<TransferClientOptions>>().Value;
    }
}
