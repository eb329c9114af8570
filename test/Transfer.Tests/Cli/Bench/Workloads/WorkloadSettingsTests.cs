using Transfer.S3.Bench.Operations;
using Transfer.S3.Cli.Bench;
using Transfer.S3.Cli.Bench.Workloads;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Tests.Cli.Bench.Workloads;

public sealed class WorkloadSettingsTests : IDisposable
{
    private const int MiB = 1 << 20;
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Resolve_NoOptions_HasTheDefaults()
    {
        WorkloadSettings settings = Resolve("download", "null", ["s3://bucket"], "");
        Assert.EachEqual(("bucket", EngineKind.Transfer, ChecksumAlgorithm.Auto, false, new ClientLimits()), (settings.Bucket, settings.Engine, settings.Checksum, settings.Prepare, settings.Limits));
    }

    [Fact]
    public void Resolve_Options_AreUsed()
    {
        WorkloadSettings settings = Resolve("download", "null", [], "--bucket other --concurrency 7 --part-size 1MiB --memory 64MiB --checksum none --prepare");
        Assert.EachEqual(("other", ChecksumAlgorithm.None, true, new ClientLimits(7, MiB, 64 * MiB)), (settings.Bucket, settings.Checksum, settings.Prepare, settings.Limits));
    }

    [Theory]
    [InlineData("upload", "\"CRC32\"", ChecksumAlgorithm.Crc32)]
    [InlineData("upload", "\"SHA256\"", ChecksumAlgorithm.Sha256)]
    [InlineData("upload", "\"SHA1\"", ChecksumAlgorithm.Sha1)]
    [InlineData("upload", "\"XXHASH3\"", ChecksumAlgorithm.XxHash3)]
    [InlineData("download", "\"SHA1\"", ChecksumAlgorithm.Sha1)]
    public void Resolve_ChecksumOfTheFile_IsUsed(string action, string checksum, ChecksumAlgorithm expected) => Assert.Equal(expected, Resolve(action, checksum, ["s3://bucket"], "").Checksum);

    [Theory]
    [InlineData("upload", "null", "s3://bucket", "--concurrency 1,2", "--concurrency got '1,2'; it accepts auto, or a number from 1 to 1024, with --workload")]
    [InlineData("upload", "null", "s3://bucket", "--part-size 1MiB", "--part-size got '1MiB'; it accepts one size from 5 MiB to 5 GiB with --workload")]
    [InlineData("download", "null", "s3://bucket", "--part-size 8MiB,9MiB", "--part-size got '8MiB,9MiB'; it accepts one size from 64 KiB to 5 GiB with --workload")]
    [InlineData("upload", "\"CRC32\"", "s3://bucket", "--checksum crc32c", "--checksum is for workloads without a checksum; this one demands CRC32")]
    [InlineData("download", "null", "get s3://bucket", "", "--workload says what is transferred; omit 'get', and specify s3://bucket")]
    [InlineData("download", "null", "s3://bucket/prefix", "", "has a prefix, but the keys of a workload are complete; specify s3://bucket")]
    [InlineData("download", "null", "s3://", "", "has no bucket; specify s3://bucket")]
    [InlineData("download", "null", "", "", "--workload needs one bucket, such as transfer bench --workload FILE.run.json s3://bucket")]
    [InlineData("download", "null", "s3://a s3://b", "", "--workload needs one bucket")]
    [InlineData("download", "null", "s3://a", "--bucket b", "--workload needs one bucket")]
    [InlineData("download", "null", "s3://a", "--engine crt", "--engine got 'crt'; it accepts transfer or sdk")]
    public void Resolve_Invalid_ErrorSaysWhatIsAccepted(string action, string checksum, string arguments, string line, string expected)
        => Assert.Contains(
            expected,
            Assert.Throws<UsageException>(() => Resolve(action, checksum, arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries), line)).Message,
            StringComparison.Ordinal);

    [Fact]
    public void Resolve_Sdk_IgnoresNoOptionOfThisLibrary()
    {
        OptionValues values = Values("--engine sdk --memory 64MiB", out BenchOptions options, out TransferOptions transfer);
        WorkloadSettings.Resolve(Write("download", "null"), ["s3://bucket"], values, options, transfer);
        Assert.Contains("--memory isn't used for", Assert.Throws<UsageException>(() => values.RefuseUnread("it")).Message, StringComparison.Ordinal);
    }

    private WorkloadSettings Resolve(string action, string checksum, string[] arguments, string line)
    {
        OptionValues values = Values(line, out BenchOptions options, out TransferOptions transfer);
        return WorkloadSettings.Resolve(Write(action, checksum), arguments, values, options, transfer);
    }

    private static OptionValues Values(string line, out BenchOptions options, out TransferOptions transfer)
    {
        BenchOptions bench = options = new BenchOptions();
        TransferOptions limits = transfer = new TransferOptions();
        return CliLine.Values(
            command =>
            {
                bench.AddTo(command);
                command.Add(limits.Memory);
                command.Add(limits.Checksum);
            },
            line);
    }

    private GivenValue Write(string action, string checksum)
    {
        string path = _folder.File("x.run.json");
        File.WriteAllText(path, $$"""
            {"version": 2, "comment": "", "filesOnDisk": true, "checksum": {{checksum}}, "maxRepeatCount": 1, "maxRepeatSecs": 1, "tasks": [{"action": "{{action}}", "key": "a", "size": 5}]}
            """);
        return new GivenValue("--workload", path);
    }
}
