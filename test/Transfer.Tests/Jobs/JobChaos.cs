using System.Net;
using System.Threading.Channels;
using Transfer.S3.Jobs;
using Transfer.S3.Tests.Infrastructure;

namespace Transfer.S3.Tests.Jobs;

/// <summary>
/// An engine with eight workers that gives them the shards of a job. Some runs are killed at a request: from then on, nothing that they do has an effect. Others are
/// stopped at a request until another worker has done their shard. Some shards run twice at once.
/// </summary>
/// <param name="pair">The job.</param>
/// <param name="plan">The plan.</param>
/// <param name="newClient">Creates a client of a store. Each worker has its own.</param>
/// <param name="time">The time of the clients.</param>
/// <param name="random">Chooses the runs and the requests.</param>
internal sealed class JobChaos(HugePair pair, JobPlan plan, Func<FakeS3, TransferClient> newClient, SteppedClock time, Random random) : IDisposable
{
    private const int Workers = 8;
    private const int MaxFaults = 12;
    private const int MostRequests = 12;
    private static readonly AsyncLocal<Worker?> Current = new();

    private readonly Lock _gate = new();
    private readonly Channel<int> _waiting = Channel.CreateUnbounded<int>();
    private readonly List<Worker> _stopped = [];
    private readonly SemaphoreSlim _machines = new(Workers);
    private readonly Dictionary<string, object> _effects = [];
    private int _pending;

    public int Kills { get; private set; }

    public int Stops { get; private set; }

    /// <summary>Gets what must not happen: targets that were written again, and runs that failed without a fault.</summary>
    public List<string> Errors { get; } = [];

    /// <summary>Runs shards until all are finished and every run has ended.</summary>
    public async Task RunAsync()
    {
        pair.Jobs.Sides.Store.Before = pair.Store.Before = BeforeAsync;
        int[] shards = [.. Enumerable.Range(0, plan.Shards.Count)];
        int[] twice = [.. shards.Where(_ => random.Next(3) == 0)];
        int[] order = [.. shards, .. twice];
        random.Shuffle(order);
        Array.ForEach(order, Enqueue);
        List<Task> runs = [];
        await foreach (int shard in _waiting.Reader.ReadAllAsync())
        {
            await _machines.WaitAsync();
            runs.Add(Task.Run(() => RunAsync(NewWorker(shard))));
        }

        await Task.WhenAll(runs);
        pair.Jobs.Sides.Store.Before = pair.Store.Before = null;
    }

    public void Dispose() => _machines.Dispose();

    private async Task RunAsync(Worker worker)
    {
        Current.Value = worker;
        TransferClient client = newClient(pair.Jobs.Sides.Store);
        TransferClient target = pair.Jobs.Sides.Store == pair.Store ? client : newClient(pair.Store);
        TransferJob run = new(client, JobFolder.InBucket(target, FakeS3.Bucket, "runs/1"), target == client ? null : target);
        bool isFinished = false;
        try
        {
            JobShardResult result = await run.RunAsync(worker.Shard);
            isFinished = result.IsFinished;
            if (!worker.IsHit && !isFinished)
            {
                AddError($"shard {worker.Shard}: {result}");
            }
        }
        catch (Exception e) when (e is TransferException || !worker.IsHit)
        {
            if (!worker.IsHit)
            {
                AddError($"shard {worker.Shard}: {e}");
            }
        }

        // A shard whose run has failed without a fault isn't tried again, because the test has failed.
        End(worker, isFinished || !worker.IsHit);
    }

    private void End(Worker worker, bool isFinished)
    {
        lock (_gate)
        {
            foreach ((string key, object effect) in pair.Jobs.GetEffects())
            {
                if (!_effects.TryAdd(key, effect) && !ReferenceEquals(_effects[key], effect))
                {
                    Errors.Add($"{key} was written again");
                }
            }

            if (isFinished)
            {
                foreach (Worker other in _stopped.Where(one => one.Shard == worker.Shard && one != worker))
                {
                    other.Woken.TrySetResult();
                }

                _stopped.RemoveAll(one => one.Shard == worker.Shard);
            }
            else
            {
                Enqueue(worker.Shard);
            }

            if (!worker.IsStopped)
            {
                _machines.Release();
            }

            if (--_pending == 0)
            {
                _waiting.Writer.Complete();
            }
        }
    }

    private void AddError(string error)
    {
        lock (_gate)
        {
            Errors.Add(error);
        }
    }

    private void Enqueue(int shard)
    {
        lock (_gate)
        {
            _pending++;
            Assert.True(_waiting.Writer.TryWrite(shard));
        }
    }

    private Worker NewWorker(int shard)
    {
        lock (_gate)
        {
            bool isHit = Kills + Stops < MaxFaults && random.Next(2) == 0;
            return new Worker(shard) { FaultAt = isHit ? random.Next(1, MostRequests) : int.MaxValue, IsKilledThen = random.Next(3) != 0, IsFlushedBefore = random.Next(2) == 0 };
        }
    }

    private async Task BeforeAsync(S3Call call, CancellationToken cancellationToken)
    {
        if (Current.Value is not { } worker)
        {
            return;
        }

        if (Interlocked.Increment(ref worker.Requests) == worker.FaultAt)
        {
            Hit(worker);
        }

        if (worker.IsStopped)
        {
            await worker.Woken.Task.WaitAsync(cancellationToken);
        }

        if (worker.IsKilled)
        {
            throw FakeS3.Error(HttpStatusCode.Forbidden, "Killed");
        }
    }

    private void Hit(Worker worker)
    {
        lock (_gate)
        {
            worker.IsKilled = worker.IsKilledThen;
            worker.IsStopped = !worker.IsKilledThen;
            Kills += worker.IsKilled ? 1 : 0;
            Stops += worker.IsStopped ? 1 : 0;
            if (worker.IsStopped)
            {
                // Its machine is free for another task, and the engine gives the shard to another one.
                _stopped.Add(worker);
                _machines.Release();
                Enqueue(worker.Shard);
            }
            else if (worker.IsFlushedBefore && _stopped.Count == 0)
            {
                // Workers write their results, which isn't a request of this one. Requests of stopped workers would time out.
                using (ExecutionContext.SuppressFlow())
                {
                    time.Advance(ResultLog.FlushInterval);
                }
            }
        }
    }

    private sealed class Worker(int shard)
    {
        public int Requests;

        public int Shard => shard;

        public required int FaultAt { get; init; }

        public required bool IsKilledThen { get; init; }

        public required bool IsFlushedBefore { get; init; }

        public bool IsKilled { get; set; }

        public bool IsStopped { get; set; }

        public bool IsHit => IsKilled || IsStopped;

        public TaskCompletionSource Woken { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
