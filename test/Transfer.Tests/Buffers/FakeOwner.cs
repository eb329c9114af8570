using Transfer.Buffers;

namespace Transfer.Tests.Buffers;

/// <summary>A stream that returns the memory it is asked for, or lets the test do so.</summary>
internal sealed class FakeOwner : IReadAheadOwner
{
    public bool IsStarved { get; set; }

    /// <summary>Gets the number of bytes that the stream was asked to return.</summary>
    public long Asked { get; private set; }

    public Action<long>? GivesBack { get; set; }

    /// <summary>Reserves read-ahead memory until a stream holds the given number of bytes, or no more is available.</summary>
    public static long Fill(MemoryShare share, long bytes = long.MaxValue)
    {
        for (long ask = Math.Min(bytes, 1 << 20); ask >= share.UnitBytes; ask /= 2)
        {
            while (share.HeldBytes < bytes && share.Budget.TryReserveAhead(share, Math.Min(ask, bytes - share.HeldBytes)) > 0)
            {
            }
        }

        return share.HeldBytes;
    }

    /// <summary>Queues a request, and waits for the bytes that it is granted.</summary>
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

    /// <summary>Lets the reader of a stream wait while it holds all data that arrived, and nothing is being fetched.</summary>
    public static void SetStuck(MemoryShare share)
    {
        share.Budget.BeginHolding(share);
        share.Budget.SetStuck(share, share.HoldingWait);
    }

    public void RanOut()
    {
        // This stream has no floor.
    }

    public void GiveBack(long bytes)
    {
        Asked += bytes;
        GivesBack?.Invoke(bytes);
    }
}
