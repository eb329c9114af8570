using Transfer.S3.Concurrency;

namespace Transfer.S3.Tests.Concurrency;

public sealed class HedgePolicyTests
{
    private const long Bytes = 64 * Sizes.KiB;
    private readonly FakeTimeProvider _time = new();
    private int _inFlight = 10;

    [Fact]
    public void FirstByteDelay_NoMeasurements_IsOneSecond() => Assert.Equal(TimeSpan.FromSeconds(1), NewPolicy().GetFirstByteDelay(4096));

    [Fact]
    public void FirstByteDelay_IsSlightlyAboveAHighQuantile()
    {
        HedgePolicy policy = NewPolicy();
        for (int i = 0; i < 1000; i++)
        {
            policy.Responded(TimeSpan.FromMilliseconds(i % 100 == 0 ? 2000 : 80 + (i % 20)));
        }

        Assert.InRange(policy.GetFirstByteDelay(4096).TotalMilliseconds, 100, 125);
        Assert.InRange(policy.SilenceDelay.TotalMilliseconds, 600 + (3 * 80), 600 + (3 * 100)); // two retransmissions, each later by the latency
    }

    /// <summary>TCP sends a lost packet again after a round trip and at least 200 ms, and then after twice that.</summary>
    [Theory]
    [InlineData(256 * Sizes.KiB, 60)]
    [InlineData((256 * Sizes.KiB) + 1, 750)]
    [InlineData(8 * Sizes.MiB, 750)]
    public void FirstByteDelay_OfALargeResponse_IsTheTimeThatALostPacketTakes(long bytes, int most)
    {
        HedgePolicy policy = NewPolicy();
        Respond(policy, 100, 50);

        Assert.InRange(policy.GetFirstByteDelay(bytes).TotalMilliseconds, most - 10, most + 10);
    }

    [Fact]
    public void FirstByteDelay_FastStore_HasAMinimum()
    {
        HedgePolicy policy = NewPolicy();
        Respond(policy, 100, 1);

        Assert.Equal(TimeSpan.FromMilliseconds(50), policy.GetFirstByteDelay(4096));
    }

    [Fact]
    public void Budget_IsTwoPercentOfRequests_AndTheFirstFour()
    {
        HedgePolicy policy = NewPolicy();

        Assert.Equal(4, CountTaken(policy, 0));
        Respond(policy, 99, 100);
        Assert.Equal(1, CountTaken(policy, 0));
        Respond(policy, 150, 100);
        Assert.Equal(3, CountTaken(policy, 0));
    }

    [Fact]
    public void Budget_IsTwoPercentOfTheBytesThatAreSent()
    {
        HedgePolicy policy = NewPolicy();
        Assert.True(Take(policy, 16 * Sizes.MiB));
        Assert.False(Take(policy, 1));
        Assert.True(Take(policy, 0)); // a GET request sends nothing

        Upload(policy, 1000);
        Assert.False(Take(policy, (long)(1000 * Bytes * 0.021)));
        Assert.True(Take(policy, (long)(1000 * Bytes * 0.0199)));
    }

    /// <summary>A part can be larger than the budget ever is. Its second request is paid for later.</summary>
    [Fact]
    public void Budget_PartIsLarge_IsSentAgainOnceAndPaidForLater()
    {
        HedgePolicy policy = NewPolicy();
        Assert.True(Take(policy, 516 * Sizes.MiB));
        Upload(policy, 100); // a hedge of few bytes is still too much
        Assert.False(Take(policy, 1));

        Upload(policy, (int)(500 * Sizes.MiB / (HedgePolicy.BudgetShare * Bytes)));
        Assert.True(Take(policy, 1));
        Assert.False(Take(policy, 516 * Sizes.MiB));
    }

    [Fact]
    public void Budget_TimePasses_IsNotRefilled()
    {
        HedgePolicy policy = NewPolicy();
        CountTaken(policy, Bytes);
        _time.Advance(TimeSpan.FromDays(1));

        Assert.False(Take(policy, Bytes));
    }

    [Fact]
    public void Store_Throttles_NoHedgesForAWhile()
    {
        HedgePolicy policy = NewPolicy();
        policy.Throttled();
        Assert.False(Take(policy, Bytes));

        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.True(Take(policy, Bytes));
    }

    [Fact]
    public void AllRequests_AreSlow_NoHedges()
    {
        HedgePolicy policy = NewPolicy();
        Respond(policy, 500, 100);
        Respond(policy, 80, 300);

        Assert.False(Take(policy, Bytes));
    }

    [Fact]
    public void AllRequests_StaySlow_BecomesTheNormalTime()
    {
        HedgePolicy policy = NewPolicy();
        Respond(policy, 500, 100);
        Respond(policy, 2000, 300);

        Assert.True(Take(policy, Bytes));
        Assert.InRange(policy.GetFirstByteDelay(4096).TotalMilliseconds, 300, 400);
    }

    [Theory]
    [InlineData(1, 1, true)]
    [InlineData(1, 2, false)]
    [InlineData(40, 4, true)]
    [InlineData(40, 5, false)]
    public void ManyRequests_AreOverdue_NoHedges(int inFlight, int overdue, bool expected)
    {
        _inFlight = inFlight;
        HedgePolicy policy = NewPolicy();
        for (int i = 1; i < overdue; i++)
        {
            policy.BeginOverdue();
        }

        Assert.Equal(expected, Take(policy, Bytes));
    }

    [Fact]
    public void Disabled_NoHedges()
    {
        HedgePolicy policy = new(isEnabled: false, () => 10, _time);

        Assert.False(Take(policy, Bytes));
    }

    [Fact]
    public void Budget_SlowRequests_LeaveSomeForSilentOnes()
    {
        HedgePolicy policy = NewPolicy();

        Assert.Equal(2, CountTaken(policy, Bytes, isSilent: false));
        Assert.Equal(2, CountTaken(policy, Bytes));
    }

    [Fact]
    public void LastRequest_StoreWasSlowBefore_CanBeSentAgain()
    {
        HedgePolicy policy = NewPolicy();
        Respond(policy, 500, 100);
        Respond(policy, 80, 300);
        _inFlight = 1;

        Assert.True(Take(policy, Bytes));
    }

    [Fact]
    public void BodyDelay_IsSlightlyAboveAHighQuantileForTheSize()
    {
        HedgePolicy policy = NewPolicy();
        Receive(policy, 15, 100);
        Assert.Equal(TimeSpan.FromSeconds(1), policy.BodyDelay(4 * Sizes.MiB));

        Receive(policy, 1, 100);

        Assert.Equal(530, policy.BodyDelay(4 * Sizes.MiB).TotalMilliseconds, 6);
        Assert.Equal(TimeSpan.MaxValue, policy.BodyDelay((256 * Sizes.KiB) - 1));
        policy.Received(TimeSpan.FromHours(1), (256 * Sizes.KiB) - 1); // too small to count
        Receive(policy, 7, 100);
        Assert.Equal(530, policy.BodyDelay(4 * Sizes.MiB).TotalMilliseconds, 6);
    }

    [Theory]
    [InlineData(1.21, true)]
    [InlineData(1.20, false)] // three times as long as 0.1 s to the first byte and 0.3 s of data
    public void IsFasterElsewhere_ComparesWithAHighQuantile(double seconds, bool expected)
    {
        HedgePolicy policy = NewPolicy();
        Assert.False(policy.IsFasterElsewhere(1000, 1));
        Respond(policy, 16, 100);
        Receive(policy, 16, 125);

        Assert.Equal(expected, policy.IsFasterElsewhere(seconds + 0.0001, (12 * Sizes.MiB / 5) + (expected ? 0 : Sizes.MiB / 100)));
    }

    [Fact]
    public void IsFasterElsewhere_AllBodiesBecameSlow_IsFalse()
    {
        HedgePolicy policy = NewPolicy();
        Respond(policy, 16, 100);
        Receive(policy, 128, 100);
        Assert.True(policy.IsFasterElsewhere(1000, Sizes.MiB));
        Receive(policy, 80, 300);

        Assert.False(policy.IsFasterElsewhere(1000, Sizes.MiB));
    }

    /// <summary>A store on the same machine delivers bodies at once.</summary>
    [Fact]
    public void LatencyBytes_BodiesTakeNoTime_IsANumberOfBytes()
    {
        HedgePolicy policy = NewPolicy();
        Respond(policy, 16, 10);
        Receive(policy, 16, 0);

        Assert.InRange((long)policy.LatencyBytes!.Value, Sizes.MiB, Sizes.TiB);
    }

    private static void Receive(HedgePolicy policy, int count, int millisecondsPerMiB)
    {
        for (int i = 0; i < count; i++)
        {
            policy.Received(TimeSpan.FromMilliseconds(2 * millisecondsPerMiB), 2 * Sizes.MiB);
        }
    }

    private static void Respond(HedgePolicy policy, int count, int milliseconds)
    {
        for (int i = 0; i < count; i++)
        {
            policy.Responded(TimeSpan.FromMilliseconds(milliseconds));
        }
    }

    private static void Upload(HedgePolicy policy, int count)
    {
        for (int i = 0; i < count; i++)
        {
            policy.Uploaded(TimeSpan.FromMilliseconds(10), Bytes);
        }
    }

    private static int CountTaken(HedgePolicy policy, long bytes, bool isSilent = true)
    {
        int taken = 0;
        while (Take(policy, bytes, isSilent))
        {
            taken++;
        }

        return taken;
    }

    private static bool Take(HedgePolicy policy, long bytes, bool isSilent = true)
    {
        policy.BeginOverdue();
        bool taken = policy.TryTake(bytes, isSilent);
        policy.EndOverdue();
        return taken;
    }

    private HedgePolicy NewPolicy() => new(isEnabled: true, () => _inFlight, _time);
}
