using Transfer.Cli.Rendering;

namespace Transfer.Tests.Cli;

public sealed class BarProgressTests : IDisposable
{
    private readonly StringWriter _error = new();

    public void Dispose() => _error.Dispose();

    [Fact]
    public void Aside_WritesASeparateLineAboveTheBar()
    {
        using BarProgress bar = new(new ToolConsole(TextWriter.Null, _error), "a", ofMany: false);
        bar.Report(new TransferProgress(1, 2, 3, 0, null));
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
        bar.Report(new TransferProgress(1, 2, 3, 0, null));
        Assert.Equal(expected, _error.ToString().Contains("\e[32m", StringComparison.Ordinal));
    }

    [Fact]
    public void Aside_NothingDrawn_OnlyWrites()
    {
        using BarProgress bar = new(new ToolConsole(TextWriter.Null, _error), "a", ofMany: false);
        bar.Aside(() => _error.Write("message\n"));
        Assert.Equal("message\n", _error.ToString());
    }
}
