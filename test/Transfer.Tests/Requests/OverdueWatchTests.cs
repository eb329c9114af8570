using Transfer.S3.Concurrency;
using Transfer.S3.Requests;

namespace Transfer.S3.Tests.Requests;

/// <summary>A guard ends a request that is overdue. The body's time passes only while a read waits.</summary>
public sealed class OverdueWatchTests : IDisposable
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Moment = TimeSpan.FromMilliseconds(1);
    private readonly SteppedClock _time = new();
    private readonly HedgePolicy _policy;
    private StallGuard? _guard;

    public OverdueWatchTests() => _policy = new HedgePolicy(isEnabled: true, () => 10, _time);

    public void Dispose() => _guard?.Dispose();

    [Theory]
    [InlineData(0, 1)]
    [InlineData(1, 4)]
    [InlineData(2, 16)]
    public void Response_IsOverdue_AfterFourTimesAsLongEachTime(int hedges, int seconds)
    {
        StallGuard guard = NewGuard(hedges: hedges);

        _time.Advance((seconds * Second) - Moment);
        Assert.False(guard.Token.IsCancellationRequested);
        _time.Advance(Moment);

        AssertOverdue(guard);
    }

    [Fact]
    public void Upload_IsSilent_IsOverdue()
    {
        StallGuard guard = NewGuard(sentBytes: Sizes.MiB);
        _time.Advance((5 * Second) - Moment);
        guard.TouchBody();
        _time.Advance((5 * Second) - Moment);
        Assert.False(guard.Token.IsCancellationRequested);
        _time.Advance(Moment);

        AssertOverdue(guard);
    }

    [Fact]
    public void Body_WaitsTooLongInAll_IsOverdue()
    {
        Learn();
        StallGuard guard = NewGuard();
        guard.Answered();
        guard.Touch();
        guard.WatchBody(Sizes.MiB);
        TimeSpan delay = _policy.BodyDelay(Sizes.MiB);

        _time.Advance(delay / 2);
        guard.Arrived(1000);
        _time.Advance(100 * delay); // nothing is read
        guard.Touch();
        _time.Advance((delay / 2) - Moment);
        Assert.False(guard.Token.IsCancellationRequested);
        _time.Advance(10 * Moment); // the timer doesn't check more often

        AssertOverdue(guard);
    }

    [Fact]
    public void Body_IsSilent_IsOverdue()
    {
        StallGuard guard = NewGuard();
        guard.Answered();
        guard.Touch();
        guard.WatchBody(1000); // too small to have a usual time
        _time.Advance(Second - Moment);
        guard.Arrived(1);
        guard.Touch();
        _time.Advance(Second - Moment);
        Assert.False(guard.Token.IsCancellationRequested);
        _time.Advance(Moment);

        AssertOverdue(guard);
    }

    /// <summary>After the machine has slept, all times have expired. That says nothing about one connection.</summary>
    [Fact]
    public async Task Response_IsAwaitedWhileTheMachineSleeps_IsAStall()
    {
        StallGuard guard = NewGuard();

        await _time.SleepToTimerAsync(TimeSpan.FromMinutes(10));

        Assert.Equal(Transfer.S3.Wire.FailureKind.Transient, guard.GetFailure(new OperationCanceledException())?.Kind);
    }

    /// <summary>A request that was sent again counts as overdue until it is answered, so that not all requests are sent again one after another.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Request_WasSentAgain_IsOverdueUntilItIsAnsweredOrEnds(bool isAnswered)
    {
        StallGuard again = NewGuard(hedges: 1);
        Assert.False(TryTake());

        if (isAnswered)
        {
            again.Answered();
        }
        else
        {
            again.Dispose();
        }

        Assert.True(TryTake());
    }

    private static void AssertOverdue(StallGuard guard)
    {
        Assert.Equal(Transfer.S3.Wire.FailureKind.Overdue, guard.GetFailure(new OperationCanceledException())?.Kind);
        Assert.False(guard.HasStalled);
    }

    private bool TryTake()
    {
        _policy.BeginOverdue();
        bool taken = _policy.TryTake(0, isSilent: true);
        _policy.EndOverdue();
        return taken;
    }

    /// <summary>A first byte takes 10 ms, and a MiB 100 ms.</summary>
    private void Learn()
    {
        for (int i = 0; i < 16; i++)
        {
            _policy.Responded(TimeSpan.FromMilliseconds(10));
            _policy.Received(TimeSpan.FromMilliseconds(100), Sizes.MiB);
        }
    }

    private StallGuard NewGuard(long sentBytes = 0, int hedges = 0)
        => _guard = new StallGuard(30 * Second, _time, CancellationToken.None, new OverdueWatch(_policy, sentBytes, wantedBytes: 0, hedges));
}
