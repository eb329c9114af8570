using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Tests.Cli;

public sealed class PlainProgressTests : IDisposable
{
    private readonly StringWriter _error = new() { NewLine = "\n" };
    private readonly FakeTimeProvider _time = new();

    public void Dispose() => _error.Dispose();

    [Fact]
    public void Line_IsWrittenByTime_AlsoIfNothingMoves()
    {
        using PlainProgress progress = new(new ToolConsole(TextWriter.Null, _error), "a", _time, ofMany: false);
        _time.Advance(PlainProgress.Interval);
        progress.Report(new TransferProgress { BytesTransferred = 1 << 20, TotalBytes = 4 << 20, BytesPerSecond = 1 << 20 });
        progress.Report(new TransferProgress { BytesTransferred = 2 << 20, TotalBytes = 4 << 20, BytesPerSecond = 1 << 20 });
        _time.Advance(2 * PlainProgress.Interval);

        Assert.Equal("a: 0 B\na: 50%, 2 MiB of 4 MiB, 1 MiB/s, eta 0:02\na: 50%, 2 MiB of 4 MiB, 1 MiB/s, eta 0:02\n", _error.ToString());
    }

    [Fact]
    public void Line_ShortTransfer_HasNone()
    {
        PlainProgress progress = new(new ToolConsole(TextWriter.Null, _error), "a", _time, ofMany: false);
        progress.Report(new TransferProgress { BytesTransferred = 1, TotalBytes = 2, BytesPerSecond = 3 });
        progress.Dispose();
        _time.Advance(PlainProgress.Interval);

        Assert.Equal(string.Empty, _error.ToString());
    }
}
