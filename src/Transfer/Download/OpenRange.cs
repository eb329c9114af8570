using System.Runtime.CompilerServices;
using Transfer.Concurrency;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Download;

/// <summary>A range that is being received: the response, its request slot, and its stall guard, which are released together.</summary>
internal sealed class OpenRange(RangeResponse response, RequestSlot slot, StallGuard guard, TimeSpan stallTimeout) : IDisposable
{
    private readonly Lock _gate = new();
    private (OpenRange Range, long Offset)? _successor;
    private bool _isOver;
    private long _received;

    public ObjectInfo Info => response.Info;

    /// <summary>Gets the offset of the first byte of the body in the object.</summary>
    public long Offset => response.Offset;

    public long Length => response.Length;

    /// <summary>Gets the number of bytes that were read.</summary>
    public long Received => Volatile.Read(ref _received);

    /// <summary>Gets the total time of waiting for data of the body, up to the last data that arrived.</summary>
    public TimeSpan Waited => guard.Waited;

    /// <summary>Gets the time since the current wait for data began.</summary>
    public TimeSpan Silence => guard.Silence;

    /// <summary>Gets a value that indicates whether the timing of the body reflects the store, because no rate limit affects it.</summary>
    public bool IsTimed => guard.Pace is not { IsLimited: true };

    /// <summary>Gets the number of bytes at the beginning that are not needed, for example because the previous response has delivered them too.</summary>
    public long Overlap { get; private set; }

    /// <summary>Sets the number of bytes at the beginning that are not needed.</summary>
    public void Skip(long bytes) => Overlap = bytes;

    /// <summary>Reads the available data of the body, at least one byte.</summary>
    public ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken)
    {
        if (guard.Slowness is { } slowness)
        {
            WireException failure = new(FailureKind.Transient, slowness);
            response.End(failure);
            throw failure;
        }

        guard.Touch();
        ValueTask<int> read;
        try
        {
            read = response.Body.ReadAsync(buffer, guard.Token);
        }
        catch (Exception e)
        {
            throw Translate(e, cancellationToken);
        }

        if (!read.IsCompletedSuccessfully)
        {
            return WaitAsync(read, cancellationToken);
        }

        int count = read.Result;
        guard.ArrivedAtOnce(count);
        Advance(count);
        return new ValueTask<int>(count);
    }

    /// <summary>Gets the number of bytes to read at once, at most <paramref name="bytes"/>. It is small at a low rate limit.</summary>
    public int PieceOf(int bytes) => guard.Pace?.PieceOf(bytes) ?? bytes;

    /// <summary>Waits until the rate limits allow the bytes that were read. A pause of the transfer interrupts the wait.</summary>
    public ValueTask PaceAsync(int count, CancellationToken cancellationToken)
    {
        ValueTask paced = guard.Pace?.TakeAsync(count) ?? ValueTask.CompletedTask;
        return paced.IsCompletedSuccessfully ? paced : WaitForPaceAsync(paced, cancellationToken);
    }

    /// <summary>
    /// Suspends the stall timeout until <see cref="Resume"/> is called, because no one reads. The request slot is released for good, so that a slow
    /// reader doesn't block other requests.
    /// </summary>
    public void Pause()
    {
        guard.Pause();
        slot.Dispose();
    }

    public void Resume() => guard.Resume();

    /// <summary>Waits until no data has arrived for a time, or until the total time of waiting for data exceeds a limit.</summary>
    /// <returns><see langword="true"/> if the range is overdue; <see langword="false"/> if it was disposed.</returns>
    public Task<bool> WhenOverdueAsync(TimeSpan silence, TimeSpan wait) => guard.WatchAsync(silence, wait);

    /// <summary>Gets a value that indicates whether another response took over.</summary>
    public bool IsHandedOver
    {
        get
        {
            lock (_gate)
            {
                return _successor is not null;
            }
        }
    }

    /// <summary>Ends the reading of this range so that another response takes over.</summary>
    /// <param name="successor">The other response. This range owns it from now on.</param>
    /// <param name="offset">The offset in the object at which the other response begins.</param>
    /// <returns>Whether this range was still open.</returns>
    public bool TryHandOver(OpenRange successor, long offset)
    {
        lock (_gate)
        {
            if (_isOver)
            {
                return false;
            }

            _successor = (successor, offset);
        }

        guard.Abandon();
        return true;
    }

    /// <summary>Takes the response that took over.</summary>
    /// <param name="offset">The offset of the next missing byte.</param>
    public OpenRange? TakeSuccessor(long offset)
    {
        lock (_gate)
        {
            if (_successor is not { } successor)
            {
                return null;
            }

            _successor = null;
            successor.Range.Overlap = offset - successor.Offset;
            return successor.Range;
        }
    }

    public static WireException Stalled(TimeSpan timeout, Exception e)
        => new(FailureKind.Transient, $"no data was received for {timeout.TotalSeconds:0.#} s", e);

    /// <summary>Reports that all of the body was read.</summary>
    public void Complete() => slot.Complete(response.Length);

    public void Dispose()
    {
        OpenRange? successor;
        lock (_gate)
        {
            _isOver = true;
            successor = _successor?.Range;
            _successor = null;
        }

        successor?.Dispose();
        response.Dispose();
        guard.Dispose();
        slot.Dispose();
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<int> WaitAsync(ValueTask<int> read, CancellationToken cancellationToken)
    {
        int count;
        try
        {
            count = await read.ConfigureAwait(false);
        }
        catch (Exception e)
        {
            guard.Failed();
            throw Translate(e, cancellationToken);
        }

        guard.Arrived(count);
        Advance(count);
        return count;
    }

    private async ValueTask WaitForPaceAsync(ValueTask paced, CancellationToken cancellationToken)
    {
        try
        {
            await paced.ConfigureAwait(false);
        }
        catch (OperationCanceledException e)
        {
            throw Translate(e, cancellationToken);
        }
    }

    private void Advance(int count)
    {
        Volatile.Write(ref _received, _received + count);
        response.Advance(count);
    }

    private WireException Translate(Exception e, CancellationToken cancellationToken)
    {
        WireException failure = guard.IsInterrupted ? StallGuard.Interrupted(e) : guard.HasStalled ? Stalled(stallTimeout, e) : WireException.FromBody(e);
        response.End(cancellationToken.IsCancellationRequested ? e : failure);
        cancellationToken.ThrowIfCancellationRequested();
        return failure;
    }
}
