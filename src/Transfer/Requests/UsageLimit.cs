using System.Globalization;

namespace Transfer.S3;

/// <summary>Ends the transfers of a client before they send more than allowed. Transfers that can be resumed keep their state, so the same calls go on later.</summary>
/// <remarks>
/// <para>
/// Before a request is sent, it is counted with all requests before it, also those in flight. If a limit would be exceeded, it isn't sent, and its transfer fails with
/// a <see cref="TransferException"/> (<see cref="TransferError.LimitReached"/>). A transfer of many objects then ends, whatever its <see cref="FailurePolicy"/> is.
/// Its transfers in progress are stopped. Requests that clean up, such as those that abort an upload, are counted and are always sent, because an incomplete upload uses storage. So
/// are those that publish objects all at once after the first one (<see cref="PublishMode.AllAtOnce"/>).
/// </para>
/// <para>If several clients share an instance, they are limited together. All members are thread-safe.</para>
/// </remarks>
public sealed class UsageLimit
{
    private static readonly AsyncLocal<bool> Cleanup = new();
    private readonly Lock _gate = new();
    private StoreUsage _begun;
    private long? _since;

    /// <summary>Gets the maximum number of requests.</summary>
    /// <value>The default is <see langword="null"/>, no limit.</value>
    public long? MaxRequests { get; init; }

    /// <summary>Gets the maximum number of bytes of content that are sent and received. A copy between two stores counts twice, and a copy inside a store doesn't count.</summary>
    /// <value>The default is <see langword="null"/>, no limit.</value>
    public long? MaxBytes { get; init; }

    /// <summary>Gets the time after the first request in which requests can begin.</summary>
    /// <value>The default is <see langword="null"/>, no limit.</value>
    public TimeSpan? MaxTime { get; init; }

    /// <summary>Gets the maximum amount by <see cref="Prices"/>.</summary>
    /// <value>The default is <see langword="null"/>, no limit.</value>
    public decimal? MaxCost { get; init; }

    /// <summary>Gets the prices for <see cref="MaxCost"/>, which requires them.</summary>
    public StorePrices? Prices { get; init; }

    /// <summary>Excepts the requests of the current asynchronous method: they clean up, or end what must not stay half done.</summary>
    internal static void ExceptCleanup() => Cleanup.Value = true;

    /// <summary>Returns whether an error says that a limit was reached, itself or by its cause.</summary>
    internal static bool IsCauseOf(Exception? error)
        => error is not null && (error is TransferException { Error: TransferError.LimitReached } || IsCauseOf(error.InnerException));

    /// <summary>Validates the limits.</summary>
    internal void Check()
    {
        OptionGuard.Size($"{nameof(TransferClientOptions.Limit)}.{nameof(MaxBytes)}", MaxBytes ?? 1, 0, long.MaxValue);
        ArgumentOutOfRangeException.ThrowIfNegative(MaxRequests ?? 0, $"{nameof(TransferClientOptions.Limit)}.{nameof(MaxRequests)}");
        ArgumentOutOfRangeException.ThrowIfNegative(MaxCost ?? 0, $"{nameof(TransferClientOptions.Limit)}.{nameof(MaxCost)}");
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxTime ?? TimeSpan.Zero, TimeSpan.Zero, $"{nameof(TransferClientOptions.Limit)}.{nameof(MaxTime)}");
        if (MaxCost is not null && Prices is null)
        {
            throw new ArgumentException($"{nameof(TransferClientOptions.Limit)}.{nameof(MaxCost)} is set, and {nameof(Prices)} is null.");
        }
    }

    /// <summary>Counts a request that is about to be sent.</summary>
    /// <param name="request">The request, and the content that it sends or requests.</param>
    /// <param name="time">The clock.</param>
    /// <exception cref="TransferException">Thrown when it would exceed a limit. It isn't counted then.</exception>
    internal void Enter(in StoreUsage request, TimeProvider time)
    {
        bool isExcepted = Cleanup.Value;
        TimeSpan elapsed = MaxTime is null ? TimeSpan.Zero : GetElapsed(time);
        string? reached;
        lock (_gate)
        {
            StoreUsage next = _begun + request;
            reached = isExcepted ? null : FindReached(next, elapsed);
            if (reached is null)
            {
                _begun = next;
                return;
            }
        }

        throw new TransferException($"Stopped at {reached}; the same call goes on later.") { Error = TransferError.LimitReached };
    }

    /// <summary>Corrects the content that a request was expected to move, after the response has told it.</summary>
    internal void Correct(in StoreUsage by)
    {
        lock (_gate)
        {
            _begun += by;
        }
    }

    private TimeSpan GetElapsed(TimeProvider time)
    {
        long now = time.GetTimestamp();
        long since;
        lock (_gate)
        {
            since = _since ??= now;
        }

        return time.GetElapsedTime(since, now);
    }

    private string? FindReached(in StoreUsage next, TimeSpan elapsed)
        => next.Requests > MaxRequests ? string.Create(CultureInfo.InvariantCulture, $"{nameof(MaxRequests)} {MaxRequests}")
            : next.BytesSent + next.BytesReceived > MaxBytes ? $"{nameof(MaxBytes)} {ByteSize.Format(MaxBytes.Value)}"
            : elapsed >= MaxTime ? string.Create(CultureInfo.InvariantCulture, $"{nameof(MaxTime)} {MaxTime:c}")
            : MaxCost is { } most && Prices!.GetAmount(next) > most ? string.Create(CultureInfo.InvariantCulture, $"{nameof(MaxCost)} {most} {Prices.Currency}")
            : null;
}
