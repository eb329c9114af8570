using Transfer.S3.Requests;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Requests;

/// <summary>Settings from environment variables apply where options are not set. They are validated, and logged with their names.</summary>
public sealed class EnvironmentSettingsTests : TransferTest
{
    private const long MiB = 1 << 20;

    [Fact]
    public void EveryVariable_OptionIsNotSet_IsUsed()
    {
        ClientSettings settings = From(new TransferClientOptions(), Everything);

        Assert.Equal(
            (3, true, 5, 6 * MiB, 2 * MiB, 100 * MiB),
            (settings.MaxConcurrency, settings.IsConcurrencyGiven, settings.MaxUploadConcurrency, settings.UploadPartSizeBytes, settings.DownloadPartSizeBytes, settings.MemoryBytes));
        Assert.EachEqual((20 * MiB, null, 5 * MiB), (settings.RateLimit?.TotalBytesPerSecond, settings.RateLimit?.DownloadBytesPerSecond, settings.RateLimit?.UploadBytesPerSecond));
        Assert.Equal(Everything.Count, settings.FromEnvironment.Count);
        Assert.All(settings.FromEnvironment, taken => Assert.Equal(Everything[taken.Variable], taken.Value));
    }

    [Fact]
    public void Option_IsSet_VariableIsNotRead()
    {
        TransferClientOptions options = new()
        {
            MaxConcurrency = 7,
            MaxUploadConcurrency = 8,
            UploadPartSizeBytes = 9 * MiB,
            DownloadPartSizeBytes = 10 * MiB,
            MemoryBytes = 64 * MiB,
            RateLimit = new RateLimit(),
        };

        ClientSettings settings = From(options, Everything.ToDictionary(pair => pair.Key, _ => "nonsense"));

        Assert.Equal(
            (7, 8, 9 * MiB, 10 * MiB, 64 * MiB),
            (settings.MaxConcurrency, settings.MaxUploadConcurrency, settings.UploadPartSizeBytes, settings.DownloadPartSizeBytes, settings.MemoryBytes));
        Assert.Empty(settings.FromEnvironment);
    }

    [Theory]
    [InlineData("TRANSFER_CONCURRENCY", "0", "from 1 to 1024")]
    [InlineData("TRANSFER_CONCURRENCY", "1025", "from 1 to 1024")]
    [InlineData("TRANSFER_UPLOAD_CONCURRENCY", "many", "from 1 to 1024")]
    [InlineData("TRANSFER_UPLOAD_CONCURRENCY", "-1", "from 1 to 1024")]
    [InlineData("TRANSFER_UPLOAD_PART_SIZE", "4MiB", "from 5 MiB to 5 GiB")]
    [InlineData("TRANSFER_UPLOAD_PART_SIZE", "6GiB", "from 5 MiB to 5 GiB")]
    [InlineData("TRANSFER_UPLOAD_PART_SIZE", "big", "from 5 MiB to 5 GiB")]
    [InlineData("TRANSFER_DOWNLOAD_PART_SIZE", "1KiB", "from 64 KiB to 5 GiB")]
    [InlineData("TRANSFER_MEMORY", "1", "from 1 MiB to 1 TiB")]
    [InlineData("TRANSFER_LIMIT_RATE", "1", "from 1 KiB to 1 TiB")]
    [InlineData("TRANSFER_LIMIT_RATE", "1MiB,1MiB", "each at most once")]
    [InlineData("TRANSFER_LIMIT_RATE", "up=1MiB,up=1MiB", "each at most once")]
    [InlineData("TRANSFER_LIMIT_RATE", "side=1MiB", "down=SIZE, and up=SIZE")]
    public void InvalidValue_ErrorNamesVariableValueAndRange(string variable, string value, string range)
    {
        ArgumentException e = Assert.Throws<ArgumentException>(() => From(new TransferClientOptions(), new() { [variable] = value }));

        Assert.Contains(variable, e.Message, StringComparison.Ordinal);
        Assert.Contains($"'{value}'", e.Message, StringComparison.Ordinal);
        Assert.Contains(range, e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("  ")]
    [InlineData("auto")]
    public void EmptyOrAutoValue_UsesTheDefault(string value)
    {
        ClientSettings settings = From(new TransferClientOptions(), new() { ["TRANSFER_CONCURRENCY"] = value, ["TRANSFER_UPLOAD_CONCURRENCY"] = value });

        Assert.EachEqual((256, false, 256), (settings.MaxConcurrency, settings.IsConcurrencyGiven, settings.MaxUploadConcurrency));
        Assert.Empty(settings.FromEnvironment);
    }

    [Fact]
    public void UploadConcurrency_ClientConcurrencyIsSet_FollowsIt()
    {
        Assert.Equal(2, From(new TransferClientOptions { MaxConcurrency = 2 }, []).MaxUploadConcurrency);
        Assert.Equal(4, From(new TransferClientOptions(), new() { ["TRANSFER_CONCURRENCY"] = "4" }).MaxUploadConcurrency);
    }

    [Theory]
    [InlineData(1, 5)]
    [InlineData(6, 5)]
    [InlineData(12, 6)]
    [InlineData(16, 8)]
    [InlineData(100, 8)]
    public void PartSize_NotSet_IsHalfOfTheMemory(long memory, long part)
    {
        ClientSettings settings = From(new TransferClientOptions { MemoryBytes = memory * MiB }, []);

        Assert.EachEqual((part * MiB, part * MiB), (settings.UploadPartSizeBytes, settings.MultipartThresholdBytes));
    }

    [Theory]
    [InlineData(8_000_000, 64 * 1024, 122)]
    [InlineData(MiB, 80 * 1024, 12)]
    [InlineData((10 * MiB) - 1, 4096, 2559)]
    public void Memory_IsRoundedToWholeChunks_AsAreDefaultParts(long memory, int chunk, int chunks)
    {
        ClientSettings settings = From(new TransferClientOptions { MemoryBytes = memory, Advanced = { ChunkSizeBytes = chunk } }, []);

        Assert.Equal((long)chunks * chunk, settings.MemoryBytes);
        Assert.Equal(5 * MiB, settings.UploadPartSizeBytes);
    }

    private static Dictionary<string, string> Everything { get; } = new()
    {
        ["TRANSFER_CONCURRENCY"] = "3",
        ["TRANSFER_UPLOAD_CONCURRENCY"] = "5",
        ["TRANSFER_UPLOAD_PART_SIZE"] = "6MiB",
        ["TRANSFER_DOWNLOAD_PART_SIZE"] = "2 MiB",
        ["TRANSFER_MEMORY"] = "100MiB",
        ["TRANSFER_LIMIT_RATE"] = "20MiB, up=5MiB",
    };

    private static ClientSettings From(TransferClientOptions options, Dictionary<string, string> environment)
    {
        options.Advanced.EnvironmentVariables = name => environment.GetValueOrDefault(name);
        return ClientSettings.From(options);
    }
}
