using System.Globalization;

namespace Transfer.S3.Cli.Rendering;

/// <summary>A line on standard error that is redrawn, and removed when the transfer ends.</summary>
internal sealed class BarProgress : IProgressView
{
    private const string ToStart = "\r";
    private const string EraseToEnd = "\e[K";
    private const string EraseBelow = "\e[J";

    /// <summary>The clock continues while nothing moves.</summary>
    private static readonly TimeSpan RedrawInterval = TimeSpan.FromSeconds(1);

    private readonly ToolConsole _console;
    private readonly string _name;
    private readonly ProgressStyle _style;
    private readonly Lock _gate = new();
    private readonly bool _ofMany;
    private TransferProgress _last;
    private readonly TimeProvider? _time;
    private readonly Func<int>? _requests;
    private readonly long _started;
    private readonly ITimer? _timer;
    private bool _drawn;
    private bool _disposed;
    private int _drawnCells;

    /// <param name="console">The console to write to.</param>
    /// <param name="name">The name to show.</param>
    /// <param name="ofMany">Whether many objects are transferred.</param>
    /// <param name="time">The clock; null to show no elapsed time.</param>
    /// <param name="requests">Gets the number of requests in flight; null to show none.</param>
    public BarProgress(ToolConsole console, string name, bool ofMany, TimeProvider? time = null, Func<int>? requests = null)
    {
        _ofMany = ofMany;
        _time = time;
        _requests = requests;
        _started = time?.GetTimestamp() ?? 0;
        _timer = time?.CreateTimer(static state => ((BarProgress)state!).Redraw(), this, RedrawInterval, RedrawInterval);
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

            _console.Error.Write(Erase(_console.Width));
            write();
            _drawnCells = 0;
            Draw();
        }
    }

    public void Dispose()
    {
        _timer?.Dispose();
        lock (_gate)
        {
            _disposed = true;
            if (_drawn)
            {
                _drawn = false;
                _console.Error.Write(Erase(_console.Width));
            }
        }
    }

    private void Redraw()
    {
        lock (_gate)
        {
            if (_drawn && !_disposed)
            {
                Draw();
            }
        }
    }

    private void Draw()
    {
        int width = _console.Width;
        ProgressActivity? activity = _time is null ? null : new ProgressActivity(_time.GetElapsedTime(_started), _requests?.Invoke() ?? 0);
        string line = ProgressLine.Render(_name, _last, width - 1, _style, _ofMany, activity); // the last column stays empty, because some terminals wrap there
        string start = _drawnCells < width ? ToStart : Erase(width);
        _drawnCells = VisibleCells(line);
        _console.Error.Write(start + line + EraseToEnd);
    }

    /// <summary>Gets the width of a line without its colors.</summary>
    private static int VisibleCells(string line)
    {
        int cells = 0;
        string[] pieces = line.Split('\e');
        for (int i = 0; i < pieces.Length; i++)
        {
            cells += CellText.Width(i == 0 ? pieces[i] : pieces[i][(pieces[i].IndexOf('m', StringComparison.Ordinal) + 1)..]);
        }

        return cells;
    }

    /// <summary>Gets what erases the line. If the terminal has become narrower, it has wrapped the line, and the cursor is in the last row of it.</summary>
    private string Erase(int width)
    {
        int rowsAbove = _drawnCells > 0 ? (_drawnCells - 1) / Math.Max(1, width) : 0;
        return rowsAbove == 0 ? ToStart + EraseToEnd : string.Create(CultureInfo.InvariantCulture, $"\e[{rowsAbove}A{ToStart}{EraseBelow}");
    }
}
