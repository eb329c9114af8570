#pragma warning disable VSTHRD002 // only results of completed tasks are used
using Transfer.S3.Concurrency;
using Transfer.S3.Requests;

namespace Transfer.S3.Tests.Concurrency;

/// <summary>
/// A model of the download of one object to a file, in steps of 1 ms. Connections are kept, share a link, and begin slowly. The queue, the controller, and the window are
/// the real ones.
/// </summary>
internal sealed class SimulatedDownload : IDisposable
{
    private const double StepSeconds = 0.001;
    private const double FirstWindowBytes = 10 * 1448;
    private const long PartBytes = TransferDefaults.PartSizeBytes;

    private readonly FakeTimeProvider _time = new(DateTimeOffset.MinValue);
    private readonly Stack<double> _idle = new();
    private readonly List<Request> _requests = [];
    private readonly RequestQueue _queue;
    private readonly PartWindow _window;
    private readonly TransferFlow _flow = new(RequestDirection.Download);

    /// <param name="concurrency">The number of requests; null if the controller determines it.</param>
    public SimulatedDownload(int? concurrency)
    {
        _queue = concurrency is { } number
            ? new RequestQueue(number, _time)
            : new RequestQueue(
                TransferDefaults.MaxConcurrency,
                _time,
                static () => new ConcurrencyController(TransferDefaults.LeastConcurrency, TransferDefaults.StartConcurrency, TransferDefaults.MostConcurrency));
        _window = new PartWindow(_queue, _flow, concurrency ?? TransferDefaults.MostConcurrency, concurrency is not null, long.MaxValue, PartBytes);
    }

    public double BytesPerSecond { get; init; } = 800 * Sizes.MiB;

    public double ConnectionBytesPerSecond { get; init; } = double.PositiveInfinity;

    /// <summary>Gets the time from a request to its first byte.</summary>
    public double FirstByteSeconds { get; init; } = 0.04;

    /// <summary>Gets a value that indicates whether connections begin with few packets, and double their number in each round trip.</summary>
    public bool StartsSlowly { get; init; }

    /// <summary>Downloads an object.</summary>
    /// <returns>The rate as a share of that of the link: of the whole object, and of its second half.</returns>
    public (double All, double SecondHalf) Run(long length)
    {
        double now = 0;
        double halfAt = 0;
        long offset = 0;
        double received = 0;
        _window.TryEnter();
        BeginRange(ref offset, length, isFirst: true);
        while (offset < length || _requests.Count > 0)
        {
            while (received > 0 && offset < length && _window.TryEnter())
            {
                BeginRange(ref offset, length, isFirst: false);
            }

            _time.Advance(TimeSpan.FromSeconds(StepSeconds));
            now += StepSeconds;
            received += Step(now);
            halfAt = received >= length / 2 && halfAt == 0 ? now : halfAt;
        }

        return (length / now / BytesPerSecond, (length - (length / 2)) / (now - halfAt) / BytesPerSecond);
    }

    public void Dispose() => _window.Dispose();

    private void BeginRange(ref long offset, long length, bool isFirst)
    {
        long end = Math.Min(length, (offset / PartBytes * PartBytes) + PartBytes);
        long bytes = _window.GetRange(end - offset, isFirst ? long.MaxValue : length - offset);
        offset += bytes;
        _requests.Add(new Request(bytes, _queue.EnterAsync(_flow, RequestCost.Part(bytes), isRetry: false, CancellationToken.None).AsTask()));
    }

    private double Step(double now)
    {
        foreach (Request request in _requests.Where(static request => request.Slot.IsCompleted && !request.HasBegun))
        {
            request.HasBegun = true;
            bool isNew = !_idle.TryPop(out double window);
            request.WindowBytes = isNew ? FirstWindowBytes : window;
            request.FirstByteAt = now + (FirstByteSeconds * (isNew && StartsSlowly ? 2 : 1));
        }

        // The link is shared equally among those that can use their share.
        List<Request> active = [.. _requests.Where(request => request.HasBegun && request.FirstByteAt <= now)];
        double left = BytesPerSecond * StepSeconds;
        double moved = 0;
        int others = active.Count;
        foreach (Request request in active.OrderBy(GetMost))
        {
            double bytes = Math.Min(GetMost(request), left / others--);
            left -= bytes;
            if (!request.HasResponded)
            {
                request.HasResponded = true;
                request.Slot.Result.FirstByte();
                _queue.Responded(TimeSpan.FromSeconds(FirstByteSeconds));
            }

            // While a window limits the connection, it doubles in each round trip.
            request.WindowBytes += bytes < GetMost(request) ? 0 : bytes;
            bytes = Math.Min(bytes, request.BytesLeft);
            request.BytesLeft -= bytes;
            moved += bytes;
            if (request.BytesLeft < 1)
            {
                _idle.Push(request.WindowBytes);
                _requests.Remove(request);
                request.Slot.Result.Complete(request.Bytes);
                request.Slot.Result.Dispose();
                _window.Fetched();
                _window.Leave();
            }
        }

        return moved;

        double GetMost(Request request) => StepSeconds * Math.Min(ConnectionBytesPerSecond, StartsSlowly ? request.WindowBytes / FirstByteSeconds : double.PositiveInfinity);
    }

    private sealed class Request(long bytes, Task<RequestSlot> slot)
    {
        public long Bytes => bytes;

        public Task<RequestSlot> Slot => slot;

        public bool HasBegun { get; set; }

        public bool HasResponded { get; set; }

        public double FirstByteAt { get; set; }

        public double WindowBytes { get; set; }

        public double BytesLeft { get; set; } = bytes;
    }
}
