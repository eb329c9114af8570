using System.Runtime;
using Transfer.S3.Bench.Measuring;
using Transfer.S3.Bench.Operations;

namespace Transfer.S3.Bench.Sweep;

/// <summary>Measures one setting after another: a warm-up, and then its runs.</summary>
/// <param name="plan">What to measure.</param>
/// <param name="objects">The objects.</param>
/// <param name="workload">What to do with the objects.</param>
/// <param name="connect">Creates the engine for a setting and a number of concurrent objects.</param>
/// <param name="show">Shows the run in progress.</param>
/// <param name="ended">Called after each run, even if it was interrupted, with the first error of an object.</param>
/// <param name="process">Measures the resources of the process.</param>
/// <param name="time">The clock.</param>
internal sealed class SweepRunner(
    SweepPlan plan,
    ObjectSet objects,
    Workload workload,
    Func<Setting, int, IEngine> connect,
    Action<BenchStatus, RunMeter> show,
    Action<SettingMeasurement, RunMeasurement, Exception?> ended,
    IProcessProbe process,
    TimeProvider time)
{
    /// <summary>The interval of samples, for the display and for the rate over time.</summary>
    private static readonly TimeSpan LookInterval = TimeSpan.FromMilliseconds(200);

    /// <summary>The duration of the warm-up, after which connections are open and hot code is compiled.</summary>
    private static readonly TimeSpan LongestWarmUp = TimeSpan.FromSeconds(2);

    private readonly List<SettingMeasurement> _done = [];

    /// <summary>Gets the measurements so far. The last run may be incomplete.</summary>
    public IReadOnlyList<SettingMeasurement> Done => _done;

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        for (int i = 0; i < plan.Settings.Count; i++)
        {
            await RunAsync(plan.Settings[i], i, cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task RunAsync(Setting setting, int index, CancellationToken cancellationToken)
    {
        // The memory of the previous setting must not count for this one.
        GCSettings.LargeObjectHeapCompactionMode = GCLargeObjectHeapCompactionMode.CompactOnce;
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        int workers = setting.WorkersFor(objects.Largest?.SizeBytes, plan.Engine);
        IEngine engine = connect(setting, workers);
        await using (engine.ConfigureAwait(false))
        {
            LoadPlan load = plan.Load(workers);
            LoadPlan warmUp = load with { Duration = load.Duration < LongestWarmUp ? load.Duration : LongestWarmUp };
            BenchStatus status = new(plan.Operation, setting, index, plan.Settings.Count, 0, plan.Runs, warmUp);
            await MeasureAsync(engine, status, (_, _) => { }, cancellationToken).ConfigureAwait(false);
            List<RunMeasurement> runs = [];
            for (int run = 1; run <= plan.Runs; run++)
            {
                await MeasureAsync(engine, status with { Run = run, Load = load }, Keep, cancellationToken).ConfigureAwait(false);
            }

            void Keep(RunMeter meter, bool isComplete)
            {
                RunMeasurement measured = meter.Stop() with { IsComplete = isComplete };
                if (measured.Requests == 0 && measured.Bytes == 0 && measured.Errors == 0)
                {
                    return; // interrupted before anything was measured
                }

                if (runs.Count == 0)
                {
                    _done.Add(new SettingMeasurement(setting, workers, runs));
                }

                runs.Add(measured);
                ended(_done[^1], measured, meter.FirstError);
            }
        }
    }

    private async Task MeasureAsync(IEngine engine, BenchStatus status, Action<RunMeter, bool> keep, CancellationToken cancellationToken)
    {
        RunMeter meter = new(time, process);
        engine.Meter = meter;
        using CancellationTokenSource over = new();
        Task looking = LookAsync(meter, status, over.Token);
        bool isComplete = false;
        try
        {
            await new LoadGenerator(status.Load, meter, (worker, index, token) => workload.RunAsync(engine, worker, index, token), time).RunAsync(cancellationToken)
                .ConfigureAwait(false);
            isComplete = true;
        }
        finally
        {
            await over.CancelAsync().ConfigureAwait(false);
            await looking.ConfigureAwait(false);
            engine.Meter = null;
            keep(meter, isComplete);
        }
    }

    private async Task LookAsync(RunMeter meter, BenchStatus status, CancellationToken cancellationToken)
    {
        using PeriodicTimer timer = new(LookInterval, time);
        try
        {
            show(status, meter);
            while (await timer.WaitForNextTickAsync(cancellationToken).ConfigureAwait(false))
            {
                meter.Sample();
                show(status, meter);
            }
        }
        catch (OperationCanceledException)
        {
            // The run has ended.
        }
    }
}
