using System.Globalization;

namespace Transfer.S3.IntegrationTests.Faults;

/// <summary>Random pairs of commands at the same time lose nothing that none of them was told to delete. A failure names its seed.</summary>
public sealed class PairTests
{
    /// <summary>The kinds of stores, of which the first is as frequent as all others.</summary>
    private static readonly int[] Kinds = [0, 1, 0, 2];

    [Fact]
    public async Task TwoAtOnce_LoseNothing()
    {
        (int first, int count) = Environment.GetEnvironmentVariable("TRANSFER_PAIR_SEED") is { Length: > 0 } only
            ? (int.Parse(only, CultureInfo.InvariantCulture), 1)
            : (0, LongTests.Choose(full: 2_000, quick: 100));
        PairStore[] ones = [.. await Task.WhenAll(Enumerable.Range(0, 3).Select(PairStore.StartAsync))];
        PairStore[] others = [.. await Task.WhenAll(Enumerable.Range(0, 3).Select(PairStore.StartAsync))];
        List<string> losses = [];
        try
        {
            for (int seed = first; seed < first + count; seed++)
            {
                using TemporaryFolder folder = new();
                int kind = Kinds[seed % Kinds.Length];
                if (await new PairTrial(seed, folder.Path, ones[kind], others[kind], hasConditions: kind == 0).RunAsync() is { } lost)
                {
                    losses.Add($"seed {seed}: {lost}");
                }
            }
        }
        finally
        {
            foreach (PairStore store in ones.Concat(others))
            {
                await store.DisposeAsync();
            }
        }

        Assert.True(losses.Count == 0, $"{losses.Count} of {count} seeds lose something ({string.Join(' ', losses.Select(loss => loss.Split(' ')[1].TrimEnd(':')))}):\n{string.Join("\n\n", losses.Take(10))}");
    }
}
