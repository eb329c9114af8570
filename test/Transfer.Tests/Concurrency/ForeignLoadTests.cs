using Transfer.S3.Concurrency;

namespace Transfer.S3.Tests.Concurrency;

public sealed class ForeignLoadTests
{
    private const double Backlog = 8;

    /// <summary>On a full link, the time of a request is proportional to all requests on it.</summary>
    [Theory]
    [InlineData(36)]
    [InlineData(100)]
    public void LinkIsFullOfForeignRequests_BacklogIsSubtracted(double foreign)
    {
        double share = Measure(own => own + foreign).IdleShare(Backlog);

        Assert.Equal((foreign - Backlog) / (foreign + 8), share, 6);
    }

    [Fact]
    public void LinkIsFullOfFewForeignRequests_ShareHasAMinimum() => Assert.Equal(0.5, Measure(static own => own + 17).IdleShare(Backlog));

    /// <summary>An idle link becomes full with any number of own requests: between the first numbers, between the last ones, or not at all.</summary>
    [Fact]
    public void LinkIsIdle_TimesAreUnchanged()
    {
        for (double knee = 1; knee < 40; knee++)
        {
            Assert.Equal(1, Measure(own => Math.Max(own, knee)).IdleShare(Backlog));
        }
    }

    [Fact]
    public void FewerThanThreeNumbers_TimesAreUnchanged()
    {
        ForeignLoad load = new();
        Assert.Equal(1, load.IdleShare(Backlog));
        load.Add(8, 1);
        load.Add(16, 44 / 52.0);
        Assert.Equal(1, load.IdleShare(Backlog));
    }

    /// <summary>Adds samples of 8, 16, and 32 requests with the given times.</summary>
    private static ForeignLoad Measure(Func<double, double> timeOf)
    {
        ForeignLoad load = new();
        foreach (double own in new[] { 8.0, 16, 32 })
        {
            load.Add(own, timeOf(8) / timeOf(own));
        }

        return load;
    }
}
