namespace Transfer.S3.IntegrationTests.Faults;

/// <summary>
/// Counts the requests that pass some proxies, and keeps all of them from a number on without a response. Whoever kills a client then kills it at the same request in every run.
/// </summary>
internal sealed class RequestGate
{
    private readonly Lock _lock = new();
    private int _left = int.MaxValue;
    private bool _isCarriedOut;
    private int _held;

    /// <summary>Gets the number of requests that have no response.</summary>
    public int Held => Volatile.Read(ref _held);

    /// <summary>Lets all requests pass.</summary>
    public void Open()
    {
        lock (_lock)
        {
            (_left, _held, _isCarriedOut) = (int.MaxValue, 0, false);
        }
    }

    /// <summary>Lets a number of requests pass.</summary>
    /// <param name="requests">The number.</param>
    /// <param name="isCarriedOut">Whether the next request still reaches the store. The others don't.</param>
    public void CloseAfter(int requests, bool isCarriedOut)
    {
        lock (_lock)
        {
            (_left, _held, _isCarriedOut) = (requests, 0, isCarriedOut);
        }
    }

    /// <summary>Decides about a request.</summary>
    /// <returns>Whether it reaches the store, and whether it is answered.</returns>
    public (bool Reaches, bool IsAnswered) Admit()
    {
        lock (_lock)
        {
            if (_left-- > 0)
            {
                return (true, true);
            }

            bool reaches = _isCarriedOut;
            _isCarriedOut = false;
            if (!reaches)
            {
                _held++;
            }

            return (reaches, false);
        }
    }

    /// <summary>Notes that the store has carried out the request that isn't answered.</summary>
    public void Hold() => Interlocked.Increment(ref _held);
}
