namespace Transfer.Cli.Rendering;

/// <summary>A line every few seconds, for logs. A shorter transfer only has its summary.</summary>
internal sealed class PlainProgress(TextWriter error, string name, TimeProvider time, bool ofMany) : IProgressView
{
    public static readonly TimeSpan Interval = TimeSpan.FromSeconds(5);
    private readonly Lock _gate = new();
    private long _last = time.GetTimestamp();

    public void Report(TransferProgress value)
    {
        lock (_gate)
        {
            if (time.GetElapsedTime(_last) >= Interval)
            {
                _last = time.GetTimestamp();
                error.WriteLine(ProgressLine.RenderPlain(name, value, ofMany));
            }
        }
    }

    public void Dispose()
    {
    }
}
