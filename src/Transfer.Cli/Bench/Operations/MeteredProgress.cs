using Transfer.Cli.Bench.Measuring;

namespace Transfer.Cli.Bench.Operations;

/// <summary>Counts the bytes of one transfer as its progress tells them, in whatever order its reports come.</summary>
internal sealed class MeteredProgress(RunMeter? meter) : IProgress<TransferProgress>
{
    private long _counted;

    public void Report(TransferProgress value) => Report(value.BytesTransferred);

    /// <summary>So many bytes of the transfer are done.</summary>
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
