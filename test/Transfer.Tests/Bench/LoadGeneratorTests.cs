using System.Collections.Concurrent;
using Transfer.S3.Bench.Measuring;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Bench;

public sealed class LoadGeneratorTests
{
    private readonly SteppedClock _time = new();
    private readonly RunMeter _meter;

    public LoadGeneratorTests() => _meter = new RunMeter(_time, new FakeProcess());

    [Fact]
    public async Task Count_EveryObjectIsProcessedOnceByTheGivenWorkers()
    {
        ConcurrentBag<long> done = [];
        int running = 0;
        int most = 0;

        await RunAsync(new LoadPlan(3, 20, null, null), async (_, index, _) =>
        {
            most = Math.Max(most, Interlocked.Increment(ref running));
            await Task.Yield();
            done.Add(index);
            Interlocked.Decrement(ref running);
        }).Within();

        Assert.Equal(Enumerable.Range(0, 20).Select(i => (long)i), done.Order());
        Assert.Equal(20, _meter.Objects);
        Assert.InRange(most, 1, 3);
    }

    [Fact]
    public async Task Duration_EndsRunningTransfersAndExcludesCleanup()
    {
        Gate cleanUp = new();
        Task run = RunAsync(new LoadPlan(1, null, TimeSpan.FromSeconds(3), null), async (_, _, token) =>
        {
            _meter.AddBytes(7);
            try
            {
                await Task.Delay(Timeout.InfiniteTimeSpan, token);
            }
            finally
            {
                await cleanUp.PassAsync(CancellationToken.None);
                _meter.AddBytes(100);
            }
        });

        await Deadline.Until(() => _meter.Bytes == 7);
        _time.Advance(TimeSpan.FromSeconds(3));
        await cleanUp.Reached;
        _time.Advance(TimeSpan.FromSeconds(5));
        cleanUp.Open();
        await run.Within();

        RunMeasurement measured = _meter.Stop();
        Assert.EachEqual((TimeSpan.FromSeconds(3), 7, 0, 0), (measured.Elapsed, measured.Bytes, measured.Objects, measured.Errors));
    }

    [Fact]
    public async Task Rate_AllWorkersAreBusy_ObjectIsLateByItsWait()
    {
        ConcurrentQueue<TimeSpan> late = [];
        Gate gate = new();
        Task run = RunAsync(new LoadPlan(1, 3, null, 10), async (_, index, token) =>
        {
            late.Enqueue(ScheduleDelay.Value);
            if (index == 0)
            {
                await gate.PassAsync(token); // a store that stalls
            }
        });

        await gate.Reached;
        _time.Advance(TimeSpan.FromMilliseconds(450));
        gate.Open();
        await run.Within();

        // The objects are due at 0, 100, and 200 ms.
        Assert.Equal([0, 350, 250], late.Select(time => (int)time.TotalMilliseconds));
    }

    [Fact]
    public async Task Rate_WorkerIsFreeInTime_ObjectIsNotLate()
    {
        ConcurrentQueue<(TimeSpan At, TimeSpan Late)> begun = [];
        Task run = RunAsync(new LoadPlan(1, 3, null, 10), (_, _, _) =>
        {
            begun.Enqueue((_meter.Elapsed, ScheduleDelay.Value));
            return Task.CompletedTask;
        });

        await _time.AdvanceToTimerAsync(TimeSpan.FromMilliseconds(130)).Within(); // a late timer is not caused by the store
        await _time.AdvanceToTimerAsync(TimeSpan.FromMilliseconds(70)).Within();
        await run.Within();

        Assert.All(begun, one => Assert.Equal(TimeSpan.Zero, one.Late));
        Assert.All(begun.Index(), one => Assert.InRange(one.Item.At.TotalMilliseconds, one.Index * 100, 200));
    }

    [Fact]
    public async Task Rate_TimerFiresEarly_WaitsUntilTheObjectIsDue()
    {
        List<TimeSpan> begun = [];
        LoadGenerator load = new(
            new LoadPlan(1, 2, null, 10),
            _meter,
            (_, _, _) =>
            {
                begun.Add(_meter.Elapsed);
                return Task.CompletedTask;
            },
            new EarlyTimers(_time));
        Task run = load.RunAsync(CancellationToken.None);

        foreach (double milliseconds in (double[])[90, 9, 0.9, 0.9])
        {
            await _time.AdvanceToTimerAsync(TimeSpan.FromMilliseconds(milliseconds)).Within();
        }

        await run.Within();
        Assert.Equal([TimeSpan.Zero, TimeSpan.FromMilliseconds(100.8)], begun);
    }

    [Fact]
    public async Task Failures_OfSome_AreCountedAndOthersContinue()
    {
        await RunAsync(new LoadPlan(2, 40, null, null), (_, index, _) => index % 2 == 0 ? Task.FromException(new IOException($"{index}")) : Task.CompletedTask).Within();

        RunMeasurement measured = _meter.Stop();
        Assert.EachEqual((20, 20), (measured.Objects, measured.Errors));
        Assert.IsType<IOException>(_meter.FirstError);
    }

    [Theory]
    [InlineData(3)]
    [InlineData(1_000_000)]
    public async Task Failures_OfAll_EndTheRun(long count)
    {
        int begun = 0;
        IOException error = await Assert.ThrowsAsync<IOException>(() => RunAsync(new LoadPlan(2, count, null, null), (_, _, _) =>
        {
            Interlocked.Increment(ref begun);
            return Task.FromException(new IOException("gone"));
        }).Within());

        Assert.Equal("gone", error.Message);
        Assert.InRange(begun, 1, 100);
    }

    [Fact]
    public async Task Canceled_StopsTheMeterImmediatelyAndThrows()
    {
        using CancellationTokenSource cancel = new();
        Gate gate = new();
        Task run = RunAsync(
            new LoadPlan(2, 10, null, null),
            async (_, _, token) =>
            {
                _meter.AddBytes(1);
                await gate.PassAsync(token);
            },
            cancel.Token);
        await gate.Reached;
        await Deadline.Until(() => _meter.Bytes == 2);

        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => run.Within());
        Assert.EachEqual((2, 0), (_meter.Stop().Bytes, _meter.Stop().Errors));
    }

    /// <summary>A clock whose timers fire 10% too early.</summary>
    private sealed class EarlyTimers(TimeProvider exact) : TimeProvider
    {
        public override long TimestampFrequency => exact.TimestampFrequency;

        public override long GetTimestamp() => exact.GetTimestamp();

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
            => exact.CreateTimer(callback, state, dueTime > TimeSpan.Zero ? dueTime * 0.9 : dueTime, period);
    }

    private Task RunAsync(LoadPlan plan, Func<int, long, CancellationToken, Task> work, CancellationToken cancellationToken = default)
        => new LoadGenerator(plan, _meter, work, _time).RunAsync(cancellationToken);
}
