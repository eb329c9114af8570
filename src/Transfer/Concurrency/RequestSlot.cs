namespace Transfer.S3.Concurrency;

/// <summary>The permission to have one request in flight. Disposing it releases the slot.</summary>
/// <param name="queue">The queue that granted the slot.</param>
/// <param name="flow">The transfer that the request belongs to.</param>
/// <param name="requestClass">The class of the request.</param>
/// <param name="started">The time at which the slot was granted, in seconds.</param>
/// <param name="epoch">The <see cref="LoadMeter.Epoch"/> at that time.</param>
/// <param name="inFlight">The number of requests that counted for the same limit at that time, including this one.</param>
internal sealed class RequestSlot(RequestQueue queue, TransferFlow flow, RequestClass requestClass, double started, int epoch, int inFlight) : IDisposable
{
    private RequestQueue? _queue = queue;
    private bool _isPaced;

    public TransferFlow Flow => flow;

    public RequestDirection Direction => flow.Direction;

    public RequestClass Class => requestClass;

    public double Started => started;

    public int Epoch => epoch;

    public int InFlight => inFlight;

    /// <summary>Gets what the request shows about the load of the store.</summary>
    public RequestOutcome Outcome { get; private set; }

    /// <summary>Gets the number of bytes that were transferred.</summary>
    public long Bytes { get; private set; }

    /// <summary>Gets the time from the end of the request to the first byte of its response, in seconds; null if it was not reported.</summary>
    public double? LatencySeconds { get; private set; }

    /// <summary>Reports that the response has begun.</summary>
    /// <param name="sentAt">The time at which the connection accepted the last byte of the request, in seconds; null for a request without data.</param>
    public void FirstByte(double? sentAt = null) => LatencySeconds = _queue?.Now - (sentAt ?? started);

    /// <summary>Gets or sets what the slot counts for. The lock of the queue guards it.</summary>
    public SlotState State { get; set; }

    /// <summary>Gets or sets a value that indicates whether a rate limit of the transfer can delay the request. The lock of the queue guards it.</summary>
    public bool IsRateLimited { get; set; }

    /// <summary>Gets the limit that the request counts for if it sends a part; otherwise, null.</summary>
    public SendLimit? SendLimit { get; init; }

    /// <summary>Reports that data of the request waited for a rate limit, so that its times say nothing about the store.</summary>
    /// <param name="isOwn">Whether the limit is one of its transfer, for which other transfers must not wait.</param>
    public void Paced(bool isOwn)
    {
        _isPaced = true;
        if (isOwn)
        {
            _queue?.Park(this);
        }
    }

    /// <summary>Reports that all data of the request was transferred. It must be called before the slot is disposed.</summary>
    public void Complete(long bytes) => (Outcome, Bytes) = (_isPaced ? RequestOutcome.Unknown : RequestOutcome.Completed, bytes);

    /// <summary>Reports that the store throttled the request, or didn't respond in time. It must be called before the slot is disposed.</summary>
    public void Reject() => Outcome = RequestOutcome.Rejected;

    public void Dispose() => Interlocked.Exchange(ref _queue, null)?.Exit(this);
}
