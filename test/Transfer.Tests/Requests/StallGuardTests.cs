using Transfer.S3.Requests;

namespace Transfer.S3.Tests.Requests;

public sealed class StallGuardTests : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan Moment = TimeSpan.FromMilliseconds(1);
    private readonly SteppedClock _time = new();
    private readonly StallGuard _guard;

    public StallGuardTests() => _guard = new StallGuard(Limit, _time, CancellationToken.None);

    public void Dispose() => _guard.Dispose();

    [Fact]
    public void NoData_FromTheStart_EndsTheRequest()
    {
        _time.Advance(Limit - Moment);
        Assert.False(_guard.Token.IsCancellationRequested);

        _time.Advance(Moment);

        Assert.True(_guard.HasStalled);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void NoData_WhileNothingIsRead_DoesNotEndTheRequest(bool pauses)
    {
        if (pauses)
        {
            _guard.Pause();
            Assert.Equal(0, _time.ArmedTimers);
        }
        else
        {
            _guard.Rest();
        }

        _time.Advance(100 * Limit);
        if (pauses)
        {
            _guard.Resume();
        }

        _time.Advance(Limit / 2);
        _guard.Touch();
        _time.Advance(Limit - Moment);
        Assert.False(_guard.Token.IsCancellationRequested);
        _time.Advance(Moment);
        Assert.True(_guard.HasStalled);
    }

    [Fact]
    public void SlowDisk_IsNeitherAStallNorASlowRequest()
    {
        for (int i = 0; i < 100; i++)
        {
            _guard.Touch();
            _time.Advance(Moment);
            _guard.Arrived(1);
            _time.Advance(TimeSpan.FromMinutes(10)); // the disk
        }

        Assert.False(_guard.Token.IsCancellationRequested);
        Assert.Null(_guard.Slowness);
    }

    [Theory]
    [InlineData(7679, true)]
    [InlineData(7680, false)]
    public void Slowness_IsTooLittleDataInTwiceTheTimeout(int bytes, bool isSlow)
    {
        Wait(Limit - Moment, bytes - 2);
        Wait(Limit, 1);
        Assert.Null(_guard.Slowness);

        Wait(Moment, 1);

        Assert.Equal(isSlow ? $"only {bytes} bytes arrived in 60 s" : null, _guard.Slowness);
    }

    [Fact]
    public void Slowness_CoversOnlyTheLatestInterval()
    {
        Wait(2 * Limit, 1_000_000);
        Assert.Null(_guard.Slowness);

        Wait(2 * Limit, 100);

        Assert.NotNull(_guard.Slowness);
    }

    [Fact]
    public void BytesReadWithoutAWait_Count()
    {
        _guard.Touch();
        _guard.ArrivedAtOnce(10_000);
        Wait(2 * Limit, 1);

        Assert.Null(_guard.Slowness);
    }

    private void Wait(TimeSpan time, int bytes)
    {
        _guard.Touch();
        _time.Advance(time); // its timer may fire, which is not tested here
        _guard.Arrived(bytes);
    }
}
