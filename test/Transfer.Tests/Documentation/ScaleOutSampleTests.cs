using System.Diagnostics;
using System.Globalization;
using Transfer.S3.Cli.Options;
using Transfer.S3.Jobs;

namespace Transfer.S3.Tests.Documentation;

/// <summary>Compares the files in samples/ScaleOut, which tests run or check, with the page that shows them.</summary>
public sealed class ScaleOutSampleTests
{
    private const string Page = "docs/scale-out.md";
    private static readonly string Folder = Path.Combine(MarkdownPages.Root, "samples", "ScaleOut");

    public static TheoryData<string> Files => [.. Directory.GetFiles(Folder).Select(path => Path.GetFileName(path)).Where(name => name != MarkdownPages.Readme)];

    [Theory]
    [MemberData(nameof(Files))]
    public void Page_ShowsTheFile(string name)
    {
        string text = File.ReadAllText(Path.Combine(Folder, name)).TrimEnd();
        Assert.Contains(text, MarkdownPages.Blocks(Page).Select(block => block.Text.TrimEnd()));
    }

    [Theory]
    [InlineData("slurm-copy")]
    [InlineData("gridengine-copy")]
    [InlineData("aws-batch-copy")]
    public void Script_WithoutRun_SaysHowItIsUsed(string name)
    {
        if (OperatingSystem.IsWindows())
        {
            return; // a script of bash
        }

        using Process script = Process.Start(new ProcessStartInfo("bash", [Path.Combine(Folder, name), "data", "s3://bucket/data"]) { RedirectStandardError = true, UseShellExecute = false })!;
        Assert.StartsWith($"usage: {name} SRC DST RUN", script.StandardError.ReadToEnd(), StringComparison.Ordinal);
        script.WaitForExit();
        Assert.Equal(2, script.ExitCode);
    }

    /// <summary>The arithmetic of the page is that of the plan.</summary>
    [Theory]
    [InlineData(100_000_000, 64 << 10, "13,835")]
    [InlineData(100_000, 100_000_000, "1,255")]
    public void Page_HasTheNumberOfShards(long objects, long bytes, string shards)
    {
        int count = ShardBalance.CountFor(objects * (bytes + JobItem.ObjectCost), workers: 1);
        Assert.Equal(shards, count.ToString("N0", CultureInfo.InvariantCulture));
        Assert.Contains(MarkdownPages.Lines(Page), line => line.StartsWith("| Shards |", StringComparison.Ordinal) && line.Contains($"= {shards} ", StringComparison.Ordinal));
    }

    /// <summary>The table of variables on the page is that of the tool.</summary>
    [Fact]
    public void Page_HasEveryVariable() => Assert.Equal(
        EngineVariable.All.Select(variable => (variable.Name, $"{variable.First}")),
        MarkdownPages.Lines(Page).Select(line => line.Split('|', StringSplitOptions.TrimEntries)).Where(cells => cells is [_, ['`', .., '`'], _, "0" or "1", _]).Select(cells => (cells[1].Trim('`'), cells[3])));
}
