using System.Globalization;
using Transfer.S3.Jobs;

namespace Transfer.S3.Tests.Jobs;

/// <summary>How close to the ideal time a job ends, by a simulation of the engine with the shards of a real plan.</summary>
public sealed class JobSimulationTests
{
    private const int Workers = 1000;
    private const int Entries = 1_000_000;

    /// <summary>The number of objects that one entry stands for. Only their sum counts for the division.</summary>
    private const int ObjectsOfEntry = 100;

    /// <summary>
    /// What is lost is almost only the end: while the last shards run, other workers have none. That is up to the time of one of the last shards on a slow worker, so these
    /// are the small ones. If workers differ much more, the slowest one still runs one of the first shards when the others have done the rest.
    /// </summary>
    [Theory]
    [InlineData(null, 0.1, 3)] // machines of the same kind
    [InlineData(null, 0.25, 6)] // some are half as fast as others
    [InlineData(null, 0.5, 40)] // some have a quarter of the rate of others
    [InlineData(24_000, 0.1, 4)]
    [InlineData(24_000, 0.25, 6)]
    [InlineData(24_000, 0.5, 15)]
    [InlineData(100_000, 0.5, 12)]
    public void HundredMillionObjects_EndNearTheIdealTime(int? shards, double spread, double mostPercent)
    {
        Random random = new(1);
        using ItemSpool spool = new(null);
        byte[] line = "x\n"u8.ToArray();
        for (int i = 0; i < Entries; i++)
        {
            long bytes = random.Next(128 * (int)Sizes.KiB);
            spool.Add(line, ObjectsOfEntry * (bytes + JobItem.ObjectCost), ObjectsOfEntry * bytes);
        }

        List<ShardLayout> layouts = ShardBalance.Divide(spool, shards ?? ShardBalance.CountFor(spool.Cost, Workers));
        Assert.InRange(layouts.Count, shards ?? 13_000, shards ?? 14_000);

        List<double> losses = [];
        for (int seed = 1; seed <= 5; seed++)
        {
            JobSimulation simulation = new(Workers, spread, lostPerHour: 0.01, seed);
            (double time, double ideal) = simulation.Run(layouts.Select(layout => layout.Cost / (128.0 * Sizes.MiB)));
            losses.Add(100 * ((time / ideal) - 1));
            Assert.InRange(simulation.Lost, 0, 20);
        }

        Assert.True(losses.Max() <= mostPercent, string.Join(", ", losses.Select(loss => loss.ToString("F1", CultureInfo.InvariantCulture))));
    }

    /// <summary>With 4 shards for each worker, the end is long. This shows that the simulation sees it.</summary>
    [Fact]
    public void FewShards_EndLate()
    {
        (double time, double ideal) = new JobSimulation(Workers, spread: 0.25, lostPerHour: 0.01, seed: 1).Run(Enumerable.Repeat(200.0, 4 * Workers));
        Assert.InRange(time / ideal, 1.2, 1.5);
    }

    /// <summary>A lost worker costs what was not written, and the time until that is noticed.</summary>
    [Fact]
    public void WorkersAreLost_OthersContinue()
    {
        JobSimulation simulation = new(100, spread: 0, lostPerHour: 1, seed: 1);
        (double time, double ideal) = simulation.Run(Enumerable.Repeat(60.0, 3000));
        Assert.InRange(simulation.Lost, 20, 60);
        Assert.InRange(time / ideal, 1, 1.15);
    }
}
