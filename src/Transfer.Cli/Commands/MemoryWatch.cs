namespace Transfer.Cli.Commands;

/// <summary>Samples the memory of the process with every progress report, and keeps the peak.</summary>
internal sealed class MemoryWatch(IProgress<TransferProgress> view) : IProgress<TransferProgress>
{
    private long _peak;

    public void Report(TransferProgress value)
    {
        Sample();
        view.Report(value);
    }

    public long Sample()
    {
        long now = Environment.WorkingSet;
        long peak = Interlocked.Read(ref _peak);
        while (now > peak)
        {
            long seen = Interlocked.CompareExchange(ref _peak, now, peak);
            if (seen == peak)
            {
                return now;
            }

            peak = seen;
        }

        return peak;
    }
}
