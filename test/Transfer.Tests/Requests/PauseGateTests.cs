using Transfer.S3.Concurrency;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Requests;

/// <summary>The pause of a transfer: which requests it waits for, and when it interrupts them.</summary>
public sealed class PauseGateTests : IDisposable
{
    private readonly SteppedClock _time = new();
    private readonly PauseGate _gate = new();
    private readonly List<StallGuard> _guards = [];

    public PauseGateTests() => _gate.Start(_time);

    public void Dispose() => _guards.ForEach(guard => guard.Dispose());

    [Fact]
    public async Task Pause_NoRequestInFlight_IsPausedImmediately()
    {
        await _gate.PauseAsync().Within();

        Assert.True(_gate.IsPaused);
        Task waiting = _gate.WhenRunningAsync(CancellationToken.None).AsTask();
        Assert.False(waiting.IsCompleted);
        _gate.Resume();
        await waiting.Within();
        Assert.False(_gate.IsPaused);
        await _gate.WhenRunningAsync(CancellationToken.None);
    }

    [Fact]
    public async Task Pause_RequestEndsInTime_IsNotInterrupted()
    {
        StallGuard request = NewRequest();
        Task paused = _gate.PauseAsync();
        await Deadline.Until(() => _time.ArmedTimers == 2); // the timers of the request and of the pause
        _time.Advance(PauseGate.Grace - TimeSpan.FromTicks(1));
        Assert.EachEqual((false, false), (paused.IsCompleted, request.IsInterrupted));

        request.Dispose();

        await paused.Within();
        Assert.False(request.IsInterrupted);
    }

    [Fact]
    public async Task Pause_RequestIsLate_IsInterruptedAndAwaited()
    {
        StallGuard late = NewRequest();
        StallGuard mustEnd = NewRequest(canInterrupt: false);
        Task paused = _gate.PauseAsync();

        await _time.AdvanceToTimerAsync(PauseGate.Grace);

        await Deadline.Until(() => late.Token.IsCancellationRequested);
        Assert.EachEqual((true, false, false), (late.IsInterrupted, late.HasStalled, mustEnd.Token.IsCancellationRequested));
        late.Dispose();
        Assert.False(paused.IsCompleted);
        mustEnd.Dispose();
        await paused.Within();
    }

    /// <summary>A callback of the caller's code on a token of the request must not keep the pause from ending.</summary>
    [Fact]
    public async Task Pause_CallbacksFail_EndsNevertheless()
    {
        StallGuard late = NewRequest();
        late.Token.Register(static () => throw new InvalidOperationException("callback"));
        StallGuard resting = NewRequest();
        resting.Token.Register(static () => throw new InvalidOperationException("callback"));
        resting.Pause();
        using CancellationTokenSource stop = new();
        stop.Token.Register(static () => throw new InvalidOperationException("callback"));
        using PausableRun run = PausableRun.Begin(_gate, stop.CancelAndIgnoreErrors);
        Task paused = _gate.PauseAsync();

        await _time.AdvanceToTimerAsync(PauseGate.Grace);
        await Deadline.Until(() => late.Token.IsCancellationRequested);
        late.Dispose();

        await paused.Within();
        Assert.True(resting.IsInterrupted);
    }

    /// <summary>The reader of the data holds all memory and may never continue, so nothing would end the request.</summary>
    [Fact]
    public async Task Pause_RequestIsIdleWhenInterrupted_IsNotAwaited()
    {
        StallGuard resting = NewRequest();
        resting.Pause();
        Task paused = _gate.PauseAsync();

        await _time.AdvanceToTimerAsync(PauseGate.Grace);

        await paused.Within();
        Assert.True(resting.IsInterrupted);
    }

    [Fact]
    public async Task Pause_RequestBecomesIdleAfterInterruption_IsNotAwaited()
    {
        StallGuard request = NewRequest();
        Task paused = _gate.PauseAsync();
        await _time.AdvanceToTimerAsync(PauseGate.Grace);
        await Deadline.Until(() => request.IsInterrupted);
        Assert.False(paused.IsCompleted);

        request.Pause();

        await paused.Within();
    }

    [Fact]
    public async Task Pause_NewRequest_IsRejected()
    {
        await _gate.PauseAsync().Within();
        using StallGuard request = new(TimeSpan.FromSeconds(30), _time, CancellationToken.None);

        Assert.Equal(FailureKind.Interrupted, Assert.Throws<WireException>(() => request.Enter(_gate, canInterrupt: true)).Kind);
        _gate.Resume();
        request.Enter(_gate, canInterrupt: true);
    }

    [Fact]
    public async Task Resume_BeforeInterruption_RequestsContinue()
    {
        StallGuard request = NewRequest();
        Task paused = _gate.PauseAsync();

        _gate.Resume();

        await paused.Within();
        _time.Advance(PauseGate.Grace);
        Assert.False(request.IsInterrupted);
    }

    [Fact]
    public async Task Resume_AndPauseAgain_TheSecondPauseHasItsOwnTime()
    {
        StallGuard request = NewRequest();
        Task first = _gate.PauseAsync();
        await Deadline.Until(() => _time.ArmedTimers == 2); // the timers of the request and of the pause
        _time.Advance(TimeSpan.FromSeconds(4));
        _gate.Resume();
        await first.Within();
        await Deadline.Until(() => _time.ArmedTimers == 1);

        Task second = _gate.PauseAsync();
        await Deadline.Until(() => _time.ArmedTimers == 2);
        _time.Advance(TimeSpan.FromSeconds(4));
        Assert.False(request.IsInterrupted);
        _time.Advance(TimeSpan.FromSeconds(1));

        await Deadline.Until(() => request.IsInterrupted);
        request.Dispose();
        await second.Within();
    }

    [Fact]
    public async Task Pause_Twice_IsOnePause()
    {
        StallGuard request = NewRequest();
        Task first = _gate.PauseAsync();
        Task second = _gate.PauseAsync();
        request.Dispose();
        await first.Within();
        await second.Within();
        Assert.True(_gate.PauseAsync().IsCompletedSuccessfully);

        _gate.Resume();

        Assert.False(_gate.IsPaused);
    }

    [Fact]
    public async Task End_ReleasesWaitersAndDisablesPauses()
    {
        StallGuard request = NewRequest();
        Task paused = _gate.PauseAsync();
        Task waiting = _gate.WhenRunningAsync(CancellationToken.None).AsTask();

        _gate.End();

        await paused.Within();
        await waiting.Within();
        await _gate.PauseAsync().Within();
        Assert.False(_gate.IsPaused);
        Assert.False(request.IsInterrupted);
    }

    [Fact]
    public async Task PausedTime_IsTheSumOfAllPauses()
    {
        PauseGate gate = new();
        await gate.PauseAsync().Within();
        _time.Advance(TimeSpan.FromSeconds(100));
        gate.Start(_time);
        _time.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal(3, gate.PausedTime.TotalSeconds);
        gate.Resume();
        _time.Advance(TimeSpan.FromSeconds(50));

        await gate.PauseAsync().Within();
        _time.Advance(TimeSpan.FromSeconds(4));
        Assert.Equal(7, gate.PausedTime.TotalSeconds);
        gate.End();
        _time.Advance(TimeSpan.FromSeconds(50));
        Assert.Equal(7, gate.PausedTime.TotalSeconds);
    }

    [Fact]
    public async Task WhenRunning_Canceled_Ends()
    {
        await _gate.PauseAsync().Within();
        using CancellationTokenSource stop = new();
        Task waiting = _gate.WhenRunningAsync(stop.Token).AsTask();

        await stop.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.Within());
    }

    private StallGuard NewRequest(bool canInterrupt = true)
    {
        StallGuard guard = new(TimeSpan.FromMinutes(10), _time, CancellationToken.None);
        guard.Enter(_gate, canInterrupt);
        _guards.Add(guard);
        return guard;
    }
}
