using System.Text.RegularExpressions;
using Transfer.S3.Bench.Demo;
using Transfer.S3.Bench.Measuring;
using Transfer.S3.Bench.Operations;
using Transfer.S3.Cli.Demo;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Tests.Cli;

public sealed class DemoTests
{
    private const long MiB = 1 << 20;
    private static readonly Regex Escape = new("\u001b\\[[0-9;]*m", RegexOptions.NonBacktracking);

    [Theory]
    [InlineData(64 * 1024, 1024)]
    [InlineData(4096, 1024)]
    [InlineData(4095, 512)]
    [InlineData(1000, 128)]
    [InlineData(128, 32)]
    [InlineData(0, 32)]
    public void For_FreeMemory_IsAPowerOfTwoThatFits(long availableMiB, long expectedMiB) => Assert.Equal(expectedMiB * MiB, DemoSize.For(availableMiB * MiB));

    [Fact]
    public void AvailableBytes_OfThisMachine_IsWithoutWhatIsInUse()
        => Assert.InRange(DemoSize.AvailableBytes(), 0, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes - 1); // 0 if others use more than this process is allowed to

    [Fact]
    public void PeakMemory_OfThisProcess_IsAtLeastWhatItUses() => Assert.InRange(PeakMemory.Bytes(), Environment.WorkingSet / 2, 1L << 40);

    [Fact]
    public void Write_Piped_IsAlignedText()
    {
        string text = Write(new ToolConsole(TextWriter.Null, TextWriter.Null), "");

        string[] lines = text.Split('\n');
        Assert.Equal("1 GiB     Library          Verified   Throughput  CPU time  Peak memory", lines[0]);
        Assert.Equal("download  TransferUtility  no        1,024 MiB/s    1.37 s    1,156 MiB", lines[1]);
        Assert.Equal("          Transfer         yes       2,048 MiB/s    0.70 s      127 MiB", lines[2]);
        Assert.Equal("          Transfer is                     x 2.00    x 0.51       x 0.11", lines[3]);
        Assert.StartsWith("upload    TransferUtility  parts       225 MiB/s ", lines[4], StringComparison.Ordinal);
        Assert.Contains("x 1.30", text, StringComparison.Ordinal);
        Assert.DoesNotContain('\u001b', text);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Write_Terminal_FitsIt(bool isUnicode)
    {
        string text = Write(new ToolConsole(TextWriter.Null, TextWriter.Null) { OutputIsTerminal = true, IsUnicode = isUnicode }, "");
        string[] lines = text.TrimEnd('\n').Split('\n');
        Assert.InRange(lines.Length, 10, 22);
        Assert.All(lines, line => Assert.InRange(CellText.Width(Escape.Replace(line, string.Empty)), 0, 80));
        Assert.Equal(isUnicode, text.Contains('╭', StringComparison.Ordinal));
    }

    private static string Write(ToolConsole template, string line)
    {
        using StringWriter writer = new();
        ToolConsole console = new(writer, TextWriter.Null) { OutputIsTerminal = template.OutputIsTerminal, IsUnicode = template.IsUnicode };
        OutputOptions output = new();
        OptionValues values = CliLine.Values(command => output.AddTo(command), line);
        DemoReport.Write(
            [
                new(EngineKind.Transfer, false, 1024 * MiB, new(0.5, 0.70, 127 * MiB, "yes")),
                new(EngineKind.Sdk, false, 1024 * MiB, new(1, 1.37, 1156 * MiB)),
                new(EngineKind.Transfer, true, 1024 * MiB, new(0.528, 0.70, 152 * MiB, "yes")),
                new(EngineKind.Sdk, true, 1024 * MiB, new(4.55, 7.37, 117 * MiB, "parts")),
            ],
            new Invocation(values, OutputSettings.Resolve(values, output), console, new FakeTimeProvider()));
        return writer.ToString();
    }
}
