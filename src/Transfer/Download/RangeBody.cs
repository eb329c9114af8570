using System.Runtime.CompilerServices;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Download;

/// <summary>The body of the response to the request of a range, while it is received. The response and its attempt are released together.</summary>
internal sealed class RangeBody(RangeResponse response, RequestAttempt attempt) : IDisposable
{
    /// <summary>Gets what the headers tell about the object.</summary>
    public ObjectHead Head => response.Head;

    /// <summary>Gets the properties of the object in the headers.</summary>
    public ObjectInfo Info => response.Info;

    /// <summary>Gets the offset of the first byte of the body in the object.</summary>
    public long Offset => response.Offset;

    public long Length => response.Length;

    /// <summary>Gets the total time of waiting for data of the body, up to the last data that arrived.</summary>
    public TimeSpan Waited => attempt.Guard.Waited;

    /// <summary>Gets a value that indicates whether the timing of the body reflects the store, because no rate limit affects it.</summary>
    public bool IsTimed => attempt.Guard.IsTimed;

    /// <summary>Gets or sets the number of bytes at the beginning that are not needed, because they are before the first whole page.</summary>
    public long Overlap { get; set; }

    /// <summary>Reads the available data of the body, at least one byte.</summary>
    public ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken)
    {
        if (attempt.Guard.Slowness is { } slowness)
        {
            WireException failure = new(FailureKind.Transient, slowness);
            response.End(failure);
            throw failure;
        }

        attempt.Guard.Touch();
        ValueTask<int> read;
        try
        {
            read = response.Body.ReadAsync(buffer, attempt.Guard.Token);
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
        attempt.Guard.ArrivedAtOnce(count);
        attempt.Received(count);
        response.Advance(count);
        return new ValueTask<int>(count);
    }

    /// <summary>Gets the number of bytes to read at once, at most <paramref name="bytes"/>. It is small at a low rate limit.</summary>
    public int GetPiece(int bytes) => attempt.Guard.Pace?.GetPiece(bytes) ?? bytes;

    /// <summary>Waits until the rate limits allow the bytes that were read. A pause of the transfer interrupts the wait.</summary>
    public ValueTask PaceAsync(int count, CancellationToken cancellationToken)
    {
        ValueTask paced = attempt.Guard.Pace?.TakeAsync(count) ?? ValueTask.CompletedTask;
        return paced.IsCompletedSuccessfully ? paced : WaitForPaceAsync(paced, cancellationToken);
    }

    /// <summary>
    /// Suspends the stall timeout until <see cref="Resume"/> is called, because no one reads. The request slot is released for good, so that a slow
    /// reader doesn't block other requests.
    /// </summary>
    public void Pause() => attempt.Pause();

    public void Resume() => attempt.Guard.Resume();

    /// <summary>Reports that all of the body was read.</summary>
    public void Complete() => attempt.Complete(response.Length);

    public void Dispose()
    {
        response.Dispose();
        attempt.Dispose();
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<int> WaitAsync(ValueTask<int> read, CancellationToken cancellationToken)
    {
        attempt.Guard.WatchBody(response.Length);
        int count;
        try
        {
            count = await read.ConfigureAwait(false);
        }
        catch (Exception e)
        {
            attempt.Guard.Failed();
            throw Translate(e, cancellationToken);
        }

        attempt.Guard.Arrived(count);
        attempt.Received(count);
        response.Advance(count);
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

    private WireException Translate(Exception e, CancellationToken cancellationToken)
    {
        WireException failure = attempt.Guard.GetFailure(e) ?? WireException.FromBody(e);
        response.End(cancellationToken.IsCancellationRequested ? e : failure);
        cancellationToken.ThrowIfCancellationRequested();
        return failure;
    }
}
