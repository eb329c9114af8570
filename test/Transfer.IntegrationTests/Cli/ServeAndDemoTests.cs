using System.Text.Json;

namespace Transfer.IntegrationTests.Cli;

public sealed class ServeAndDemoTests : ToolTest
{
    [Fact]
    public async Task Serve_UntilASignal_ServesItsBuckets()
    {
        (ToolProcess tool, string line) = await ToolProcess.StartAndReadLineAsync(Environment, "serve", "--port", "0", "--bucket", "mine", "--access-key", "id", "--secret-key", "hush");
        using (tool)
        {
            string endpoint = line.Split(' ').First(word => word.StartsWith("http://", StringComparison.Ordinal));
            Environment["AWS_ENDPOINT_URL_S3"] = endpoint;
            Environment["AWS_ACCESS_KEY_ID"] = "id";
            Environment["AWS_SECRET_ACCESS_KEY"] = "hush";
            string source = await WriteFileAsync("source", [1, 2, 3]);
            (await RunAsync("cp", source, "s3://mine/k")).Expect(0);

            await tool.SignalAsync("TERM");

            ToolOutcome outcome = (await tool.EndAsync()).Expect(0);
            Assert.DoesNotContain("hush", outcome.Error, StringComparison.Ordinal);
            Assert.Empty(outcome.Output);
        }
    }

    [Fact]
    public async Task Demo_Json_TellsEveryStepAndLeavesNothing()
    {
        Directory.CreateDirectory(PathOf("tmp"));
        Environment["TMPDIR"] = PathOf("tmp");

        ToolOutcome outcome = (await RunAsync("demo", "--size", "9MiB", "--json", "--progress", "none")).Expect(0);

        JsonElement[] lines = [.. outcome.Lines.Select(ToolOutcome.Parse)];
        Assert.Equal(["generate", "upload a file", "read in order", "download a file", "compare"], lines[..^1].Select(line => line.GetProperty("step").GetString()));
        Assert.Equal("verified", lines[^1].GetProperty("checksum").GetProperty("verdict").GetString());
        Assert.Equal(3 * 9L << 20, lines[^1].GetProperty("bytes").GetInt64());
        Assert.DoesNotContain(Directory.EnumerateFileSystemEntries(PathOf("tmp")), entry => Path.GetFileName(entry).StartsWith("transfer-demo", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Demo_Piped_IsPlain()
    {
        ToolOutcome outcome = (await RunAsync("demo", "--size", "1MiB")).Expect(0);
        Assert.StartsWith("Step ", outcome.Lines[0], StringComparison.Ordinal);
        Assert.DoesNotContain('\u001b', outcome.Text);
        Assert.Contains("identical", outcome.Text, StringComparison.Ordinal);
    }
}
