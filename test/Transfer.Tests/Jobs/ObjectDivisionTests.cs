using Transfer.S3.Jobs;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Jobs;

/// <summary>Divides objects of every size.</summary>
public sealed class ObjectDivisionTests : TransferTest
{
    private const long GiB = 1024L * 1024 * 1024;
    private static readonly Place Bucket = new() { Bucket = "bucket", Prefix = "a/" };

    [Theory]
    [InlineData((8 * GiB) + 1)]
    [InlineData(80 * GiB)]
    [InlineData(10_000_000_000_000)]
    [InlineData(50_000_000_000_000)]
    public void Divide_PiecesCoverTheObjectInEqualParts(long bytes)
    {
        foreach (Place source in new[] { Bucket, new Place { Path = "/data" } })
        {
            JobItem[] items = [.. NewDivision(source).Divide(new JobItem("x", bytes) { ETag = "\"e\"" })];

            Assert.Equal(bytes, items.Sum(item => item.CopiedBytes));
            Assert.Single(items.Select(item => item.Piece!.PartBytes).Distinct());
            Assert.Equal(1, items[0].Piece!.First);
            Assert.All(items.Zip(items.Skip(1)), pair => Assert.EachEqual((pair.First.Piece!.Last + 1, pair.First.Piece.Offset + pair.First.CopiedBytes), (pair.Second.Piece!.First, pair.Second.Piece.Offset)));
            JobPiece last = items[^1].Piece!;
            Assert.InRange(last.Last, 2, 10_000);
            Assert.InRange(last.GetSize(last.Last, bytes), 1, last.PartBytes);
            Assert.All(items.SkipLast(1), item => Assert.InRange(item.CopiedBytes, bytes > 40_000_000_000_000 ? 2 * GiB : 3 * GiB, bytes > 40_000_000_000_000 ? 5 * GiB : 4 * GiB));
        }
    }

    [Theory]
    [InlineData(8 * GiB, "/to", false, 0)]
    [InlineData(8 * GiB, null, false, 0)]
    [InlineData(9 * GiB, "/to", false, 1)]
    [InlineData(9 * GiB, null, true, 1)]
    public void Divide_WholeObjects(long bytes, string? folder, bool isWeak, int undivided)
    {
        ObjectDivision division = NewDivision(Bucket, folder is null ? null : new Place { Path = folder });
        Assert.Null(Assert.Single(division.Divide(new JobItem("x", bytes) { ETag = isWeak ? "W/\"e\"" : "\"e\"" })).Piece);
        Assert.EachEqual((undivided, 0, 0), (division.Undivided, division.Divided, division.Pieces));
    }

    /// <summary>One object of 10 TB is work for all workers, beside small ones.</summary>
    [Fact]
    public void Shards_OfOneHugeObject_HaveTheCostThatTheyShould()
    {
        ObjectDivision division = NewDivision(Bucket);
        using ItemSpool spool = new(null);
        foreach (JobItem item in division.Divide(new JobItem("x", 10_000_000_000_000) { ETag = "\"e\"" }).Concat(Enumerable.Range(0, 10_000).Select(i => new JobItem($"y{i}", 100_000_000))))
        {
            spool.Add(PlanContent.CreateLine(item, JobJson.Default.JobItem), item.Cost, item.CopiedBytes);
        }

        foreach (int shards in new[] { 100, 400 })
        {
            List<ShardLayout> layouts = ShardBalance.Divide(spool, shards);
            Assert.Equal(shards, layouts.Count);
            double average = (double)spool.Cost / shards;
            Assert.All(layouts.Index(), one => Assert.InRange(one.Item.Cost - (ShardBalance.GetShare(one.Index, shards, spool.Count) * average), -0.05 * average, 0.05 * average));
        }
    }

    private ObjectDivision NewDivision(Place source, Place? target = null)
        => new(new JobSides(NewClient(), null, source, target ?? Bucket with { Prefix = "b/" }), new PlannedOptions(), JobOptions.DefaultSplitBytes, dividesAll: false);
}
