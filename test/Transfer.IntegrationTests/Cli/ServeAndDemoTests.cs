using System.Globalization;
using System.Text.Json;

namespace Transfer.S3.IntegrationTests.Cli;

public sealed class ServeAndDemoTests : ToolTest
{
    /// <summary>A server that is asked to stop hasn't failed: systemd and Compose look at the exit code.</summary>
    [Theory]
    [InlineData("TERM")]
    [InlineData("INT")]
    public async Task Serve_UntilASignal_ServesItsBuckets(string signal)
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

            await tool.SignalAsync(signal);

            ToolOutcome outcome = (await tool.EndAsync()).Expect(0);
            Assert.DoesNotContain("hush", outcome.Error, StringComparison.Ordinal);
            Assert.DoesNotContain("interrupted", outcome.Error, StringComparison.Ordinal);
            Assert.Contains("stopped after ", outcome.Error, StringComparison.Ordinal);
            Assert.Empty(outcome.Output);
        }
    }

    [Fact]
    public async Task Demo_Json_MeasuresBothLibrariesAndLeavesNothing()
    {
        Directory.CreateDirectory(GetPath("tmp"));
        Environment["TMPDIR"] = GetPath("tmp");
        Environment["TRANSFER_METRICS_ADDRESS"] = "not an address"; // the option is for other commands

        ToolOutcome outcome = (await RunAsync("demo", "--size", "9MiB", "--json", "--progress", "none")).Expect(0);

        JsonElement[] lines = [.. outcome.Lines.Select(ToolOutcome.Parse)];
        Assert.Equal(
            [("download", "transfer_utility"), ("download", "transfer"), ("upload", "transfer_utility"), ("upload", "transfer")],
            lines[..^1].Select(line => (line.GetProperty("operation").GetString(), line.GetProperty("library").GetString())));
        Assert.All(lines[..^1], line =>
        {
            Assert.Equal(9 << 20, line.GetProperty("bytes").GetInt64());
            Assert.Equal(line.GetProperty("library").GetString() == "transfer" ? "yes" : line.GetProperty("operation").GetString() == "upload" ? "parts" : "no", line.GetProperty("verified").GetString());
            Assert.True(line.GetProperty("seconds").GetDouble() > 0);
            Assert.True(line.GetProperty("cpu_seconds").GetDouble() > 0);
            Assert.True(line.GetProperty("peak_memory_bytes").GetInt64() > 10 << 20); // no .NET process takes less
        });
        Assert.Equal(4 * 9L << 20, lines[^1].GetProperty("bytes").GetInt64());
        Assert.DoesNotContain(Directory.EnumerateFileSystemEntries(GetPath("tmp")), entry => Path.GetFileName(entry).StartsWith("transfer-demo", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("TERM", 130)]
    [InlineData("KILL", 137)]
    public async Task Demo_Ends_TheProcessOfTheMeasurementEnds(string signal, int exitCode)
    {
        if (!OperatingSystem.IsLinux())
        {
            return; // finds processes by /proc
        }

        Environment["TMPDIR"] = Directory.CreateDirectory(GetPath("tmp")).FullName; // a process that is killed leaves its files
        using ToolProcess tool = ToolProcess.Start(Environment, "demo", "--size", "64MiB");
        int child = 0;
        await Deadline.Until(() => (child = ChildOf(tool.Id)) != 0);

        await tool.SignalAsync(signal);

        Assert.Equal(exitCode, (await tool.EndAsync()).ExitCode);
        await Deadline.Until(() => !IsRunning(child));
    }

    private static int ChildOf(int parent) => Directory.EnumerateDirectories("/proc")
        .Select(folder => int.TryParse(Path.GetFileName(folder), NumberStyles.None, CultureInfo.InvariantCulture, out int process) ? process : 0)
        .FirstOrDefault(process => process != 0 && StatusOf(process) is [_, { } of, ..] && of == parent.ToString(CultureInfo.InvariantCulture));

    /// <summary>Whether a process runs; one that has ended can still wait for its parent.</summary>
    private static bool IsRunning(int process) => StatusOf(process) is [not ("Z" or "X"), ..];

    /// <summary>The state of a process, its parent, and more; nothing if there is no such process.</summary>
    private static string[] StatusOf(int process)
    {
        try
        {
            string status = File.ReadAllText($"/proc/{process}/stat");
            return status[(status.LastIndexOf(')') + 2)..].Split(' ');
        }
        catch (IOException)
        {
            return [];
        }
    }
}
