using Transfer.S3.Bench.Operations;
using Transfer.S3.Bench.Sweep;
using Transfer.S3.Cli.Bench;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Tests.Cli.Bench;

public sealed class BenchSettingsTests
{
    private const long MiB = 1 << 20;

    [Fact]
    public void Resolve_NoOptions_HasTheDefaults()
    {
        BenchSettings settings = Resolve("get", "s3://bucket/p");

        Assert.EachEqual(("bucket", "p", 3, EngineKind.Transfer), (settings.Bucket, settings.Prefix, settings.Sweep.Runs, settings.Sweep.Engine));
        Assert.Equal([new Setting(8 * MiB, null)], settings.Sweep.Settings);
        Assert.Equal(((long, int)?)null, settings.Generate);
        Assert.Equal(7, settings.Plan(7).Count);
        Assert.Equal(1000, Resolve("head", "s3://bucket").Plan(7).Count);
        Assert.Equal((256 * MiB, 4), Resolve("put", "s3://bucket").Generate);
        Assert.Equal((64 << 10, 1000), Resolve("small", "s3://bucket").Generate);
    }

    [Fact]
    public void Settings_CombineEveryPartSizeWithEveryConcurrency()
    {
        BenchSettings settings = Resolve("get", "s3://bucket", "--part-size XS,s,M,L,XL,XXL,8MiB,XS --concurrency 1,auto,64,1");

        Assert.Equal(
            [1_000_000, 4_000_000, 8_000_000, 64_000_000, 256_000_000, 1_000_000_000, 8 * MiB],
            settings.Sweep.Settings.Where(setting => setting.Concurrency == 1).Select(setting => setting.PartSizeBytes!.Value));
        Assert.Equal([1, null, 64], settings.Sweep.Settings.Take(3).Select(setting => setting.Concurrency));
        Assert.Equal(21, settings.Sweep.Settings.Count);
    }

    [Theory]
    [InlineData("--bucket bucket --prefix p/", "p/")]
    [InlineData("--bucket bucket", "")]
    public void Bucket_OptionInsteadOfTheUri_IsAccepted(string line, string prefix)
    {
        BenchSettings settings = Resolve("get", null, line);
        Assert.EachEqual(("bucket", prefix), (settings.Bucket, settings.Prefix));
    }

    [Fact]
    public void Keys_AreReadFromTheCommandLineOrAFile()
    {
        Assert.Equal(["a", "b c"], Resolve("get", "s3://bucket", "--key a --key b\u00a0c").Keys.Select(key => key.Replace('\u00a0', ' ')));
        using TemporaryFolder folder = new();
        string file = folder.File("keys");
        File.WriteAllText(file, "one\n\ntwo two\n");
        Assert.Equal(["one", "two two"], Resolve("head", "s3://bucket", $"--keys {file}").Keys);
    }

    [Theory]
    [InlineData("64MiB×16", 64 * MiB, 16)]
    [InlineData("64MiBx16", 64 * MiB, 16)]
    [InlineData("8MB X 2", 8_000_000, 2)]
    public void Generate_SizeAndNumber_IsParsed(string text, long size, int count)
    {
        Assert.True(GenerateText.TryParse(text, out (long, int) objects));
        Assert.Equal((size, count), objects);
    }

    [Theory]
    [InlineData("64MiB")]
    [InlineData("x16")]
    [InlineData("64MiBx0")]
    [InlineData("64MiBx-1")]
    [InlineData("0x3")]
    public void Generate_AnythingElse_IsRejected(string text) => Assert.False(GenerateText.TryParse(text, out _));

    [Theory]
    [InlineData("scan", "s3://bucket", "", "OPERATION got 'scan'; it accepts head, get, put, small, or mixed")]
    [InlineData("1", "s3://bucket", "", "OPERATION got '1'")]
    [InlineData("get", null, "", "bench needs a bucket")]
    [InlineData("get", "s3://", "", "bench needs a bucket")]
    [InlineData("get", "bucket", "", "s3://bucket")]
    [InlineData("get", "s3://bucket", "--bucket other", "both specify the bucket")]
    [InlineData("get", "s3://bucket/p", "--prefix q", "both specify a prefix")]
    [InlineData("get", "s3://bucket", "--part-size HUGE", "--part-size got 'HUGE'; it accepts XS (1MB)")]
    [InlineData("get", "s3://bucket", "--part-size 8MiB,", "--part-size got ''")]
    [InlineData("get", "s3://bucket", "--part-size 1KiB", "--part-size got '1KiB'")]
    [InlineData("put", "s3://bucket", "--part-size S", "for put from 5 MiB to 5 GiB, the limits of S3")]
    [InlineData("put", "s3://bucket", "--part-size 64MiB --memory 32MiB", "increase --memory")]
    [InlineData("head", "s3://bucket", "--part-size 8MiB", "--part-size is for get, put, and mixed")]
    [InlineData("get", "s3://bucket", "--generate 64MiBx2 --part-size 128MiB", "a range can't be larger than the object")]
    [InlineData("get", "s3://bucket", "--generate 64MiB", "--generate got '64MiB'")]
    [InlineData("get", "s3://bucket", "--generate 64MiBx2 --key a", "--generate creates objects")]
    [InlineData("put", "s3://bucket", "--key a", "put only uploads objects that it creates")]
    [InlineData("small", "s3://bucket", "--generate 64MiBx2", "for small, it accepts objects of up to 8 MiB")]
    [InlineData("get", "s3://bucket", "--concurrency 0", "--concurrency got '0'; it accepts auto, and numbers from 1 to 1024")]
    [InlineData("get", "s3://bucket", "--concurrency 1,many", "--concurrency got 'many'")]
    [InlineData("get", "s3://bucket", "--runs 0", "--runs got '0'; it accepts a number from 1 to 1000")]
    [InlineData("get", "s3://bucket", "--count 0", "--count got '0'")]
    [InlineData("get", "s3://bucket", "--count 5 --duration 5s", "both limit a run")]
    [InlineData("get", "s3://bucket", "--duration 0", "--duration got '0'")]
    [InlineData("get", "s3://bucket", "--rate 0/s", "--rate got '0/s'")]
    [InlineData("get", "s3://bucket", "--engine crt", "--engine got 'crt'; it accepts transfer or sdk")]
    [InlineData("get", "s3://bucket", "--discard --output d", "--discard and --output contradict each other")]
    [InlineData("put", "s3://bucket", "--output d", "--output is for operations that download objects")]
    [InlineData("get", "s3://bucket", "--keys /there/is/no/such/file", "can't be read")]
    [InlineData("get", "s3://bucket", "--compare /there/is/no/such/file", "can't be read")]
    public void Resolve_Invalid_ThrowsBeforeAnyRequest(string operation, string? address, string line, string expected)
        => Assert.Contains(expected, Assert.Throws<UsageException>(() => Resolve(operation, address, line)).Message, StringComparison.Ordinal);

    [Fact]
    public void CheckParts_ExistingObjectIsTooSmall_ErrorNamesIt()
    {
        BenchSettings settings = Resolve("get", "s3://bucket", "--part-size 8MiB,64MiB");
        settings.CheckParts(new StoredObject("big", 64 * MiB));

        UsageException error = Assert.Throws<UsageException>(() => settings.CheckParts(new StoredObject("p/medium", 63 * MiB)));
        Assert.Equal("--part-size got 64MiB, and p/medium has 63MiB: a range can't be larger than the object", error.Message);
        Resolve("get", "s3://bucket").CheckParts(new StoredObject("tiny", 1)); // no part size is given that must fit
    }

    [Theory]
    [InlineData(8, 4, 64, 1)] // as many parts as requests, and more
    [InlineData(8, 16, 64, 2)]
    [InlineData(64, 16, 64, 16)]
    [InlineData(64, 1, 64, 1)]
    [InlineData(8, null, 64, 8)] // the library can use up to 64 requests
    public void Workers_AreAsManyObjectsAsTheRequestsNeed(int partMiB, int? concurrency, int objectMiB, int workers)
        => Assert.Equal(workers, new Setting(partMiB * MiB, concurrency).WorkersFor(objectMiB * MiB, EngineKind.Transfer));

    [Theory]
    [InlineData("put", "--part-size 64MiB --concurrency 4,16 --memory 512MiB", 1)]
    [InlineData("get", "--part-size 64MiB --concurrency 4,16 --memory 512MiB", 2)]
    [InlineData("get", "--part-size 64MiB --concurrency 4,16 --memory 512MiB --output d", 0)]
    [InlineData("get", "--part-size 64MiB --concurrency 4,16 --memory 512MiB --engine sdk", 0)]
    [InlineData("get", "--part-size 8MiB --concurrency auto --memory 1MiB", 0)]
    public void MemoryWarnings_NameSettingsThatExceedTheMemory(string operation, string line, int expected)
        => Assert.Equal(expected, Resolve(operation, "s3://bucket", line).MemoryWarnings().Count());

    private static BenchSettings Resolve(string operation, string? address, string line = "")
    {
        BenchOptions options = new();
        TransferOptions transfer = new();
        OptionValues values = CliLine.Values(
            command =>
            {
                options.AddTo(command);
                command.Add(transfer.Memory);
                command.Add(transfer.Checksum);
            },
            line);
        return BenchSettings.Resolve(operation, address, values, options, transfer);
    }
}
