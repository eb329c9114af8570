namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>Files can't become larger than a limit, such as that of a file system or of ulimit. That is an error of the file, not of the command line.</summary>
public sealed class FileLimitTests : ToolTest
{
    private const int Limit = 16 * 1024;
    private const string Reason = "larger than the process or the file system allows";

    [Theory]
    [InlineData("cp s3://bucket/p/large OUT")]
    [InlineData("cp s3://bucket/p/large OUT --part-size 64KiB")]
    [InlineData("cp -r s3://bucket/p OUT")]
    [InlineData("sync s3://bucket/p OUT --on-failure continue")]
    public async Task Download_IsAFailureAndLeavesNoFile(string line)
    {
        if (!OperatingSystem.IsLinux())
        {
            return; // the limit is that of its shell
        }

        await PutAsync("p/large", new byte[300_000]);
        string target = GetPath("out");

        ToolOutcome outcome = await ToolProcess.RunWithFileLimitAsync(Limit, Environment, [.. line.Split(' ').Select(word => word == "OUT" ? target : word)]);

        Assert.Contains("out", outcome.Expect(1).Error, StringComparison.Ordinal);
        Assert.Contains(Reason, outcome.Error, StringComparison.Ordinal);
        Assert.False(File.Exists(target) || File.Exists(Path.Combine(target, "large")));
    }

    [Theory]
    [InlineData("plan s3://bucket/p s3://bucket/q --run s3://bucket/run/", false)]
    [InlineData("ls -r s3://bucket/p", true)]
    [InlineData("cp s3://bucket/large -", true)]
    public async Task OtherFile_IsAFailureWithTheReason(string line, bool isOutput)
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        await PutAsync("large", new byte[300_000]);
        await PutManyAsync([.. Enumerable.Range(0, 200).Select(static i => $"p/{new string('x', 200)}{i}")]);

        ToolOutcome outcome = await ToolProcess.RunWithFileLimitAsync(Limit, isOutput ? GetPath("output") : null, Environment, line.Split(' '));

        Assert.Contains(Reason, outcome.Expect(1).Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Report_IsAFailureThatSaysSo()
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        await PutManyAsync([.. Enumerable.Range(0, 200).Select(static i => $"p/{new string('x', 200)}{i}")]);

        ToolOutcome outcome = await ToolProcess.RunWithFileLimitAsync(Limit, Environment, "cp", "-r", $"s3://{Bucket}/p", GetPath("out"), "--report", GetPath("report"));

        Assert.Contains("the report is incomplete", outcome.Expect(1).Error, StringComparison.Ordinal);
        Assert.Equal(200, Directory.GetFiles(GetPath("out")).Length);
    }
}
