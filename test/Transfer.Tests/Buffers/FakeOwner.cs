using Transfer.Buffers;

namespace Transfer.Tests.Buffers;

/// <summary>A stream that gives back what it is asked for, or leaves that to the test.</summary>
internal sealed class FakeOwner : IReadAheadOwner
{
    public bool IsStarved { get; set; }

    /// <summary>Bytes that it was asked to give back.</summary>
    public long Asked { get; private set; }

    public Action<long>? GivesBack { get; set; }

    /// <summary>Takes read-ahead memory until a stream has so much, or there is no more.</summary>
    public static long Fill(MemoryShare share, long bytes = long.MaxValue)
    {
        for (long ask = Math.Min(bytes, 1 << 20); ask > 0; ask /= 2)
        {
            while (share.HeldBytes < bytes && share.Budget.TryReserveAhead(share, Math.Min(ask, bytes - share.HeldBytes)) > 0)
            {
            }
        }

        return share.HeldBytes;
    }

    /// <summary>Puts a request in line, and waits for what it is granted.</summary>
    public static async Task<long> AskAsync(MemoryShare share, long mostBytes, CancellationToken cancellationToken)
    {
        MemoryWaiter request = share.Budget.RequestAhead(share, mostBytes);
        try
        {
            await share.Budget.WatchAsync(request, cancellationToken);
        }
        catch (OperationCanceledException)
        {
            share.Budget.Withdraw(request);
            throw;
        }

        return share.Budget.TakeGranted(request);
    }

    public void RanOut()
    {
        // It has no floor.
    }

    public void GiveBack(long bytes)
    {
        Asked += bytes;
        GivesBack?.Invoke(bytes);
    }
}
