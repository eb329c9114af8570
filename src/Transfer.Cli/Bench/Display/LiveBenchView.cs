using Transfer.S3.Bench.Measuring;
using Transfer.S3.Bench.Sweep;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Bench.Display;

/// <summary>A few lines on a terminal that are redrawn, and removed at the end.</summary>
internal sealed class LiveBenchView(ToolConsole console) : IBenchView
{
    private const string EraseToEnd = "\e[K";
    private const string EraseBelow = "\e[J";
    private const int MaxBarCells = 30;
    private readonly ProgressStyle _style = new(console.IsUnicode, console.ErrorHasColor);
    private readonly StatusText _text = new();
    private readonly Lock _gate = new();
    private string[] _lines = [];
    private bool _disposed;

    public void Show(BenchStatus status, RunMeter meter)
    {
        lock (_gate)
        {
            if (_disposed)
            {
                return;
            }

            string left = StatusText.Left(status, meter);
            int barCells = Math.Clamp(console.Width - left.Length - 5, 0, MaxBarCells);
            string[] lines =
            [
                Fit(StatusText.Title(status)),
                barCells > 0 ? $"  {_style.Bar(StatusText.Fraction(status, meter), barCells)}  {Fit(left)}" : Fit($"  {left}"),
                Fit($"  {_text.Rates(status, meter)}"),
                Fit($"  {StatusText.Latency(meter)}"),
            ];
            console.Error.Write(Erase() + Draw(lines));
            _lines = lines;
        }
    }

    public void Aside(Action write)
    {
        lock (_gate)
        {
            console.Error.Write(Erase());
            write();
            console.Error.Write(Draw(_lines));
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _disposed = true;
            console.Error.Write(Erase());
            _lines = [];
        }
    }

    // The cursor is below the last line, where the next text begins.
    private string Erase() => _lines.Length == 0 ? string.Empty : $"\e[{_lines.Length}A\r{EraseBelow}";

    private static string Draw(string[] lines) => string.Concat(lines.Select(line => line + EraseToEnd + Environment.NewLine));

    // The last column stays empty, because some terminals wrap there.
    private string Fit(string text) => text.Length < console.Width ? text : string.Concat(text.AsSpan(0, Math.Max(0, console.Width - 1 - _style.Mark.Length)), _style.Mark);
}
