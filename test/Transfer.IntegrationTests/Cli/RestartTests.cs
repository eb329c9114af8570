using Transfer.S3.Server;

namespace Transfer.S3.IntegrationTests.Cli;

/// <summary>Commands wait for a store that can't be reached, and say so.</summary>
public sealed class RestartTests : ToolTest
{
    [Fact]
    public async Task Cp_TheStoreIsDownAtFirst_SaysWhatItWaitsForAndSucceeds()
    {
        string file = await WriteFileAsync("file", [1, 2, 3]);
        int port = Server.Endpoint.Port;
        await Server.DisposeAsync();
        Dictionary<string, string> environment = new(Environment) { ["TRANSFER_RETRY_FOR"] = "60s" };

        (ToolProcess tool, string line) = await ToolProcess.StartAndReadLineAsync(environment, "cp", file, "s3://bucket/key", "--progress", "none");
        using (tool)
        {
            Assert.Matches($"^transfer: waiting for http://[^ ]*:{port}/ for [56] s, attempt [0-9]+: could not connect to the endpoint: ", line);
            await using EmbeddedS3Server again = await EmbeddedS3Server.StartAsync(new EmbeddedS3ServerOptions
            {
                Buckets = [Bucket],
                Port = port,
                AccessKeyId = Environment["AWS_ACCESS_KEY_ID"],
                SecretAccessKey = Environment["AWS_SECRET_ACCESS_KEY"],
            });
            tool.CloseInput();
            (await tool.EndAsync()).Expect(0);
        }
    }

    [Fact]
    public async Task Ls_TheStoreStaysDown_SaysHowOftenAndForHowLongItTried()
    {
        await Server.DisposeAsync();
        Dictionary<string, string> environment = new(Environment) { ["TRANSFER_RETRY_FOR"] = "2" };

        ToolOutcome outcome = (await ToolProcess.RunAsync(environment, "ls", "s3://bucket")).Expect(1);

        Assert.Matches(@" attempts in [0-9]+ s\)", outcome.Error);
    }
}
