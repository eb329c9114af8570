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

    [Fact]
    public async Task Delta_CopyInsideTheStore_IsAUsageError()
        => (await RunAsync("cp", "--delta", $"s3://{Bucket}/a", $"s3://{Bucket}/b")).Expect(2);
}
