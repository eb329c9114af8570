using Transfer.Cli.Bench.Measuring;

namespace Transfer.Cli.Bench.Operations;

/// <summary>Counts the bytes of a transfer from its progress reports, in any order.</summary>
internal sealed class MeteredProgress(RunMeter? meter) : IProgress<TransferProgress>
{
    private long _counted;

    public void Report(TransferProgress value) => Report(value.BytesTransferred);

    /// <summary>Reports the transferred bytes.</summary>
    public void Report(long bytes)
    {
        long seen = Interlocked.Read(ref _counted);
        while (bytes > seen)
        {
            long was = Interlocked.CompareExchange(ref _counted, bytes, seen);
            if (was == seen)
            {
                meter?.AddBytes(bytes - seen);
                return;
            }

            seen = was;
        }
    }
}
