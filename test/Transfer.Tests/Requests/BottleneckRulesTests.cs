using Transfer.S3.Concurrency;
using Transfer.S3.Requests;

namespace Transfer.S3.Tests.Requests;

public sealed class BottleneckRulesTests
{
    private static readonly LimitState Knee = new() { HasKnee = true, IsCrowded = true };
    private static readonly LimitState Room = new() { HasKnee = true };
    private static readonly LimitState Highest = new() { HasKnee = true, IsAtHighest = true };
    private static readonly LimitState CrowdedAtHighest = new() { HasKnee = true, IsAtHighest = true, IsCrowded = true };
    private static readonly LimitState Held = new() { HasKnee = true, IsHeld = true };

    /// <summary>Each case is a transfer of ten seconds.</summary>
    public static TheoryData<string, Bottleneck> Cases { get; } = new()
    {
        { "", Bottleneck.None },
        { "data 8, first 1", Bottleneck.Network },
        { "data 1, first 2", Bottleneck.Latency },
        { "data 1, first 2, copy", Bottleneck.Store },
        { "data 40, first 10, disk 60", Bottleneck.Disk },
        { "data 10, first 10, processing 60", Bottleneck.Processor },

        // A slot is waited for all the time: why decides.
        { "data 300, first 60, slot 30, knee", Bottleneck.Network },
        { "data 300, first 60, slot 30, room", Bottleneck.Network },
        { "data 60, first 300, slot 30, knee", Bottleneck.Store },
        { "data 300, first 60, slot 30, highest", Bottleneck.Concurrency },
        { "data 300, first 60, slot 30, crowded at highest", Bottleneck.Network },
        { "data 60, first 100, slot 30, starting", Bottleneck.Latency },
        { "data 100, first 60, slot 30, starting", Bottleneck.Network },
        { "data 9, first 1, chosen 9, fixed", Bottleneck.Concurrency },
        { "data 1, first 9, chosen 9, fixed", Bottleneck.Concurrency },
        { "data 40, first 40, slot 9, chosen 10, knee", Bottleneck.Concurrency },
        { "data 300, first 60, slot 20, chosen 10, knee", Bottleneck.Network },
        { "data 9, first 1, chosen 4, fixed", Bottleneck.Network }, // less than half of the time
        { "disk 20, data 15, chosen 9, fixed", Bottleneck.Disk }, // the parts in progress wait for the disk
        { "disk 200, data 150, slot 30, knee", Bottleneck.Disk },

        // Failures.
        { "data 20, first 5, throttling 30, chosen 9, fixed", Bottleneck.Throttling },
        { "data 20, first 5, throttling 30, slot 9, held", Bottleneck.Throttling },
        { "data 30, first 5, throttling 2, slot 9, held", Bottleneck.Throttling }, // the limit stays low
        { "data 30, first 5, slot 9, held", Bottleneck.Network }, // others were throttled
        { "data 30, first 5, throttling 2, held", Bottleneck.Network },
        { "data 3, first 5, backoff 9", Bottleneck.Retries },

        // The caller and the memory.
        { "data 3, first 2, reader 6", Bottleneck.Reader },
        { "data 3, first 2, reader 4", Bottleneck.Network },
        { "data 3, first 2, source 8, chosen 1, fixed", Bottleneck.Source },
        { "throttling 9, reader 9", Bottleneck.Reader }, // a reader that has data doesn't wait for the store
        { "data 60, first 10, memory 8, slot 1, starting", Bottleneck.Memory },
        { "data 60, first 10, memory 8, fixed", Bottleneck.Memory },
        { "data 60, first 10, memory 8, knee", Bottleneck.Network }, // more requests would only delay each other
        { "data 10, first 60, memory 8, knee", Bottleneck.Store },
        { "data 60, first 10, memory 8, slot 9, knee", Bottleneck.Network },
        { "data 30, first 10, throttling 5, memory 8, held", Bottleneck.Throttling }, // parts keep their memory while they back off
        { "disk 60, data 30, memory 8, fixed", Bottleneck.Disk },
        { "data 60, memory 8, objects 100, fixed", Bottleneck.Network }, // of ten objects at a time, none waits long
        { "data 60, memory 60, objects 100, fixed", Bottleneck.Memory },
        { "data 60, slot 8, objects 100, knee", Bottleneck.Network },
        { "first 60, slot 8, objects 100, knee", Bottleneck.Store },

        { "rate 80, data 10, first 5", Bottleneck.RateLimit },
        { "rate 80, data 10, first 5, slot 30, knee", Bottleneck.RateLimit },
    };

    [Theory]
    [MemberData(nameof(Cases))]
    public void Find_Times_AreNamed(string transfer, Bottleneck expected)
    {
        Dictionary<string, TimeSpan> seconds = [];
        HashSet<string> facts = [];
        foreach (string part in transfer.Split(", ", StringSplitOptions.RemoveEmptyEntries))
        {
            string[] words = part.Split(' ');
            if (words.Length == 2 && int.TryParse(words[1], out int value))
            {
                seconds[words[0]] = TimeSpan.FromSeconds(value);
            }
            else
            {
                facts.Add(part);
            }
        }

        LimitState state = facts.Contains("knee") ? Knee
            : facts.Contains("room") ? Room
            : facts.Contains("highest") ? Highest
            : facts.Contains("crowded at highest") ? CrowdedAtHighest
            : facts.Contains("held") ? Held
            : default; // the number was set, or nothing is known yet
        TimeSpan chosen = seconds.GetValueOrDefault("chosen");
        TransferTimes times = new()
        {
            WaitingForSlot = seconds.GetValueOrDefault("slot") + chosen,
            WaitingForMemory = seconds.GetValueOrDefault("memory"),
            WaitingForReader = seconds.GetValueOrDefault("reader"),
            WaitingForSource = seconds.GetValueOrDefault("source"),
            Disk = seconds.GetValueOrDefault("disk"),
            FirstByte = seconds.GetValueOrDefault("first"),
            Data = seconds.GetValueOrDefault("data"),
            Processing = seconds.GetValueOrDefault("processing"),
            Backoff = seconds.GetValueOrDefault("backoff"),
            ThrottlingBackoff = seconds.GetValueOrDefault("throttling"),
            RateLimit = seconds.GetValueOrDefault("rate"),
        };
        TimeSpan elapsed = TimeSpan.FromSeconds(10);

        Assert.Equal(expected, BottleneckRules.Find(times, seconds.GetValueOrDefault("objects", elapsed), elapsed, chosen, state, facts.Contains("copy")));
    }
}
