using System.Collections.Concurrent;
using Transfer.S3.Bench.Measuring;
using Transfer.S3.Bench.Operations;
using Transfer.S3.Bench.Sweep;

namespace Transfer.S3.Tests.Bench;

public sealed class SweepRunnerTests
{
    private readonly FakeTimeProvider _time = new();
    private readonly List<FakeEngine> _engines = [];
    private readonly List<(Setting Setting, RunMeasurement Run)> _ended = [];

    [Fact]
    public async Task Run_EverySetting_IsMeasuredAfterAWarmUp()
    {
        SweepRunner sweep = Create(OperationKind.Get, runs: 2, count: 5);

        await sweep.RunAsync(CancellationToken.None).Within();

        // The warm-up transfers as much as a run, and is not part of any run.
        Assert.All(_engines, engine => Assert.Equal(15, engine.Calls.Count));
        Assert.Equal([4, 8], sweep.Done.Select(done => done.Setting.Concurrency!.Value));
        Assert.All(sweep.Done, done => Assert.Equal([5L, 5L], done.Runs.Select(run => run.Objects)));
        Assert.All(_ended, ended => Assert.True(ended.Run.IsComplete));
        Assert.All(_engines, engine => Assert.True(engine.IsDisposed));
    }

    [Fact]
    public async Task Run_Interrupted_KeepsEarlierResults()
    {
        using CancellationTokenSource cancel = new();
        SweepRunner sweep = Create(OperationKind.Get, runs: 2, count: 5);
        int calls = 0;
        OnCall = async token =>
        {
            if (Interlocked.Increment(ref calls) == 13) // in the second run of the first setting
            {
                await cancel.CancelAsync();
                token.ThrowIfCancellationRequested();
            }
        };

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => sweep.RunAsync(cancel.Token).Within());

        SettingMeasurement done = Assert.Single(sweep.Done);
        Assert.Equal([true, false], done.Runs.Select(run => run.IsComplete));
        Assert.InRange(done.Runs[1].Objects, 0, 4);
        Assert.True(Assert.Single(_engines).IsDisposed);
    }

    [Fact]
    public async Task Run_Mixed_WritesOneOfFourObjects()
    {
        await Create(OperationKind.Mixed, runs: 1, count: 8).RunAsync(CancellationToken.None).Within();
        Assert.EachEqual((12, 4), (_engines[0].Calls.Count(call => call.StartsWith("get ", StringComparison.Ordinal)), _engines[0].Calls.Count(call => call.StartsWith("put p/worker-", StringComparison.Ordinal))));
    }

    [Fact]
    public async Task Run_Small_WritesAndReadsEachObject()
    {
        await Create(OperationKind.Small, runs: 1, count: 4).RunAsync(CancellationToken.None).Within();
        Assert.Equal(["get k0", "get k1", "put k0", "put k1"], _engines[0].Calls.Distinct().Order(StringComparer.Ordinal));
    }

    private Func<CancellationToken, Task>? OnCall { get; set; }

    private SweepRunner Create(OperationKind operation, int runs, int count)
    {
        long? part = operation.HasParts ? 8 << 20 : null;
        SweepPlan plan = new(operation, EngineKind.Transfer, [new Setting(part, 4), new Setting(part, 8)], runs, count, null, null);
        ObjectSet objects = new("bucket", string.Empty, false, [new StoredObject("k0", 64 << 20), new StoredObject("k1", 64 << 20)]);
        return new SweepRunner(
            plan,
            objects,
            new Workload(operation, objects, Payload.InMemory("p/", 1, new Random(1)), null),
            (_, _) =>
            {
                FakeEngine engine = new(token => OnCall?.Invoke(token) ?? Task.CompletedTask);
                _engines.Add(engine);
                return engine;
            },
            (_, _) => { },
            (measured, run, _) => _ended.Add((measured.Setting, run)),
            new FakeProcess(),
            _time);
    }

    private sealed class FakeEngine(Func<CancellationToken, Task> onCall) : IEngine
    {
        public RunMeter? Meter { get; set; }

        public ConcurrentQueue<string> Calls { get; } = [];

        public bool IsDisposed { get; private set; }

        public Task HeadAsync(string key, CancellationToken cancellationToken) => CallAsync($"head {key}", cancellationToken);

        public Task GetAsync(string key, string? path, CancellationToken cancellationToken) => CallAsync($"get {key}", cancellationToken);

        public Task PutAsync(string key, string path, CancellationToken cancellationToken) => CallAsync($"put {key}", cancellationToken);

        public Task PutAsync(string key, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) => CallAsync($"put {key}", cancellationToken);

        public ValueTask DisposeAsync()
        {
            IsDisposed = true;
            return ValueTask.CompletedTask;
        }

        private async Task CallAsync(string call, CancellationToken cancellationToken)
        {
            await onCall(cancellationToken);
            Calls.Enqueue(call);
            Meter!.Observe(new RequestTiming { Kind = RequestKind.GetObject, FirstByte = TimeSpan.Zero, Duration = TimeSpan.Zero, Bytes = 1 });
        }
    }
}
