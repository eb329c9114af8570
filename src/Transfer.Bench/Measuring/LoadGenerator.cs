using System.Runtime.ExceptionServices;

namespace Transfer.S3.Bench.Measuring;

/// <summary>Generates the load of a run: each worker starts an object when it is free and the object is due.</summary>
/// <param name="plan">The load.</param>
/// <param name="meter">The meter of the run, which is stopped at its end.</param>
/// <param name="work">Transfers one object. It gets the index of the worker and of the object.</param>
/// <param name="time">The clock.</param>
internal sealed class LoadGenerator(LoadPlan plan, RunMeter meter, Func<int, long, CancellationToken, Task> work, TimeProvider time)
{
    /// <summary>The number of consecutive failures that end a run.</summary>
    private const int MaxFailuresInARow = 16;

    private readonly long _started = time.GetTimestamp();
    private long _next;
    private int _failuresInARow;
    private Exception? _fatal;

    /// <summary>Runs the load. Single objects can fail; an error of all objects is thrown.</summary>
    /// <exception cref="OperationCanceledException">Thrown when the caller cancels the run. The meter contains the results so far.</exception>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        using CancellationTokenSource stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        CancellationTokenRegistration interrupted = cancellationToken.UnsafeRegister(static state => ((RunMeter)state!).Stop(), meter);
        await using (interrupted.ConfigureAwait(false))
        {
            ITimer? end = plan.Duration is { } duration ? time.CreateTimer(_ => End(stop), null, duration, Timeout.InfiniteTimeSpan) : null;
            try
            {
                await Task.WhenAll(Enumerable.Range(0, plan.Workers).Select(worker => Task.Run(() => WorkAsync(worker, stop), CancellationToken.None))).ConfigureAwait(false);
            }
            finally
            {
                if (end is not null)
                {
                    await end.DisposeAsync().ConfigureAwait(false);
                }

                meter.Stop();
            }
        }

        cancellationToken.ThrowIfCancellationRequested();
        if ((_fatal ?? (meter.Objects == 0 ? meter.FirstError : null)) is { } error)
        {
            ExceptionDispatchInfo.Throw(error);
        }
    }

    // Objects that are canceled at the end have transferred content until then, but their cleanup isn't part of the run.
    private void End(CancellationTokenSource stop)
    {
        meter.Stop();
        _ = stop.CancelAsync();
    }

    private async Task WorkAsync(int worker, CancellationTokenSource stop)
    {
        CancellationToken token = stop.Token;
        while (!token.IsCancellationRequested)
        {
            long index = Interlocked.Increment(ref _next) - 1;
            if (index >= plan.Count)
            {
                return;
            }

            try
            {
                if (plan.ObjectsPerSecond is { } rate)
                {
                    ScheduleDelay.Value = await WaitForTurnAsync(TimeSpan.FromSeconds(index / rate), token).ConfigureAwait(false);
                }

                await work(worker, index, token).ConfigureAwait(false);
                meter.AddObject();
                Volatile.Write(ref _failuresInARow, 0);
            }
            catch (OperationCanceledException) when (token.IsCancellationRequested)
            {
                return;
            }
#pragma warning disable CA1031 // failures are counted, and thrown if the whole run fails
            catch (Exception e)
#pragma warning restore CA1031
            {
                if (token.IsCancellationRequested)
                {
                    return; // a canceled object can fail in any way
                }

                meter.AddError(e);
                if (Interlocked.Increment(ref _failuresInARow) >= MaxFailuresInARow)
                {
                    Interlocked.CompareExchange(ref _fatal, e, null);
                    await stop.CancelAsync().ConfigureAwait(false);
                    return;
                }
            }
        }
    }

    /// <summary>Waits until the object is due, and gets its delay. The inaccuracy of timers doesn't count.</summary>
    private async Task<TimeSpan> WaitForTurnAsync(TimeSpan due, CancellationToken cancellationToken)
    {
        for (bool hasWaited = false; ; hasWaited = true)
        {
            TimeSpan early = due - time.GetElapsedTime(_started);
            if (early <= TimeSpan.Zero)
            {
                return hasWaited ? TimeSpan.Zero : -early;
            }

            // A delay is truncated to whole milliseconds, and its coarse clock can end it some milliseconds early.
            await Task.Delay(TimeSpan.FromMilliseconds(Math.Ceiling(early.TotalMilliseconds)), time, cancellationToken).ConfigureAwait(false);
        }
    }
}
