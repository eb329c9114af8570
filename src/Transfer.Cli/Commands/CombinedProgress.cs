using Transfer.S3.Bench.Measuring;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Combines the progress of copies that run at the same time.</summary>
/// <param name="whole">Receives the combined progress.</param>
/// <param name="objects">The number of objects.</param>
/// <param name="totalBytes">The size of all objects; null if it is not known.</param>
/// <param name="time">The clock.</param>
internal sealed class CombinedProgress(IProgress<TransferProgress> whole, int objects, long? totalBytes, TimeProvider time)
{
    /// <summary>Thousands of small objects can complete in a second. Reporting each one would take longer than copying it.</summary>
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(100);

    private readonly Lock _gate = new();
    private readonly RecentRate _rate = new();
    private readonly long _started = time.GetTimestamp();
    private long? _totalBytes = totalBytes;
    private long? _reported;
    private TransferProgress _sum;
    private readonly int[] _limited = new int[Enum.GetValues<Bottleneck>().Length];

    /// <summary>Begins the progress of one object.</summary>
    public Share Begin() => new(this);

    /// <summary>Reports the current progress, even if the interval hasn't elapsed.</summary>
    public void Finish()
    {
        lock (_gate)
        {
            Report();
        }
    }

    private void Add(in TransferProgress value, in TransferProgress last, int ended, long leftOut)
    {
        lock (_gate)
        {
            _totalBytes -= leftOut;
            _limited[(int)last.Bottleneck]--;
            _limited[(int)value.Bottleneck]++;
            _sum = _sum with
            {
                BytesTransferred = _sum.BytesTransferred + value.BytesTransferred - last.BytesTransferred,
                BytesConfirmed = _sum.BytesConfirmed + value.BytesConfirmed - last.BytesConfirmed,
                BytesResumed = _sum.BytesResumed + value.BytesResumed - last.BytesResumed,
                BytesKept = _sum.BytesKept + value.BytesKept - last.BytesKept,
                Requests = _sum.Requests + value.Requests - last.Requests,
                Retries = _sum.Retries + value.Retries - last.Retries,
                HedgedRequests = _sum.HedgedRequests + value.HedgedRequests - last.HedgedRequests,
                ObjectsCompleted = _sum.ObjectsCompleted + ended,
            };
            if (_reported is not { } reported || time.GetElapsedTime(reported) >= Interval)
            {
                Report();
            }
        }
    }

    private void Report()
    {
        _reported = time.GetTimestamp();
        TimeSpan elapsed = time.GetElapsedTime(_started);
        TransferProgress progress = _sum with { TotalBytes = _totalBytes, TotalObjects = objects };
        double? fraction = ProgressFields.GetFraction(progress);
        whole.Report(progress with
        {
            Bottleneck = MostCommonBottleneck(),
            BytesPerSecond = _rate.Update(elapsed, _sum.BytesTransferred - _sum.BytesResumed),
            Remaining = fraction > 0 ? (elapsed / fraction) - elapsed : null,
        });
    }

    /// <summary>Gets what limits most of the copies in progress.</summary>
    private Bottleneck MostCommonBottleneck()
    {
        int most = 1;
        for (int i = 2; i < _limited.Length; i++)
        {
            most = _limited[i] > _limited[most] ? i : most;
        }

        return _limited[most] > 0 ? (Bottleneck)most : Bottleneck.None;
    }

    /// <summary>The progress of one object.</summary>
    public sealed class Share(CombinedProgress combined) : IProgress<TransferProgress>
    {
        private TransferProgress _last;

        public void Report(TransferProgress value)
        {
            combined.Add(value, _last, ended: 0, leftOut: 0);
            _last = value;
        }

        /// <summary>Counts the object as completed.</summary>
        /// <param name="statistics">The statistics of its copy; null if it has none.</param>
        /// <param name="leftOut">The number of bytes in the total that are not copied.</param>
        public void End(TransferStatistics? statistics, long leftOut)
        {
            TransferProgress value = statistics is { } all
                ? _last with { BytesTransferred = all.BytesTransferred, BytesConfirmed = all.BytesTransferred, BytesResumed = all.BytesResumed, Requests = all.Requests, Retries = all.Retries }
                : _last;
            combined.Add(value with { Bottleneck = Bottleneck.None }, _last, ended: 1, leftOut);
            _last = value;
        }
    }
}
