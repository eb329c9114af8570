using Transfer.S3.Concurrency;

namespace Transfer.S3.Requests;

/// <summary>Makes the data of one request wait for the rate limits. Such a wait isn't a stall, and the times of the request don't measure the store.</summary>
/// <remarks>Whatever ends the request ends the wait too, for example a pause of the transfer.</remarks>
internal sealed class RequestPace
{
    private readonly TransferReporter _reporter;
    private readonly RateLimits _limits;
    private readonly RequestSlot _slot;
    private readonly StallGuard _guard;
    private readonly RequestPipeline _pipeline;

    private RequestPace(TransferReporter reporter, RequestSlot slot, StallGuard guard, RequestPipeline pipeline)
    {
        _reporter = reporter;
        _limits = reporter.Limits;
        _slot = slot;
        _guard = guard;
        _pipeline = pipeline;
    }

    /// <returns>Null if there are no limits.</returns>
    public static RequestPace? Create(TransferReporter reporter, RequestSlot slot, StallGuard guard, RequestPipeline pipeline)
        => reporter.Limits.IsEmpty ? null : new RequestPace(reporter, slot, guard, pipeline);

    /// <summary>Gets the time that the request has waited, in ticks of a timestamp.</summary>
    public long Waited { get; private set; }

    /// <summary>Gets a value that indicates whether a limit is set now, or the request has waited for one.</summary>
    public bool IsLimited => Waited > 0 || _limits.IsSet;

    /// <summary>Gets the bytes to transfer at once, at most <paramref name="bytes"/>.</summary>
    public int GetPiece(int bytes) => _limits.GetPiece(bytes);

    /// <summary>Counts received bytes against the limits, and waits if necessary. Afterward, the stall guard is at rest.</summary>
    public ValueTask TakeAsync(int bytes)
        => _limits.TryTake(bytes, out int next) ? ValueTask.CompletedTask : WaitAsync(bytes, next, _guard.Token);

    /// <summary>Counts bytes to send against the limits, and waits if necessary.</summary>
    /// <param name="most">The bytes that are left to send.</param>
    /// <param name="cancellationToken">The token of whoever reads the body. It isn't always the one of the request.</param>
    /// <returns>The bytes that can be sent now.</returns>
    public ValueTask<int> TakePieceAsync(int most, CancellationToken cancellationToken)
    {
        int piece = _limits.GetPiece(most);
        return _limits.TryTake(piece, out int next) ? ValueTask.FromResult(piece) : WaitToSendAsync(piece, next, cancellationToken);
    }

    private async ValueTask<int> WaitToSendAsync(int bytes, int next, CancellationToken cancellationToken)
    {
        using CancellationTokenSource either = CancellationTokenSource.CreateLinkedTokenSource(_guard.Token, cancellationToken);
        await WaitAsync(bytes, next, either.Token).ConfigureAwait(false);
        _guard.Touch();
        return bytes;
    }

    private async ValueTask WaitAsync(int bytes, int next, CancellationToken cancellationToken)
    {
        long since = _reporter.Times.Now;
        _guard.Rest();
        _slot.Paced(_limits.IsOwn(next));
        _pipeline.BeginPause();
        try
        {
            await _limits.WaitAsync(bytes, next, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _pipeline.EndPause();
            Waited += _reporter.Times.Now - since;
            _reporter.Times.Add(TransferTimeKind.RateLimit, since);
        }
    }
}
