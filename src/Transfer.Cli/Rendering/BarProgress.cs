namespace Transfer.Cli.Rendering;

/// <summary>A line on standard error that is redrawn, and removed when the transfer ends.</summary>
internal sealed class BarProgress : IProgressView
{
    private const string ToStart = "\r";
    private const string EraseToEnd = "\e[K";
    private readonly ToolConsole _console;
    private readonly string _name;
    private readonly ProgressStyle _style;
    private readonly Lock _gate = new();
    private readonly bool _ofMany;
    private TransferProgress _last;
    private bool _drawn;
    private bool _disposed;

    public BarProgress(ToolConsole console, string name, bool ofMany)
    {
        _ofMany = ofMany;
        _console = console;
        _name = name;
        _style = new ProgressStyle(console.IsUnicode, console.ErrorHasColor);
    }

    public void Report(TransferProgress value)
    {
        lock (_gate)
        {
            if (!_disposed)
            {
                _last = value;
                _drawn = true;
                Draw();
            }
        }
    }

    public void Aside(Action write)
    {
        lock (_gate)
        {
            if (!_drawn)
            {
                write();
                return;
            }

            _console.Error.Write(ToStart + EraseToEnd);
            write();
            Draw();
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

    // The last column stays empty, because some terminals wrap there.
    private void Draw() => _console.Error.Write(ToStart + ProgressLine.Render(_name, _last, _console.Width - 1, _style, _ofMany) + EraseToEnd);
}
