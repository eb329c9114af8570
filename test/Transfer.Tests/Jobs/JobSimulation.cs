using Transfer.S3.Jobs;

namespace Transfer.S3.Tests.Jobs;

/// <summary>
/// Simulates an engine that gives the shards of a plan to workers as they become free. Workers have different rates, and some are lost while they run a shard.
/// The engine notices that later, and another worker continues after the results that were written.
/// </summary>
/// <param name="workers">The number of workers.</param>
/// <param name="spread">The standard deviation of the logarithm of the rates. The median rate is one unit of cost per second.</param>
/// <param name="lostPerHour">The share of workers that is lost in an hour.</param>
/// <param name="seed">The seed of the rates and losses.</param>
internal sealed class JobSimulation(int workers, double spread, double lostPerHour, int seed)
{
    /// <summary>The time from a free worker to the first request of its next shard, in seconds: the engine, the start of the process, and the requests for the shard.</summary>
    private const double StartSeconds = 0.5;

    /// <summary>The time until the engine notices that a worker is lost, in seconds.</summary>
    private const double NoticeSeconds = 30;

    /// <summary>The time until results are written, in seconds. A lost worker loses as much.</summary>
    private static readonly double FlushSeconds = ResultLog.FlushInterval.TotalSeconds;

    private readonly List<(double Rate, double End)> _workers = [];

    public int Lost { get; private set; }

    /// <param name="costs">The costs of the shards, in the order of their indices.</param>
    /// <returns>The time until all shards are done, and the time if all workers that aren't lost worked without a pause until the end, in seconds.</returns>
    public (double Time, double Ideal) Run(IEnumerable<double> costs)
    {
        Draw();
        Queue<double> queue = new(costs);
        double total = queue.Sum();
        PriorityQueue<double, double> repeated = new();
        PriorityQueue<int, (double Time, int Worker)> free = new(Enumerable.Range(0, workers).Select(worker => (worker, (0.0, worker))));
        double end = 0;
        while (free.TryDequeue(out int worker, out (double Time, int) when))
        {
            double now = when.Time;
            if (!repeated.TryPeek(out double cost, out double noticed) || noticed > now)
            {
                if (!queue.TryDequeue(out cost))
                {
                    if (repeated.Count > 0)
                    {
                        free.Enqueue(worker, (noticed, worker));
                    }

                    continue;
                }
            }
            else
            {
                repeated.Dequeue();
            }

            (double rate, double lost) = _workers[worker];
            double done = now + StartSeconds + (cost / rate);
            if (lost < done)
            {
                Lost++;
                repeated.Enqueue(cost - Math.Max(0, rate * (lost - FlushSeconds - now - StartSeconds)), Math.Max(lost, now) + NoticeSeconds);
                continue;
            }

            end = Math.Max(end, done);
            free.Enqueue(worker, (done, worker));
        }

        Assert.Empty(repeated.UnorderedItems);
        return (end, IdealOf(total));
    }

    private void Draw()
    {
        Random random = new(seed);
        for (int i = 0; i < workers; i++)
        {
            double normal = Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
            _workers.Add((Math.Exp(spread * normal), -Math.Log(1 - random.NextDouble()) * 3600 / lostPerHour));
        }
    }

    private double IdealOf(double total)
    {
        (double low, double high) = (0, total);
        while (high - low > 0.01)
        {
            double middle = (low + high) / 2;
            (low, high) = _workers.Sum(worker => worker.Rate * Math.Min(middle, worker.End)) < total ? (middle, high) : (low, middle);
        }

        return high;
    }
}
