using FsCheck;
using FsCheck.Fluent;
using Transfer.Buffers;
using Transfer.Tests.Infrastructure;

namespace Transfer.Tests.Buffers;

/// <summary>The budget against a list of who waits: after any sequence of calls, the same requests are granted.</summary>
public sealed class MemoryBudgetModelTests
{
    private const long Capacity = 100;

    [Fact]
    public void AnySequence_GrantsWhatTheModelGrants()
    {
        Gen<(int Kind, int Use, int Amount)> step = Gen.Choose(0, 4).SelectMany(
            kind => Gen.Choose(0, 2).SelectMany(use => Gen.Choose(1, 60).Select(amount => (kind, use, amount))));
        Prop.ForAll(Gen.ArrayOf(step).Resize(60).ToArbitrary(), Run).Check(Config.QuickThrowOnFailure.WithMaxTest(300));
    }

    private static bool Run((int Kind, int Use, int Amount)[] steps)
    {
        MemoryBudget budget = new(Capacity);
        List<Entry> entries = [];
        foreach ((int kind, int use, int amount) in steps)
        {
            switch (kind)
            {
                case 0:
                    Entry? taken = entries.Find(entry => entry.Granted);
                    if (taken is not null)
                    {
                        entries.Remove(taken);
                        budget.Release(taken.Use, taken.Bytes);
                    }

                    break;
                case 1:
                    Entry? waiting = entries.Find(entry => !entry.Granted);
                    if (waiting is not null)
                    {
                        entries.Remove(waiting);
                        waiting.Cancel.Cancel();
                        Assert.ThrowsAny<OperationCanceledException>(waiting.Task.Block);
                    }

                    break;
                default:
                    Ask(budget, entries, (MemoryUse)use, amount);
                    break;
            }

            // A call that only asks does not wake others; every release and every cancellation does.
            if (kind < 2)
            {
                Grant(entries);
            }

            Compare(budget, entries);
        }

        return true;
    }

    private static void Ask(MemoryBudget budget, List<Entry> entries, MemoryUse use, long bytes)
    {
        Entry entry = new(use, bytes);
        entry.Task = budget.ReserveAsync(use, bytes, entry.Cancel.Token).AsTask();
        bool never = bytes > Limit(use)
            || (use == MemoryUse.Floor && entries.Where(other => other.Use == MemoryUse.Floor).Sum(other => other.Bytes) + bytes > Limit(use));
        if (never)
        {
            Assert.Throws<InvalidOperationException>(entry.Task.Block);
            return;
        }

        bool first = use == MemoryUse.Floor || entries.TrueForAll(other => other.Granted || (use == MemoryUse.Transient && AheadIsFull(entries, other)));
        entry.Granted = first && Fits(entries, entry);
        int at = use == MemoryUse.Floor ? entries.FindIndex(other => !other.Granted && other.Use != MemoryUse.Floor) : -1;
        entries.Insert(at < 0 ? entries.Count : at, entry);
    }

    private static void Grant(List<Entry> entries)
    {
        bool aheadIsFull = false;
        foreach (Entry entry in entries.Where(entry => !entry.Granted))
        {
            bool ahead = entry.Use == MemoryUse.ReadAhead;
            if (ahead && aheadIsFull)
            {
                continue;
            }

            if (Fits(entries, entry))
            {
                entry.Granted = true;
            }
            else if (AheadIsFull(entries, entry))
            {
                aheadIsFull = true;
            }
            else
            {
                return;
            }
        }
    }

    private static void Compare(MemoryBudget budget, List<Entry> entries)
    {
        Assert.Equal(entries.Where(entry => entry.Granted).Sum(entry => entry.Bytes), budget.ReservedBytes);
        foreach (Entry entry in entries)
        {
            if (entry.Granted)
            {
                entry.Task.Block();
            }
            else
            {
                Assert.False(entry.Task.IsCompleted);
            }
        }
    }

    private static bool Fits(List<Entry> entries, Entry asking)
        => entries.Where(entry => entry.Granted).Sum(entry => entry.Bytes) + asking.Bytes <= Capacity
        && (asking.Use == MemoryUse.Transient || Sum(entries, asking.Use) + asking.Bytes <= Limit(asking.Use));

    private static long Sum(List<Entry> entries, MemoryUse use) => entries.Where(entry => entry.Granted && entry.Use == use).Sum(entry => entry.Bytes);

    private static bool AheadIsFull(List<Entry> entries, Entry asking)
        => asking.Use == MemoryUse.ReadAhead && Sum(entries, MemoryUse.ReadAhead) + asking.Bytes > Limit(MemoryUse.ReadAhead);

    private static long Limit(MemoryUse use) => use switch { MemoryUse.Floor => Capacity / 2, MemoryUse.ReadAhead => Capacity / 8 * 3, _ => Capacity };

    private sealed class Entry(MemoryUse use, long bytes)
    {
        public MemoryUse Use { get; } = use;

        public long Bytes { get; } = bytes;

        public bool Granted { get; set; }

        public CancellationTokenSource Cancel { get; } = new();

        public Task Task { get; set; } = Task.CompletedTask;
    }
}
