using System.Runtime.ExceptionServices;

namespace Transfer.Cli.Bench.Measuring;

/// <summary>Works through a run: so many workers, each beginning an object when it is due and somebody is free.</summary>
/// <param name="plan">How much, and when.</param>
/// <param name="meter">Counts the run; it is stopped at its end.</param>
/// <param name="work">Does one object: for which worker, the how many-th of the run.</param>
/// <param name="time">The clock.</param>
internal sealed class LoadGenerator(LoadPlan plan, RunMeter meter, Func<int, long, CancellationToken, Task> work, TimeProvider time)
{
    /// <summary>So many objects that fail one after the other say that the next ones will too.</summary>
    private const int MaxFailuresInARow = 16;

    private readonly long _started = time.GetTimestamp();
    private long _next;
    private int _failuresInARow;
    private Exception? _fatal;

    /// <summary>Runs to the end, in which objects may have failed. What fails them all is thrown.</summary>
    /// <exception cref="OperationCanceledException">The caller cancelled; the meter is stopped, with what there was.</exception>
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

    // What is cut off at the end has moved bytes until then, and what cleaning up after it takes is no part of the run.
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
                    Lateness.Value = await WaitForTurnAsync(TimeSpan.FromSeconds(index / rate), token).ConfigureAwait(false);
                }

                await work(worker, index, token).ConfigureAwait(false);
                meter.AddObject();
                Volatile.Write(ref _failuresInARow, 0);
            }
            catch (OperationCanceledException) when (token.IsCancellationRequested)
            {
                return;
            }
#pragma warning disable CA1031 // what fails is counted, and a run that fails as a whole throws it
            catch (Exception e)
#pragma warning restore CA1031
            {
                if (token.IsCancellationRequested)
                {
                    return; // what is cut off may fail in any way
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

    /// <summary>How late it is when it begins: nothing where a worker was free in time, however late its timer woke it.</summary>
    private async Task<TimeSpan> WaitForTurnAsync(TimeSpan due, CancellationToken cancellationToken)
    {
        for (bool hasWaited = false; ; hasWaited = true)
        {
            TimeSpan early = due - time.GetElapsedTime(_started);
            if (early <= TimeSpan.Zero)
            {
                return hasWaited ? TimeSpan.Zero : -early;
            }

            // Whole milliseconds are what a delay knows, and it drops the rest. Its clock is coarser than ours, and may end it some milliseconds too early all the same.
            await Task.Delay(TimeSpan.FromMilliseconds(Math.Ceiling(early.TotalMilliseconds)), time, cancellationToken).ConfigureAwait(false);
        }
    }
}
