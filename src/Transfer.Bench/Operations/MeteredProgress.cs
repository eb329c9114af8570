using Transfer.S3.Bench.Measuring;

namespace Transfer.S3.Bench.Operations;

/// <summary>Counts the bytes of a transfer from its progress reports, in any order.</summary>
/// <param name="meter">Counts the bytes of a run.</param>
/// <param name="isUpload">Whether bytes count when the store has confirmed them, because what was only sent can still be in a buffer.</param>
internal sealed class MeteredProgress(RunMeter? meter, bool isUpload = false) : IProgress<TransferProgress>
{
    private long _counted;

    public void Report(TransferProgress value) => Report(isUpload ? value.BytesConfirmed : value.BytesTransferred);

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
