using Transfer.S3.Cli.Commands;

namespace Transfer.S3.Tests.Cli;

public sealed class CombinedProgressTests
{
    private readonly FakeTimeProvider _time = new();
    private readonly List<TransferProgress> _reports = [];

    private TransferProgress Last => _reports[^1];

    [Fact]
    public void Report_SeveralCopies_IsTheirSum()
    {
        CombinedProgress combined = Create(3, 100);
        CombinedProgress.Share one = combined.Begin();
        CombinedProgress.Share other = combined.Begin();
        one.Report(Progress(10, requests: 1));
        _time.Advance(TimeSpan.FromSeconds(1));
        other.Report(Progress(30, requests: 2));
        _time.Advance(TimeSpan.FromSeconds(1));
        one.Report(Progress(20, requests: 3));

        Assert.EachEqual((50, 100, 5, 0, 3), (Last.BytesTransferred, Last.TotalBytes, Last.Requests, Last.ObjectsCompleted, Last.TotalObjects));
        Assert.Equal(25, Last.BytesPerSecond);
    }

    [Fact]
    public void End_Copy_UsesItsResult()
    {
        CombinedProgress combined = Create(2, 100);
        CombinedProgress.Share one = combined.Begin();
        one.Report(Progress(10, requests: 1));
        one.End(new TransferStatistics { BytesTransferred = 40, BytesResumed = 5, Requests = 4, Retries = 2 }, leftOut: 0);
        combined.Begin().End(null, leftOut: 60);
        combined.Finish();

        Assert.EachEqual((40, 40, 5, 4, 2, 2), (Last.BytesTransferred, Last.TotalBytes, Last.BytesResumed, Last.Requests, Last.Retries, Last.ObjectsCompleted));
    }

    [Fact]
    public void Report_SeveralCopies_AreLimitedByWhatLimitsMostOfThoseInProgress()
    {
        CombinedProgress combined = Create(3, null);
        CombinedProgress.Share[] shares = [combined.Begin(), combined.Begin(), combined.Begin()];
        shares[0].Report(Progress(1, 1) with { Bottleneck = Bottleneck.Network });
        shares[1].Report(Progress(1, 1) with { Bottleneck = Bottleneck.Disk });
        shares[2].Report(Progress(1, 1) with { Bottleneck = Bottleneck.Network });
        shares[2].Report(Progress(1, 1) with { Bottleneck = Bottleneck.Disk });
        combined.Finish();
        Assert.Equal(Bottleneck.Disk, Last.Bottleneck);

        shares[1].End(null, leftOut: 0);
        shares[2].End(null, leftOut: 0);
        combined.Finish();
        Assert.Equal(Bottleneck.Network, Last.Bottleneck);

        shares[0].End(null, leftOut: 0);
        combined.Finish();
        Assert.Equal(Bottleneck.None, Last.Bottleneck);
    }

    [Fact]
    public void Report_WithinTheInterval_IsDelayed()
    {
        CombinedProgress combined = Create(1000, null);
        for (int i = 0; i < 1000; i++)
        {
            combined.Begin().End(null, leftOut: 0);
        }

        Assert.Single(_reports);
        combined.Finish();
        Assert.EachEqual((1000, null), (Last.ObjectsCompleted, Last.TotalBytes));
    }

    private static TransferProgress Progress(long bytes, int requests) => new() { BytesTransferred = bytes, BytesPerSecond = 1, PartsCompleted = 0, Requests = requests };

    private CombinedProgress Create(int objects, long? totalBytes) => new(new Recorder(_reports), objects, totalBytes, _time);

    private sealed class Recorder(List<TransferProgress> reports) : IProgress<TransferProgress>
    {
        public void Report(TransferProgress value) => reports.Add(value);
    }
}
