using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Tests.Cli;

public sealed class BarProgressTests : IDisposable
{
    private readonly StringWriter _error = new();

    public void Dispose() => _error.Dispose();

    [Fact]
    public void Aside_WritesASeparateLineAboveTheBar()
    {
        using BarProgress bar = new(new ToolConsole(TextWriter.Null, _error), "a", ofMany: false);
        bar.Report(new TransferProgress { BytesTransferred = 1, TotalBytes = 2, BytesPerSecond = 3 });
        string drawn = _error.ToString();

        bar.Aside(() => _error.Write("message\n"));

        Assert.Equal(drawn + "\r\e[Kmessage\n" + drawn, _error.ToString());
    }

    [Theory]
    [InlineData(true, true, true)]
    [InlineData(true, false, false)]
    [InlineData(false, true, false)]
    public void Report_UsesColorsOnlyIfTheTerminalAllowsThem(bool allowsColor, bool isTerminal, bool expected)
    {
        using BarProgress bar = new(new ToolConsole(TextWriter.Null, _error) { AllowsColor = allowsColor, ErrorIsTerminal = isTerminal }, "a", ofMany: false);
        bar.Report(new TransferProgress { BytesTransferred = 1, TotalBytes = 2, BytesPerSecond = 3 });
        Assert.Equal(expected, _error.ToString().Contains("\e[32m", StringComparison.Ordinal));
    }

    [Fact]
    public void Aside_NothingDrawn_OnlyWrites()
    {
        using BarProgress bar = new(new ToolConsole(TextWriter.Null, _error), "a", ofMany: false);
        bar.Aside(() => _error.Write("message\n"));
        Assert.Equal("message\n", _error.ToString());
    }

    /// <summary>The terminal has wrapped the line into rows of the new width. All of them are erased, and nothing above.</summary>
    [Theory]
    [InlineData(80, 80, 0)]
    [InlineData(80, 120, 0)]
    [InlineData(120, 60, 1)]
    [InlineData(120, 40, 2)]
    public void Report_AfterAResize_ErasesTheWrappedLine(int before, int after, int rowsAbove)
    {
        int width = before;
        using BarProgress bar = new(new ToolConsole(TextWriter.Null, _error) { WidthSource = () => width }, new string('a', 32), ofMany: false);
        TransferProgress progress = new() { BytesTransferred = 512L << 20, TotalBytes = 1L << 30, BytesPerSecond = 256L << 20, PartsCompleted = 64, TotalParts = 128 };
        bar.Report(progress);
        string drawn = _error.ToString();
        _error.GetStringBuilder().Clear();
        width = after;
        bar.Report(progress);

        Assert.InRange(drawn.Length, before - 12, before + 10);
        Assert.StartsWith(rowsAbove == 0 ? "\r…" : $"\e[{rowsAbove}A\r\e[J", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Draw_WhileNothingMoves_ShowsTheElapsedTimeAndTheRequests()
    {
        FakeTimeProvider time = new();
        using BarProgress bar = new(new ToolConsole(TextWriter.Null, _error) { WidthSource = () => 160 }, "a", ofMany: false, time, () => 12);
        bar.Report(new TransferProgress { BytesTransferred = 512L << 20, TotalBytes = 1L << 30, BytesPerSecond = 256L << 20, PartsCompleted = 64, TotalParts = 128 });
        Assert.Contains("  time  0:00   12 requests", _error.ToString(), StringComparison.Ordinal);
        time.Advance(TimeSpan.FromSeconds(65));
        Assert.Contains("  time  1:05   12 requests", _error.ToString(), StringComparison.Ordinal);
    }
}
