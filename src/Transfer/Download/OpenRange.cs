using System.Runtime.CompilerServices;
using Transfer.Concurrency;
using Transfer.Scheduling;
using Transfer.Wire;

namespace Transfer.Download;

/// <summary>A range that is arriving: the answer, and the slot and the guard that are given back with it.</summary>
internal sealed class OpenRange(RangeResponse response, RequestSlot slot, StallGuard guard, TimeSpan stallTimeout) : IDisposable
{
    public ObjectInfo Info => response.Info;

    public long Length => response.Length;

    /// <summary>Reads what is there of the body, at least one byte.</summary>
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
        response.Advance(count);
        return new ValueTask<int>(count);
    }

    /// <summary>
    /// Between <see cref="Pause"/> and <see cref="Resume"/> the store may be silent: nobody reads. The request's slot is given back for good, so that a
    /// reader who takes his time keeps nobody else waiting.
    /// </summary>
    public void Pause()
    {
        guard.Pause();
        slot.Dispose();
    }

    public void Resume() => guard.Resume();

    public static WireException Stalled(TimeSpan timeout, Exception e)
        => new(FailureKind.Transient, $"nothing arrived for {timeout.TotalSeconds:0.#} s", e);

    /// <summary>Reports that all of the body was read.</summary>
    public void Complete() => slot.Complete(response.Length);

    public void Dispose()
    {
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
            throw Translate(e, cancellationToken);
        }

        guard.Arrived(count);
        response.Advance(count);
        return count;
    }

    private WireException Translate(Exception e, CancellationToken cancellationToken)
    {
        WireException failure = guard.HasStalled ? Stalled(stallTimeout, e) : WireException.FromBody(e);
        response.End(cancellationToken.IsCancellationRequested ? e : failure);
        cancellationToken.ThrowIfCancellationRequested();
        return failure;
    }
}
