namespace Transfer.Cli.Rendering;

/// <summary>One line on standard error that is drawn over and over, and gone when the transfer ends.</summary>
internal sealed class BarProgress : IProgressView
{
    private const string ToStart = "\r";
    private const string EraseToEnd = "\e[K";
    private readonly ToolConsole _console;
    private readonly string _name;
    private readonly ProgressStyle _style;
    private readonly Lock _gate = new();
    private bool _drawn;
    private bool _disposed;

    public BarProgress(ToolConsole console, string name)
    {
        _console = console;
        _name = name;
        _style = new ProgressStyle(console.IsUnicode, console.HasColor);
    }

    public void Report(TransferProgress value)
    {
        lock (_gate)
        {
            if (!_disposed)
            {
                // The last column stays free: a terminal that wraps there would leave lines behind.
                _console.Error.Write(ToStart + ProgressLine.Render(_name, value, _console.Width - 1, _style) + EraseToEnd);
                _drawn = true;
            }
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _disposed = true;
            if (_drawn)
            {
                _drawn = false;
                _console.Error.Write(ToStart + EraseToEnd);
            }
        }
    }
}
