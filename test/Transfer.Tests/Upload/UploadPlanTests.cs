using Transfer.S3.Requests;
using Transfer.S3.Upload;

namespace Transfer.S3.Tests.Upload;

/// <summary>The sizes and numbers of parts, up to the largest object that S3 accepts.</summary>
public sealed class UploadPlanTests
{
    private const long MiB = 1 << 20;
    private const long GiB = 1 << 30;
    private const long TB = 1_000_000_000_000;

    [Theory]
    [InlineData(0, 8 * MiB, 8 * MiB, 1)]
    [InlineData(1, 8 * MiB, 8 * MiB, 1)]
    [InlineData((8 * MiB) - 1, 8 * MiB, 8 * MiB, 1)]
    [InlineData(8 * MiB, 8 * MiB, 8 * MiB, 1)]
    [InlineData((8 * MiB) + 1, 8 * MiB, 8 * MiB, 2)]
    [InlineData(10_000 * 8 * MiB, 8 * MiB, 8 * MiB, 10_000)]
    [InlineData((10_000 * 8 * MiB) + 1, 8 * MiB, 9 * MiB, 8889)]
    [InlineData(5L * 1024 * GiB, 8 * MiB, 525 * MiB, 9987)]
    [InlineData(50 * TB, 8 * MiB, 4769 * MiB, 9999)]
    [InlineData(10_000 * 5 * GiB, 8 * MiB, 5 * GiB, 10_000)]
    [InlineData(10_000 * 5 * GiB, 5 * GiB, 5 * GiB, 10_000)]
    public void KnownLength_AnySize_FitsIntoTheParts(long length, long asked, long partSize, int parts)
    {
        UploadPlan plan = UploadPlan.ForLength(length, asked, 10_000);

        Assert.EachEqual((partSize, parts), (plan.PartSizeBytes, plan.TotalParts));
        Assert.True(plan.PartSizeBytes * parts >= length && (parts == 1 || plan.PartSizeBytes * (parts - 1) < length));
        Assert.All(new[] { 1, parts, 10_000 }, number => Assert.Equal(partSize, plan.GetSize(number)));
    }

    [Fact]
    public void KnownLength_StoreAcceptsFewerParts_PartsAreLarger()
    {
        UploadPlan plan = UploadPlan.ForLength(100 * GiB, 8 * MiB, 1000);

        Assert.EachEqual((103 * MiB, 995), (plan.PartSizeBytes, plan.TotalParts));
    }

    [Theory]
    [InlineData(5 * MiB, 5 * GiB, 10_000)]
    [InlineData(8 * MiB, 5 * GiB, 10_000)]
    [InlineData(8 * MiB, 128 * MiB, 10_000)]
    [InlineData(8 * MiB, 128 * MiB, 1000)]
    [InlineData(8 * MiB, 8 * MiB, 10_000)]
    [InlineData(64 * MiB, 16 * MiB, 10_000)]
    [InlineData(5 * GiB, 5 * GiB, 10_000)]
    [InlineData(8 * MiB, 128 * MiB, 1)]
    public void UnknownLength_PartsGrowAsLateAsPossible(long asked, long largest, int maxParts)
    {
        UploadPlan plan = UploadPlan.ForUnknownLength(asked, largest, maxParts);
        long goal = Math.Min(50 * TB, (largest < 5 * GiB ? Math.Max(asked, largest) / 4 * 3 : largest) * maxParts);

        Assert.Null(plan.TotalParts);
        Assert.Equal(asked, plan.GetSize(1));
        long sum = 0;
        for (int number = 1; number <= maxParts; number++)
        {
            long size = plan.GetSize(number);
            Assert.InRange(size, number == 1 ? asked : plan.GetSize(number - 1), Math.Max(asked, largest));
            sum += size;
        }

        Assert.Equal(plan.Reach(maxParts), sum);
        Assert.True(sum >= goal || plan.PartsOfOneSize == 1, $"the parts hold {sum} bytes instead of {goal}");
        Assert.True((plan with { PartsOfOneSize = plan.PartsOfOneSize + 1 }).Reach(maxParts) < goal || plan.PartsOfOneSize == maxParts);
    }

    [Fact]
    public void UnknownLength_EnoughMemory_ReachesTheLargestObjectOfS3()
        => Assert.True(UploadPlan.ForUnknownLength(8 * MiB, 5 * GiB, 10_000).Reach(10_000) >= 50 * TB);

    [Fact]
    public void UnknownLength_DefaultMemory_KeepsSmallPartsForTheFirstGigabytes()
    {
        UploadPlan plan = UploadPlan.ForUnknownLength(8 * MiB, 128 * MiB, 10_000);

        Assert.Equal(8 * MiB, plan.GetSize(768)); // 6 GiB
        Assert.True(plan.Reach(10_000) > 900 * GiB);
    }

    [Theory]
    [InlineData(8 * MiB, 128 * MiB, 256 * MiB, 10_000)]
    [InlineData(8 * MiB, 128 * MiB, 256 * MiB, 1000)]
    [InlineData(5 * MiB, 16 * MiB, 32 * MiB, 3)]
    [InlineData(64 * MiB, 16 * MiB, 32 * MiB, 10_000)]
    [InlineData(8 * MiB, 128 * MiB, 256 * MiB, 1)]
    public void LateParts_AreTheSecondHalf(long asked, long largest, long late, int maxParts)
    {
        UploadPlan usual = UploadPlan.ForUnknownLength(asked, largest, maxParts);
        UploadPlan plan = usual.WithLateParts(late, maxParts);

        long sum = 0;
        for (int number = 1; number <= maxParts; number++)
        {
            Assert.Equal(number <= maxParts / 2 || maxParts == 1 ? usual.GetSize(number) : Math.Max(asked, late), plan.GetSize(number));
            sum += plan.GetSize(number);
            Assert.Equal(sum, plan.Reach(number));
        }
    }

    /// <summary>The values are those of the documentation.</summary>
    [Theory]
    [InlineData(512 * MiB, 1562, 312)]
    [InlineData(2 * GiB, 6055, 1055)]
    [InlineData(20 * GiB, 46566, 0)]
    public void UnknownLength_ReachesFurtherWithMoreMemory(long memory, long reachGiB, long unchangedGiB)
    {
        UploadRequest request = CreateRequest(new TransferClientOptions { MemoryBytes = memory });

        Assert.InRange(request.PlanForSource().Reach(10_000), reachGiB * GiB, long.MaxValue);
        Assert.InRange(request.PlanForSource().Reach(5000), unchangedGiB * GiB, long.MaxValue);
        Assert.Equal(Enumerable.Range(1, 5000).Select(request.Plan(null).GetSize), Enumerable.Range(1, 5000).Select(request.PlanForSource().GetSize));
    }

    /// <summary>Parts of unknown length are kept in memory, so they begin as small as S3 allows.</summary>
    [Fact]
    public void UnknownLength_NoSizeIsChosen_BeginsWithTheSmallestParts()
    {
        Assert.EachEqual((5 * MiB, 8 * MiB), (CreateRequest(new TransferClientOptions()).PlanForSource().GetSize(1), CreateRequest(new TransferClientOptions()).Plan(GiB).GetSize(1)));
        Assert.Equal(6 * MiB, CreateRequest(new TransferClientOptions { UploadPartSizeBytes = 6 * MiB }).Plan(null).GetSize(1));
        Assert.Equal(7 * MiB, CreateRequest(new TransferClientOptions(), new UploadOptions { PartSizeBytes = 7 * MiB }).Plan(null).GetSize(1));
    }

    /// <summary>Parts that must have equal sizes are larger from the start, unless the size is configured.</summary>
    [Fact]
    public void UnknownLength_EqualParts_ReachHundredsOfGigabytes()
    {
        UploadRequest request = CreateRequest(new TransferClientOptions { MemoryBytes = 512 * MiB, Advanced = { EqualUploadParts = true } });
        Assert.All([request.Plan(null), request.PlanForSource()], plan => Assert.EachEqual((32 * MiB, 32 * MiB, 312L), (plan.GetSize(1), plan.GetSize(10_000), plan.Reach(10_000) / GiB)));
        Assert.Equal(8 * MiB, request.Plan(GiB).PartSizeBytes);

        Assert.All(
            [CreateRequest(new TransferClientOptions { Advanced = { EqualUploadParts = true }, UploadPartSizeBytes = 16 * MiB }), CreateRequest(new TransferClientOptions { Advanced = { EqualUploadParts = true } }, new UploadOptions { PartSizeBytes = 16 * MiB })],
            chosen => Assert.EachEqual((16 * MiB, 16 * MiB), (chosen.PlanForSource().GetSize(1), chosen.PlanForSource().GetSize(10_000))));
        Assert.Equal(8 * MiB, CreateRequest(new TransferClientOptions { MemoryBytes = 64 * MiB, Advanced = { EqualUploadParts = true } }).PlanForSource().GetSize(10_000));
    }

    private static UploadRequest CreateRequest(TransferClientOptions options, UploadOptions? upload = null)
    {
        options.Advanced.EnvironmentVariables = _ => null;
        return UploadRequest.From("bucket", "key", upload ?? new UploadOptions(), ClientSettings.From(options));
    }
}
