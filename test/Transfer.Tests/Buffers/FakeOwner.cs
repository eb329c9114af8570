using Transfer.S3.Buffers;

namespace Transfer.S3.Tests.Buffers;

/// <summary>A stream that returns the memory it is asked for, or lets the test do so.</summary>
internal sealed class FakeOwner : IReadAheadOwner
{
    public bool IsStarved { get; set; }

    public bool IsStuck { get; set; }

    /// <summary>Gets how often the stream was asked to return memory.</summary>
    public int Asked { get; private set; }

    public Action<long>? GivesBack { get; set; }

    /// <summary>Reserves read-ahead memory until a stream holds the given number of bytes, or no more is available.</summary>
    public static long Fill(MemoryShare share, long bytes = long.MaxValue)
    {
        for (long ask = Math.Min(bytes, 1 << 20); ask >= share.UnitBytes; ask /= 2)
        {
            while (share.HeldBytes < bytes && TryReserve(share, Math.Min(ask, bytes - share.HeldBytes)) > 0)
            {
            }
        }

        return share.HeldBytes;
    }

    /// <summary>Requests memory, and doesn't wait for it. The stream still has more to download afterward.</summary>
    public static long TryReserve(MemoryShare share, long mostBytes)
    {
        share.Budget.RequestAhead(share, mostBytes);
        long bytes = share.Budget.TakeGranted(share);
        if (bytes == 0)
        {
            share.Budget.TryForget(share.Waiter!);
        }

        return bytes;
    }

    /// <summary>Queues a request, and waits for the bytes that it is granted.</summary>
    public static async Task<long> AskAsync(MemoryShare share, long mostBytes, CancellationToken cancellationToken)
    {
        MemoryWaiter request = share.Budget.RequestAhead(share, mostBytes);
        if (share.Owner.IsStuck)
        {
            share.Budget.Reconsider(share);
        }

        try
        {
            await share.Budget.WatchAsync(request).WaitAsync(cancellationToken);
        }
        catch (OperationCanceledException)
        {
            share.Budget.Withdraw(share);
            throw;
        }

        return share.Budget.TakeGranted(share);
    }

    /// <summary>Lets the reader of a stream wait while it holds all data that arrived, and nothing is being fetched; or ends the wait.</summary>
    public static void SetStuck(MemoryShare share, bool isStuck = true)
    {
        ((FakeOwner)share.Owner).IsStuck = isStuck;
        share.Budget.Reconsider(share);
    }

    /// <summary>Gives data up until a stream holds at most the given number of bytes. No fetch has to end before the memory is free.</summary>
    public static void Shrink(MemoryShare share, long mostBytes)
    {
        long bytes = Math.Max(0, share.HeldBytes - mostBytes);
        share.Budget.GiveUp(share, bytes);
        share.Budget.Release(MemoryUse.Transient, bytes);
    }

    public void RanOut()
    {
        // This stream has no floor.
    }

    public void GiveBack(long mostBytes)
    {
        Asked++;
        GivesBack?.Invoke(mostBytes);
    }
}
