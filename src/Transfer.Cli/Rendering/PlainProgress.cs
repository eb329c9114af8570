namespace Transfer.S3.Cli.Rendering;

/// <summary>A line every few seconds, for logs, also while nothing moves. A shorter transfer only has its summary.</summary>
internal sealed class PlainProgress : IProgressView
{
    public static readonly TimeSpan Interval = TimeSpan.FromSeconds(5);
    private readonly ToolConsole _console;
    private readonly string _name;
    private readonly bool _ofMany;
    private readonly ITimer _timer;
    private readonly Lock _gate = new();
    private TransferProgress _last;
    private bool _disposed;

    public PlainProgress(ToolConsole console, string name, TimeProvider time, bool ofMany)
    {
        _console = console;
        _name = name;
        _ofMany = ofMany;
        _timer = time.CreateTimer(static state => ((PlainProgress)state!).Write(), this, Interval, Interval);
    }

    public void Report(TransferProgress value)
    {
        lock (_gate)
        {
            _last = value;
        }
    }

    public void Dispose()
    {
        _timer.Dispose();
        lock (_gate)
        {
            _disposed = true;
        }
    }

    private void Write()
    {
        lock (_gate)
        {
            if (!_disposed)
            {
                _console.Error.WriteLine(ProgressLine.RenderPlain(_name, _last, _ofMany));
            }
        }
    }
}
