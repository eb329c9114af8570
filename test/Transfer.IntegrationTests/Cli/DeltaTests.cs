namespace Transfer.S3.IntegrationTests.Cli;

public sealed class DeltaTests : ToolTest
{
    private const int Part = 8 * 1024 * 1024;
    private const int Large = (2 * Part) + 12345;

    [Theory]
    [InlineData("cp")]
    [InlineData("sync")]
    public async Task Delta_OnePartDiffers_TransfersOnlyIt(string command)
    {
        Directory.CreateDirectory(GetPath("data"));
        byte[] content = Sample.Bytes(Large);
        string file = await WriteFileAsync("data/disk.img", content);
        (await RunAsync("cp", file, $"s3://{Bucket}/data/disk.img")).Expect(0);
        (string local, string remote) = command == "cp" ? (file, $"s3://{Bucket}/data/disk.img") : (GetPath("data"), $"s3://{Bucket}/data");

        content[0]++;
        await WriteFileAsync("data/disk.img", content);
        ToolOutcome up = (await RunAsync(command, "--delta", "--json", local, remote)).Expect(0);
        Assert.Equal((Large, Large - Part), (up.Json.GetProperty("bytes").GetInt64(), up.Json.GetProperty("resumed_bytes").GetInt64()));
        Assert.Equal(content, await GetAsync("data/disk.img"));

        byte[] old = [.. content];
        old[^1]++;
        await WriteFileAsync("data/disk.img", old);
        ToolOutcome down = (await RunAsync(command, "--delta", "--json", remote, local)).Expect(0);
        Assert.Equal((Large, Part * 2), (down.Json.GetProperty("bytes").GetInt64(), down.Json.GetProperty("resumed_bytes").GetInt64()));
        Assert.Equal(content, await File.ReadAllBytesAsync(file).Within());
    }

    [Fact]
    public async Task Delta_ObjectWithoutParts_SaysWhyAndUploadsTheWholeFile()
    {
        byte[] content = Sample.Bytes(Large);
        string file = await WriteFileAsync("disk.img", content);
        await PutAsync("disk.img", content);

        ToolOutcome up = (await RunAsync("cp", "-v", "--delta", file, $"s3://{Bucket}/disk.img")).Expect(0);

        Assert.Contains("are reused, because it was uploaded with one request", up.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("of which", up.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Delta_Job_WorkersSendOnlyThePartsThatDiffer(bool isDivided)
    {
        Directory.CreateDirectory(GetPath("data"));
        byte[] content = Sample.Bytes(Large);
        string file = await WriteFileAsync("data/disk.img", content);
        (await RunAsync("cp", file, $"s3://{Bucket}/data/disk.img")).Expect(0);
        content[0]++;
        await WriteFileAsync("data/disk.img", content);
        string run = $"s3://{Bucket}/runs/1";
        (await RunAsync("plan", "--delta", "--sync", "--split", isDivided ? "10MiB" : "1GiB", GetPath("data"), $"s3://{Bucket}/data", "--run", run)).Expect(0);
        Server.Statistics.Reset();

        (await RunAsync("run", run, "--shards", "0-3")).Expect(0);

        Assert.InRange(Server.Statistics.BytesReceived, isDivided ? Large : Part, (isDivided ? Large : Part) + 100_000);
        Assert.Contains("1 of 1 object done", (await RunAsync("finish", run)).Expect(0).Error, StringComparison.Ordinal);
        Assert.Equal(content, await GetAsync("data/disk.img"));
    }

    [Fact]
    public async Task Delta_JobThatDownloads_WorkersReceiveOnlyThePartsThatDiffer()
    {
        Directory.CreateDirectory(GetPath("data"));
        byte[] content = Sample.Bytes(Large);
        string file = await WriteFileAsync("data/disk.img", content);
        (await RunAsync("cp", file, $"s3://{Bucket}/data/disk.img")).Expect(0);
        byte[] old = [.. content];
        old[0]++;
        await WriteFileAsync("data/disk.img", old);
        string run = $"s3://{Bucket}/runs/1";
        (await RunAsync("plan", "--delta", "--sync", $"s3://{Bucket}/data", GetPath("data"), "--run", run)).Expect(0);
        Server.Statistics.Reset();

        (await RunAsync("run", run, "--shards", "0-3")).Expect(0);

        Assert.InRange(Server.Statistics.BytesSent, Part, Part + 100_000);
        (await RunAsync("finish", run)).Expect(0);
        Assert.Equal(content, await File.ReadAllBytesAsync(file).Within());
    }

    [Theory]
    [InlineData("cp")]
    [InlineData("plan", "--run", "s3://other/runs/1")]
    public async Task Delta_CopyInsideTheStore_IsAUsageError(params string[] line)
        => Assert.Contains("--delta", (await RunAsync([line[0], "--delta", $"s3://{Bucket}/a", $"s3://{Bucket}/b", .. line[1..]])).Expect(2).Error, StringComparison.Ordinal);
}
