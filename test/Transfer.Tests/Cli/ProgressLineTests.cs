using FsCheck;
using FsCheck.Fluent;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Tests.Cli;

public sealed class ProgressLineTests
{
    private static readonly ProgressStyle Plain = new(IsUnicode: true, HasColor: false);
    private static readonly TransferProgress Half = new() { BytesTransferred = 512L << 20, TotalBytes = 1L << 30, BytesPerSecond = 256L << 20, PartsCompleted = 64, TotalParts = 128 };

    private static readonly TransferProgress ManyHalf = new() { BytesTransferred = 512L << 20, TotalBytes = 1L << 30, BytesPerSecond = 256L << 20, PartsCompleted = 64, ObjectsCompleted = 1204, TotalObjects = 10_000, Remaining = TimeSpan.FromSeconds(66.5) };

    public static TheoryData<int> Widths => [.. Enumerable.Range(20, 181)];

    [Theory]
    [MemberData(nameof(Widths))]
    public void Render_AnyWidth_FitsAndShowsThePercentage(int width)
    {
        string line = ProgressLine.Render("archive-of-last-year.tar", Half, width, Plain);
        Assert.InRange(CellText.Width(line), 1, width);
        Assert.Contains("50%", line, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Widths))]
    public void Render_UnknownTotal_FitsAndShowsTheBytes(int width)
    {
        string line = ProgressLine.Render("日本語の名前.tar", Half with { TotalBytes = null, TotalParts = null }, width, Plain);
        Assert.InRange(CellText.Width(line), 1, width);
        Assert.True(line.Contains("512 MiB", StringComparison.Ordinal) || line.Contains("256 MiB/s", StringComparison.Ordinal), line);
    }

    [Theory]
    [MemberData(nameof(Widths))]
    public void Render_WithTimeAndRequests_FitsAndShowsThePercentage(int width)
    {
        string line = ProgressLine.Render("archive-of-last-year.tar", Half, width, Plain, ofMany: false, new ProgressActivity(TimeSpan.FromSeconds(65), 12));
        Assert.InRange(CellText.Width(line), 1, width);
        Assert.Contains("50%", line, StringComparison.Ordinal);
        Assert.Equal(width >= 59, line.Contains("time  1:05", StringComparison.Ordinal));
    }

    /// <summary>80 columns have no room for everything. The percentage also shows what the bytes show.</summary>
    [Theory]
    [InlineData(79, false, "   50%   256 MiB/s  eta  0:02  time  1:05  limit: network")]
    [InlineData(79, true, "   12%   1,204 of 10,000 objects  eta  1:07  limit: network")]
    [InlineData(119, false, "   50%   512 MiB of 1 GiB   256 MiB/s  eta  0:02   64/128 parts  time  1:05  limit: network")]
    [InlineData(119, true, "   12%   1,204 of 10,000 objects   256 MiB/s  eta  1:07  time  1:05  limit: network")]
    [InlineData(159, true, "   12%   1,204 of 10,000 objects   512 MiB of 1 GiB   256 MiB/s  eta  1:07  time  1:05   12 requests  limit: network")]
    public void Render_WithALimit_ShowsItWithTheWidthOfATerminal(int width, bool ofMany, string expected)
    {
        TransferProgress progress = (ofMany ? ManyHalf : Half) with { Bottleneck = Bottleneck.Network };
        string line = ProgressLine.Render("a-b.tar", progress, width, Plain, ofMany, new ProgressActivity(TimeSpan.FromSeconds(65), 12));
        Assert.EndsWith("╌" + expected, line, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Widths))]
    public void Render_WithALimit_FitsAndShowsThePercentage(int width)
    {
        foreach (Bottleneck bottleneck in Enum.GetValues<Bottleneck>())
        {
            string line = ProgressLine.Render(
                "archive-of-last-year.tar", Half with { Bottleneck = bottleneck }, width, Plain, ofMany: false, new ProgressActivity(TimeSpan.FromSeconds(65), 12));
            Assert.InRange(CellText.Width(line), 1, width);
            Assert.Contains("50%", line, StringComparison.Ordinal);
        }
    }

    /// <summary>The time of a few bytes is that of the requests.</summary>
    [Theory]
    [InlineData(19, 100L, false)]
    [InlineData(19, null, false)]
    [InlineData(19, 2L << 20, true)]
    [InlineData(2L << 20, null, true)]
    public void Render_OfAFewBytes_HasNoRate(long bytes, long? total, bool hasRate)
    {
        TransferProgress progress = new() { BytesTransferred = bytes, TotalBytes = total, BytesPerSecond = 9.5, PartsCompleted = 0, ObjectsCompleted = 1, TotalObjects = 3 };
        Assert.All(
            [
                ProgressLine.Render("a", progress, 160, Plain), ProgressLine.Render("a", progress, 160, Plain, ofMany: true),
                ProgressLine.RenderPlain("a", progress), ProgressLine.RenderPlain("a", progress, ofMany: true),
            ],
            line => Assert.Equal(hasRate, line.Contains("9.5 B/s", StringComparison.Ordinal)));
    }

    [Fact]
    public void RenderPlain_WithALimit_ShowsIt()
        => Assert.EndsWith(", 256 MiB/s, eta 0:02, limited by: --limit-rate", ProgressLine.RenderPlain("a", Half with { Bottleneck = Bottleneck.RateLimit }), StringComparison.Ordinal);

    [Fact]
    public void Render_EnoughWidth_ShowsEverything()
        => Assert.Equal(
            $"a.bin  {new string('━', 20)}{new string('╌', 20)}   50%   512 MiB of 1 GiB   256 MiB/s  eta  0:02   64/128 parts",
            ProgressLine.Render("a.bin", Half, 160, Plain));

    [Fact]
    public void Render_Ascii_HasNoOtherCharacters()
        => Assert.All(ProgressLine.Render("a-name-that-is-longer-than-what-there-is-room-for", Half, 90, new ProgressStyle(false, false)), c => Assert.InRange(c, ' ', '~'));

    [Fact]
    public void Render_NearlyComplete_IsBelow100Percent()
        => Assert.Contains(" 99%", ProgressLine.Render("a", Half with { BytesTransferred = (1L << 30) - 1 }, 100, Plain), StringComparison.Ordinal);

    [Fact]
    public void Render_AnyNumbers_NeverThrowsAndFits()
        => Prop.ForAll(
            ArbMap.Default.ArbFor<(long Bytes, long Total, double Rate)>(),
            Gen.Choose(0, 250).ToArbitrary(),
            ArbMap.Default.ArbFor<NonNull<string>>(),
            (numbers, width, name) =>
            {
                TransferProgress progress = new() { BytesTransferred = Math.Abs(numbers.Bytes), TotalBytes = numbers.Total < 0 ? null : numbers.Total, BytesPerSecond = numbers.Rate, PartsCompleted = 1, TotalParts = 3 };
                return CellText.Width(ProgressLine.Render(Printable.Text(name.Get), progress, width, Plain)) <= width;
            }).QuickCheckThrowOnFailure();

    [Theory]
    [MemberData(nameof(Widths))]
    public void Render_ManyObjects_FitsAndShowsThePercentage(int width)
    {
        string line = ProgressLine.Render("photos", ManyHalf, width, Plain, ofMany: true);
        Assert.InRange(CellText.Width(line), 1, width);
        Assert.Contains("12%", line, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Widths))]
    public void Render_ManyObjectsOfUnknownTotal_FitsAndShowsTheirNumber(int width)
    {
        string line = ProgressLine.Render("photos", ManyHalf with { TotalBytes = null, TotalObjects = null, Remaining = null }, width, Plain, ofMany: true);
        Assert.InRange(CellText.Width(line), 1, width);
        Assert.Contains("1,204 objects", line, StringComparison.Ordinal);
    }

    [Fact]
    public void Render_ManyObjects_UsesTheLowerShareOfObjectsAndBytes()
        => Assert.Equal(
            $"photos  {new string('━', 4)}{new string('╌', 36)}   12%   1,204 of 10,000 objects   512 MiB of 1 GiB   256 MiB/s  eta  1:07",
            ProgressLine.Render("photos", ManyHalf, 160, Plain, ofMany: true));

    [Theory]
    [InlineData(1L << 30, 0.5, 50)] // large objects: by bytes
    [InlineData(1L << 20, 0.5, 25)] // small objects: the lower of both shares
    [InlineData(null, 0.5, 25)]
    public void FractionOf_ManyObjects_DependsOnTheirSize(long? total, double part, int percent)
        => Assert.Equal(
            percent / 100.0,
            ProgressFields.GetFraction(new TransferProgress { BytesTransferred = (long)((total ?? 0) * part), TotalBytes = total, BytesPerSecond = 1, PartsCompleted = 0, ObjectsCompleted = 1, TotalObjects = 4 }));

    [Theory]
    [InlineData(0, 0, 0)]
    [InlineData(0, 5_000, 33)]
    [InlineData(0, 10_000, 66)] // all are uploaded, and nobody can see one
    [InlineData(5_000, 5_000, 83)]
    [InlineData(10_000, 0, 100)]
    public void ManyObjects_PublishedAllAtOnce_AreCompletedWhenTheyArePublished(long completed, long unpublished, int percent)
    {
        TransferProgress progress = ManyHalf with { BytesTransferred = 1L << 30, ObjectsCompleted = completed, ObjectsUnpublished = unpublished };
        string uploaded = unpublished > 0 ? $", {unpublished:N0} uploaded" : string.Empty;
        Assert.StartsWith($"photos: {percent}%, {completed:N0} of 10,000 objects{uploaded}, 1 GiB", ProgressLine.RenderPlain("photos", progress, ofMany: true), StringComparison.Ordinal);
    }

    [Fact]
    public void RenderPlain_ManyObjects_ShowsEverything()
    {
        Assert.Equal("photos: 12%, 1,204 of 10,000 objects, 512 MiB of 1 GiB, 256 MiB/s, eta 1:07", ProgressLine.RenderPlain("photos", ManyHalf, ofMany: true));
        Assert.Equal(
            "photos: 1,204 objects, 512 MiB, 256 MiB/s",
            ProgressLine.RenderPlain("photos", ManyHalf with { TotalBytes = null, TotalObjects = null, Remaining = null }, ofMany: true));
    }

    [Fact]
    public void RenderPlain_KnownTotal_ShowsEverything()
        => Assert.Equal("a.bin: 50%, 512 MiB of 1 GiB, 256 MiB/s, eta 0:02", ProgressLine.RenderPlain("a.bin", Half));
}
