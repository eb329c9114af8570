using FsCheck;
using FsCheck.Fluent;
using Transfer.S3.Buffers;

namespace Transfer.S3.Tests.Buffers;

/// <summary>Any sequence of calls keeps the limits, no request waits for memory that is available, and every request is served eventually.</summary>
public sealed class MemoryBudgetModelTests
{
    private const long Capacity = 160;
    private const int Streams = 4;

    [Fact]
    public void AnySequence_LimitsHoldAndNoRequestWaitsForAvailableMemory()
    {
        Gen<(int Kind, int Use, int Amount)> step = Gen.Choose(0, 6).SelectMany(
            kind => Gen.Choose(0, 3).SelectMany(use => Gen.Choose(1, 90).Select(amount => (kind, use, amount))));
        Prop.ForAll(Gen.ArrayOf(step).Resize(80).ToArbitrary(), Run).Check(Config.QuickThrowOnFailure.WithMaxTest(LongTests.Choose(full: 500, quick: 25)));
    }

    private static bool Run((int Kind, int Use, int Amount)[] steps)
    {
        MemoryBudget budget = new(Capacity);
        FakeOwner[] owners = [.. Enumerable.Range(0, Streams).Select(_ => new FakeOwner())];
        MemoryShare[] shares = [.. owners.Select(owner => budget.Add(owner, unitBytes: 1))];
        List<Entry> entries = [];
        for (int i = 0; i < Streams; i++)
        {
            int stream = i;
            owners[i].GivesBack = mostBytes => GiveBack(budget, entries, shares[stream], mostBytes);
        }

        foreach ((int kind, int use, int amount) in steps)
        {
            Entry? taken = entries.Find(entry => entry.IsGranted);
            Entry? waiting = entries.Find(entry => !entry.Task.IsCompleted);
            switch (kind)
            {
                case 0 when taken is not null:
                    Release(budget, entries, taken);
                    break;
                case 1 when waiting is not null:
                    entries.Remove(waiting);
                    waiting.Cancel.Cancel();
                    Assert.ThrowsAny<OperationCanceledException>(waiting.Task.Block);
                    break;
                case 2 when entries.Find(entry => entry is { IsGranted: true, Use: MemoryUse.Unfinished }) is { } part:
                    budget.Convert(MemoryUse.Unfinished, MemoryUse.Transient, part.Bytes);
                    part.Use = MemoryUse.Transient;
                    break;
                case 3:
                    owners[amount % Streams].IsStarved ^= true;
                    break;
                default:
                    Request(budget, entries, shares, (MemoryUse)use, amount);
                    break;
            }

            Settle(budget, entries);
            CheckLimits(budget, entries);
            CheckNoRequestWaitsForAvailableMemory(entries);
        }

        for (int rounds = 0; entries.Count > 0 && rounds < 10_000; rounds++)
        {
            Release(budget, entries, entries.Find(entry => entry.IsGranted) ?? throw new InvalidOperationException($"{entries.Count} requests wait although all memory is free"));
            Settle(budget, entries);
        }

        Assert.Empty(entries);
        Assert.Equal(0, budget.ReservedBytes);
        return true;
    }

    private static void Request(MemoryBudget budget, List<Entry> entries, MemoryShare[] shares, MemoryUse use, int amount)
    {
        Entry entry = new(use, amount);
        if (use == MemoryUse.ReadAhead)
        {
            entry.Share = shares[amount % Streams];
            if (entry.Share.Waiter is not null || entry.Share.LimitBytes <= entry.Share.HeldBytes)
            {
                return; // one request at a time, and none for a reader at its limit
            }

            entry.Task = FakeOwner.AskAsync(entry.Share, amount, entry.Cancel.Token);
        }
        else
        {
            entry.Task = AskAsync(budget.ReserveAsync(use, amount, entry.Cancel.Token), amount);
            if (entry.Task.IsFaulted)
            {
                Assert.True(amount > budget.GetLimit(use) || use == MemoryUse.Floor);
                return;
            }
        }

        entries.Add(entry);
    }

    private static async Task<long> AskAsync(ValueTask reserve, long bytes)
    {
        await reserve;
        return bytes;
    }

    // A grant completes on another thread, but the budget's own count includes it immediately.
    private static void Settle(MemoryBudget budget, List<Entry> entries)
    {
        Deadline.Until(() =>
        {
            foreach (Entry entry in entries.Where(entry => entry is { IsGranted: false, Task.IsCompleted: true }))
            {
                entry.Bytes = entry.Task.Block();
                entry.IsGranted = true;
            }

            return Held(entries).Sum(entry => entry.Bytes) == budget.ReservedBytes;
        }).Block();
    }

    private static void Release(MemoryBudget budget, List<Entry> entries, Entry entry)
    {
        entries.Remove(entry);
        if (entry.Share is { } share)
        {
            budget.ReleaseAhead(share, entry.Bytes);
        }
        else
        {
            budget.Release(entry.Use, entry.Bytes);
        }
    }

    private static void GiveBack(MemoryBudget budget, List<Entry> entries, MemoryShare share, long mostBytes)
    {
        foreach (Entry entry in entries.Where(entry => entry.IsGranted && entry.Share == share).ToArray())
        {
            if (share.HeldBytes > mostBytes)
            {
                budget.GiveUp(share, entry.Bytes);
                (entry.Use, entry.Share) = (MemoryUse.Transient, null); // it is released later, as when a fetch must end first
            }
        }
    }

    private static void CheckLimits(MemoryBudget budget, List<Entry> entries)
    {
        long floors = Sum(entries, MemoryUse.Floor);
        long unfinished = Sum(entries, MemoryUse.Unfinished);
        bool isAlone = entries.Count(entry => entry is { IsGranted: true, Use: MemoryUse.Unfinished }) == 1;
        Assert.Equal(Held(entries).Sum(entry => entry.Bytes), budget.ReservedBytes);
        Assert.InRange(budget.ReservedBytes, 0, Capacity);
        Assert.InRange(floors, 0, Capacity / 2);
        Assert.InRange(Sum(entries, MemoryUse.ReadAhead), 0, Capacity / 8 * 3);
        Assert.True(isAlone || unfinished <= Capacity / 2);
        Assert.True(isAlone || floors + unfinished + Sum(entries, MemoryUse.ReadAhead) <= Capacity / 8 * 7);
    }

    // No request waits for available memory, unless an earlier one waits for memory that is freed without a caller's action.
    private static void CheckNoRequestWaitsForAvailableMemory(List<Entry> entries)
    {
        Entry[] waiting = [.. entries.Where(entry => !entry.IsGranted && entry.Use != MemoryUse.ReadAhead)];
        long held = Held(entries).Sum(entry => entry.Bytes);
        long callers = held - Sum(entries, MemoryUse.Transient);
        bool isDraining = Array.Exists(waiting, entry => callers + entry.Bytes <= Capacity && held + entry.Bytes > Capacity);
        Entry? transient = Array.Find(waiting, entry => entry.Use == MemoryUse.Transient);
        bool isBehindReaders = entries.Exists(entry => !entry.IsGranted && entry.Use == MemoryUse.ReadAhead);
        Assert.True(isDraining || isBehindReaders || transient is null || held + transient.Bytes > Capacity, "a transfer waits for memory that is available");
        Assert.True(waiting.Length == 0 || held > 0, "a request waits although no memory is reserved");
    }

    private static IEnumerable<Entry> Held(List<Entry> entries) => entries.Where(entry => entry.IsGranted);

    private static long Sum(List<Entry> entries, MemoryUse use) => Held(entries).Where(entry => entry.Use == use).Sum(entry => entry.Bytes);

    private sealed class Entry(MemoryUse use, long bytes)
    {
        public MemoryUse Use { get; set; } = use;

        public long Bytes { get; set; } = bytes;

        public MemoryShare? Share { get; set; }

        public bool IsGranted { get; set; }

        public CancellationTokenSource Cancel { get; } = new();

        public Task<long> Task { get; set; } = System.Threading.Tasks.Task.FromResult(0L);
    }
}
