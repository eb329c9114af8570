namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>Standard output that goes to a full disk. A script that reads the result must not go on without it.</summary>
public sealed class FullDiskTests : ToolTest
{
    private const string Full = "/dev/full";

    [Theory]
    [InlineData("cp FILE s3://bucket/new")]
    [InlineData("cp --dry-run FILE s3://bucket/new")]
    [InlineData("mv s3://bucket/p/k s3://bucket/moved")]
    [InlineData("sync s3://bucket/p s3://bucket/q")]
    [InlineData("verify FILE s3://bucket/p/k")]
    [InlineData("ls s3://bucket")]
    [InlineData("stat s3://bucket/p/k")]
    [InlineData("du s3://bucket")]
    [InlineData("rm s3://bucket/p/k")]
    [InlineData("mb s3://another")]
    [InlineData("tag s3://bucket/p/k --set a=b")]
    [InlineData("presign s3://bucket/p/k")]
    [InlineData("whoami")]
    public async Task Json_IsLost_IsAFailureWithAMessage(string line)
    {
        if (!File.Exists(Full))
        {
            return; // a device of Linux
        }

        await PutAsync("p/k", [1, 2, 3]);
        string file = await WriteFileAsync("file", [1, 2, 3]);

        ToolOutcome outcome = (await ToolProcess.RunToFileAsync(Full, Environment, [.. line.Split(' ').Select(word => word == "FILE" ? file : word), "--json"])).Expect(1);

        Assert.Single(outcome.Error.Split('\n'), text => text.StartsWith("transfer: ", StringComparison.Ordinal) && text.Contains("no space left on device", StringComparison.OrdinalIgnoreCase));
    }
}
