namespace Transfer.S3.Requests;

/// <summary>The progress of one transfer as others see it: with its rate, and without a decrease if the transfer starts again.</summary>
internal sealed class ProgressMeter(TransferReporter transfer)
{
    private readonly Lock _gate = new();
    private readonly RateMeter _rate = new();
    private long _mostBytes;
    private long _mostConfirmed;
    private int _mostParts;

    /// <summary>Stores the progress so far, so that later reports do not decrease.</summary>
    public void Remember()
    {
        lock (_gate)
        {
            _mostBytes = Math.Max(_mostBytes, transfer.Bytes.Transferred);
            _mostConfirmed = Math.Max(_mostConfirmed, transfer.Bytes.Confirmed);
            _mostParts = Math.Max(_mostParts, transfer.Bytes.Parts);
        }
    }

    /// <summary>Gets the progress at the end of the transfer, with the rate of all of it.</summary>
    public TransferProgress GetFinal()
    {
        double seconds = transfer.Times.Running.TotalSeconds;
        return Get(isFinal: true) with { BytesPerSecond = seconds > 0 ? (transfer.Bytes.Transferred - transfer.Bytes.Resumed) / seconds : 0 };
    }

    /// <summary>Gets the progress.</summary>
    public TransferProgress Get(bool isFinal = false)
    {
        lock (_gate)
        {
            ByteCounts counts = transfer.Bytes;
            if (isFinal)
            {
                (_mostBytes, _mostConfirmed, _mostParts) = (counts.Transferred, counts.Confirmed, counts.Parts);
            }

            Remember();
            long bytes = _mostBytes;
            long resumed = Math.Min(bytes, counts.Resumed);
            long? totalBytes = transfer.TotalBytes;
            return new TransferProgress
            {
                BytesTransferred = bytes,
                TotalBytes = totalBytes,
                BytesPerSecond = _rate.Update(bytes - resumed, transfer.Times.Elapsed),
                PartsCompleted = _mostParts,
                TotalParts = transfer.TotalParts,
                Requests = transfer.Requests.Sent,
                Retries = transfer.Requests.Retries,
                HedgedRequests = transfer.Requests.Hedged,
                BytesConfirmed = Math.Min(bytes, _mostConfirmed),
                BytesResumed = resumed,
                BytesKept = counts.Kept,
                ObjectsCompleted = transfer.Objects,
                ObjectsUnpublished = transfer.Unpublished,
                TotalObjects = transfer.TotalObjects,
                Bottleneck = isFinal ? transfer.Bottleneck.GetTimes().Bottleneck : transfer.Bottleneck.FindRecent(),
                Remaining = Remaining(bytes - resumed, totalBytes - resumed),
            };
        }
    }

    /// <summary>
    /// Estimates the remaining time at the average rate of the transfer: by bytes and, for many objects, also by objects, because small objects take
    /// the same time regardless of their size.
    /// </summary>
    private TimeSpan? Remaining(long bytes, long? totalBytes)
    {
        double left = Left(bytes, totalBytes);
        double leftObjects = Left((3 * transfer.Objects) + (2 * transfer.Unpublished), 3 * transfer.TotalObjects); // one of three requests publishes an object
        double part = double.IsNaN(leftObjects) ? left : Math.Max(left, leftObjects);
        double seconds = part * transfer.Times.Elapsed.TotalSeconds;
        return seconds < TimeSpan.MaxValue.TotalSeconds ? TimeSpan.FromSeconds(seconds) : null; // NaN fails this comparison

        static double Left(long done, long? total) => total is not { } all ? double.NaN : all <= done ? 0 : done == 0 ? double.PositiveInfinity : (double)(all - done) / done;
    }
}
