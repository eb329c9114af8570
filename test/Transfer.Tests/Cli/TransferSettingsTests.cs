using System.Text.RegularExpressions;
using Transfer.S3.Cli.Options;
using Transfer.S3.Requests;

namespace Transfer.S3.Tests.Cli;

public sealed class TransferSettingsTests
{
    [Fact]
    public void Resolve_NoOptions_UsesTheDefaultsOfTheLibrary()
    {
        TransferClientOptions options = Resolve("", uploads: true).Limits.ToClientOptions();
        TransferClientOptions defaults = new();
        Assert.Equal(defaults.MaxConcurrency, options.MaxConcurrency);
        Assert.Equal(defaults.MemoryBytes, options.MemoryBytes);
        Assert.Equal(defaults.UploadPartSizeBytes, options.UploadPartSizeBytes);
        Assert.Equal(defaults.DownloadPartSizeBytes, options.DownloadPartSizeBytes);
    }

    [Fact]
    public void Resolve_CommandLineAndEnvironment_UsesTheCommandLine()
    {
        TransferSettings settings = Resolve("--part-size 16MiB --concurrency auto", uploads: true, ("TRANSFER_PART_SIZE", "wrong"), ("TRANSFER_CONCURRENCY", "3"));
        Assert.Equal(16L << 20, settings.PartSizeBytes);
        Assert.Null(settings.Concurrency);
    }

    [Fact]
    public void Resolve_EnvironmentOnly_IsUsed()
    {
        TransferSettings settings = Resolve(
            "", uploads: true, ("TRANSFER_CONCURRENCY", "3"), ("TRANSFER_MEMORY", "64MiB"), ("TRANSFER_CHECKSUM", "crc32c"), ("TRANSFER_NO_CLOBBER", "1"), ("TRANSFER_PART_SIZE", ""));
        Assert.Equal(3, settings.Concurrency);
        Assert.Equal(64L << 20, settings.Limits.MemoryBytes);
        Assert.Equal(ChecksumAlgorithm.Crc32C, settings.Checksum);
        Assert.True(settings.NoClobber);
        Assert.Null(settings.PartSizeBytes);
    }

    [Fact]
    public void Resolve_SwitchIsFalseOnTheCommandLine_OverridesTheEnvironment() => Assert.False(Resolve("--no-clobber=false", uploads: true, ("TRANSFER_NO_CLOBBER", "true")).NoClobber);

    [Theory]
    [InlineData("--part-size 5MiB", true)]
    [InlineData("--part-size 5GiB --memory 5GiB", true)]
    [InlineData("--part-size 64KiB", false)]
    [InlineData("--part-size 5GiB", false)]
    [InlineData("--memory 1MiB", false)]
    [InlineData("--memory 1TiB", false)]
    [InlineData("--limit-rate 1KiB,down=1TiB,up=1.5MiB", true)]
    [InlineData("--concurrency 1", false)]
    [InlineData("--concurrency 1024", false)]
    public void Limits_LimitsOfRanges_AreAccepted(string line, bool uploads) => Assert.NotNull(Resolve(line, uploads).Limits);

    [Theory]
    [InlineData("--part-size 5242879", true, "--part-size", "5242879")]
    [InlineData("--part-size 5368709121", true, "--part-size", "5368709121")]
    [InlineData("--part-size 65535", false, "--part-size", "65535")]
    [InlineData("--part-size nonsense", false, "--part-size", "nonsense")]
    [InlineData("--memory 1048575", false, "--memory", "1048575")]
    [InlineData("--memory 2TiB", false, "--memory", "2TiB")]
    [InlineData("--memory 4MiB", true, "--memory", "5 MiB")]
    [InlineData("--part-size 64MiB --memory 32MiB", true, "--part-size", "--memory")]
    [InlineData("--concurrency 0", false, "--concurrency", "'0'")]
    [InlineData("--concurrency 1025", false, "--concurrency", "1024")]
    [InlineData("--concurrency many", false, "--concurrency", "many")]
    [InlineData("--limit-rate 1023", false, "--limit-rate", "'1023'")]
    [InlineData("--limit-rate 2TiB", false, "--limit-rate", "1 TiB")]
    [InlineData("--limit-rate 1MiB,2MiB", false, "--limit-rate", "'1MiB,2MiB'")]
    [InlineData("--limit-rate up=1MiB,up=1MiB", false, "--limit-rate", "at most once")]
    [InlineData("--limit-rate 1MiB,side=2MiB", false, "--limit-rate", "'1MiB,side=2MiB'")]
    [InlineData("--limit-rate =2MiB", false, "--limit-rate", "'=2MiB'")]
    [InlineData("--limit-rate 1MiB,", false, "--limit-rate", "'1MiB,'")]
    [InlineData("--limit-rate none,1MiB", false, "--limit-rate", "'none,1MiB'")]
    [InlineData("--checksum content-md5", false, "--checksum", "crc64nvme")]
    public void Resolve_OutOfRange_ErrorNamesOptionAndValueOrRange(string line, bool uploads, string option, string text)
    {
        TransferSettings settings = Resolve(line, uploads);
        UsageException error = Assert.Throws<UsageException>(() => (settings.Limits, settings.Checksum));
        Assert.Contains(option, error.Message, StringComparison.Ordinal);
        Assert.Contains(text, error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("auto", ChecksumAlgorithm.Auto)]
    [InlineData("none", ChecksumAlgorithm.None)]
    [InlineData("crc64nvme", ChecksumAlgorithm.Crc64Nvme)]
    [InlineData("crc32c", ChecksumAlgorithm.Crc32C)]
    [InlineData("CRC32", ChecksumAlgorithm.Crc32)]
    [InlineData("sha1", ChecksumAlgorithm.Sha1)]
    [InlineData("sha256", ChecksumAlgorithm.Sha256)]
    [InlineData("sha512", ChecksumAlgorithm.Sha512)]
    [InlineData("xxhash64", ChecksumAlgorithm.XxHash64)]
    [InlineData("XXHash3", ChecksumAlgorithm.XxHash3)]
    [InlineData("xxhash128", ChecksumAlgorithm.XxHash128)]
    [InlineData("md5", ChecksumAlgorithm.Md5)]
    public void Checksum_Name_IsTheAlgorithm(string name, ChecksumAlgorithm expected) => Assert.Equal(expected, Resolve($"--checksum {name}", uploads: true).Checksum);

    [Theory]
    [InlineData("contentmd5")]
    [InlineData("3")]
    [InlineData("crc32,crc32c")]
    [InlineData("crc")]
    public void Checksum_UnknownName_ErrorNamesAll(string name)
    {
        UsageException error = Assert.Throws<UsageException>(() => Resolve($"--checksum {name}", uploads: true).Checksum);
        Assert.Equal(
            $"--checksum got '{name}'; it accepts auto, crc64nvme, crc32c, crc32, sha1, sha256, sha512, xxhash64, xxhash3, xxhash128, md5, or none", error.Message);
    }

    /// <summary>A variable of the environment is for uploads as well.</summary>
    [Fact]
    public void Verifies_AnotherChecksum_IsRejectedOnTheCommandLine()
    {
        UsageException error = Assert.Throws<UsageException>(() => Resolve("--checksum crc32c", uploads: false).Verifies);
        Assert.StartsWith("--checksum got 'crc32c'; it accepts auto or none for a download", error.Message, StringComparison.Ordinal);
        Assert.True(Resolve("", uploads: false, ("TRANSFER_CHECKSUM", "crc32c")).Verifies);
        Assert.False(Resolve("--checksum none", uploads: false).Verifies);
    }

    [Fact]
    public void Resolve_InvalidValueInTheEnvironment_ErrorNamesTheVariable()
    {
        UsageException error = Assert.Throws<UsageException>(() => Resolve("", uploads: true, ("TRANSFER_PART_SIZE", "1MiB")).Limits);
        Assert.StartsWith("TRANSFER_PART_SIZE got '1MiB'; it accepts ", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Resolve_InvalidSwitchInTheEnvironment_ErrorNamesTheVariable()
    {
        UsageException error = Assert.Throws<UsageException>(() => Resolve("", uploads: true, ("TRANSFER_DRY_RUN", "perhaps")).DryRun);
        Assert.Contains("TRANSFER_DRY_RUN got 'perhaps'", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void ToClientOptions_LittleMemory_UsesSmallerParts()
        => Assert.Equal(6L << 20, ClientSettings.From(Resolve("--memory 12MiB", uploads: true).Limits.ToClientOptions()).UploadPartSizeBytes);

    [Theory]
    [InlineData("", null, null, null)]
    [InlineData("20MiB", 20 << 20, null, null)]
    [InlineData("20MiB/s,up=5MiB", 20 << 20, null, 5 << 20)]
    [InlineData("up=5MB,down=1K", null, 1 << 10, 5_000_000)]
    [InlineData("none", null, null, null)]
    public void LimitRate_IsPassedToTheClient(string text, int? total, int? down, int? up)
    {
        RateLimit? limit = Resolve("", uploads: true, ("TRANSFER_LIMIT_RATE", text)).Limits.ToClientOptions().RateLimit;

        Assert.EachEqual(((long?)total, (long?)down, (long?)up), (limit?.TotalBytesPerSecond, limit?.DownloadBytesPerSecond, limit?.UploadBytesPerSecond));
        Assert.Equal(total is null && down is null && up is null, limit is null);
        Assert.Equal(7 << 10, Resolve("--limit-rate 7KiB", uploads: true, ("TRANSFER_LIMIT_RATE", text)).Limits.Rate?.TotalBytesPerSecond);
        Assert.Null(Resolve("--limit-rate none", uploads: true, ("TRANSFER_LIMIT_RATE", text)).Limits.ToClientOptions().RateLimit);
    }

    /// <summary>A client of a command without an option for the memory has the memory of the variable. The concurrency and the rates are only those of options.</summary>
    [Fact]
    public void Client_CommandWithoutOptions_ReadsTheVariablesThatTheToolDoesNotRead()
    {
        TransferClientOptions options = new ClientLimits().ToClientOptions(
            CliLine.Environment(("TRANSFER_MEMORY", "64M"), ("TRANSFER_UPLOAD_PART_SIZE", "16M"), ("TRANSFER_CONCURRENCY", "wrong"), ("TRANSFER_LIMIT_RATE", "wrong")));

        ClientSettings settings = ClientSettings.From(options);

        Assert.EachEqual((64L << 20, 16L << 20, false, null), (settings.MemoryBytes, settings.UploadPartSizeBytes, settings.IsConcurrencyGiven, settings.RateLimit));
    }

    /// <summary>Errors say which units there are.</summary>
    [Fact]
    public void AcceptedSize_NamesUnitsThatAreAccepted()
    {
        string[] units = [.. Regex.Matches(OptionValues.AcceptedSize, @"\b[KMGT](i?B)?\b", RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture | RegexOptions.NonBacktracking).Select(match => match.Value)];

        Assert.Equal(12, units.Distinct().Count());
        Assert.All(units, unit => Assert.True(ByteSize.TryParse($"1{unit}", out _)));
    }

    private static TransferSettings Resolve(string line, bool uploads, params (string Name, string Value)[] environment)
    {
        TransferOptions options = new();
        return new TransferSettings(CliLine.Values(options.AddTo, line, environment), options, uploads);
    }
}
