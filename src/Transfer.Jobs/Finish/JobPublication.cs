using System.Text.Json;
using Transfer.S3.Files;
using Transfer.S3.Requests;
using Transfer.S3.Trees;
using Transfer.S3.Wire;

namespace Transfer.S3.Jobs;

/// <summary>
/// Publishes all objects of a job at once, if all are ready and none of their targets has changed since the plan. It can be repeated after it was interrupted at any
/// request: once one object is published, it goes forward.
/// </summary>
internal sealed class JobPublication(JobPlan plan, PlanExtra extra, Pairing sync, TransferRun writing, HugeObjectCompletion completion) : IDisposable
{
    private readonly LineSpool _prepared = new("publish");
    private readonly List<(int Number, bool IsLast, (long Offset, int Length) Place)> _ready = [];
    private readonly List<(int Number, JobLine Line)> _ended = [];
    private readonly PathPattern[] _last = [.. (extra.PublishLast ?? Publication.DefaultLast).SelectMany(PathPattern.Parse)];
    private readonly Lock _gate = new();
    private bool _isBegun;
    private bool _isRefused = plan.Refused > 0;

    /// <summary>Gets the time from the first request that published an object to the last response; null if nothing was published.</summary>
    public TimeSpan? Window { get; private set; }

    /// <summary>Publishes the objects.</summary>
    /// <param name="huge">The objects, with their pieces.</param>
    /// <param name="ended">Receives the line of each object, and whether it has changed since it was published.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests. It has no effect between the first and the last object.</param>
    public async Task RunAsync(HugeObjects huge, Action<JobLine, bool> ended, CancellationToken cancellationToken)
    {
        await PrepareAsync(huge, ended, cancellationToken).ConfigureAwait(false);
        await ReviewAsync(ended, cancellationToken).ConfigureAwait(false);
        if (_isRefused && !_isBegun)
        {
            foreach ((_, _, (long, int) place) in _ready)
            {
                ended(Read(place).Line with { Status = JobLine.Ready, Error = "It is not published, because not everything else is ready." }, false);
            }

            return;
        }

        cancellationToken.ThrowIfCancellationRequested();
        await PublishAsync().ConfigureAwait(false);
        ParallelOptions parallel = new() { MaxDegreeOfParallelism = sync.MaxConcurrentObjects };
        await Parallel.ForEachAsync(_ended, parallel, async (one, _) => await completion.RecordAsync(one.Number, one.Line, CancellationToken.None).ConfigureAwait(false)).ConfigureAwait(false);
        _ended.ForEach(one => ended(one.Line, false));
    }

    public void Dispose() => _prepared.Dispose();

    /// <summary>Compares the parts of all objects with the store.</summary>
    private async Task PrepareAsync(HugeObjects huge, Action<JobLine, bool> ended, CancellationToken cancellationToken)
    {
        ParallelOptions parallel = new() { MaxDegreeOfParallelism = sync.MaxConcurrentObjects, CancellationToken = cancellationToken };
        await Parallel.ForEachAsync(huge.Numbers, parallel, async (number, token) =>
        {
            IReadOnlyList<ReviewedPiece> pieces = huge.Read(number);
            if (await completion.FindEndAsync(pieces, token).ConfigureAwait(false) is var (line, isChanged))
            {
                End(line, isChanged);
            }
            else if (await completion.PrepareAsync(pieces, token).ConfigureAwait(false) is var (prepared, failure) && prepared is null)
            {
                End(failure!, false);
            }
            else
            {
                lock (_gate)
                {
                    bool isLast = Array.Exists(_last, pattern => pattern.Selects(prepared.Item.Name));
                    _ready.Add((number, isLast, _prepared.Add(JsonSerializer.SerializeToUtf8Bytes(prepared, JobJson.Default.PreparedObject))));
                }
            }
        }).ConfigureAwait(false);

        void End(JobLine line, bool isChanged)
        {
            lock (_gate)
            {
                _isBegun |= line.IsDone || isChanged;
                _isRefused |= !line.IsDone;
                ended(line, isChanged);
            }
        }
    }

    /// <summary>Looks at all targets again. One that has changed was published before, or is a conflict.</summary>
    private async Task ReviewAsync(Action<JobLine, bool> ended, CancellationToken cancellationToken)
    {
        _ready.Sort(static (x, y) => x.Number.CompareTo(y.Number)); // the order of the plan, which is that of the names
        Func<IReadOnlyList<string>, CancellationToken, Task<TreeEntry?[]>> findAsync = sync.Target.StartFinding();
        HashSet<int> gone = [];
        foreach ((int Number, bool IsLast, (long, int) Place)[] batch in _ready.Chunk(SourceReview.BatchSize))
        {
            PreparedObject[] objects = [.. batch.Select(one => Read(one.Place))];
            Array.Sort(objects, static (x, y) => KeyOrder.Instance.Compare(x.Item.Name, y.Item.Name));
            TreeEntry?[] found = await findAsync([.. objects.Select(static one => one.Item.Name)], cancellationToken).ConfigureAwait(false);
            for (int i = 0; i < objects.Length; i++)
            {
                PreparedObject one = objects[i];
                if (found[i]?.Error is { } error)
                {
                    throw error;
                }

                if (TargetState.FindChange(one.Item.ToTarget(plan.Target), found[i]) is not { } change)
                {
                    continue;
                }

                gone.Add(one.Number);
                if (await completion.FindPublishedAsync(one, cancellationToken).ConfigureAwait(false) is { } published)
                {
                    _isBegun = true;
                    _ended.Add((one.Number, published));
                }
                else
                {
                    _isRefused = true;
                    ended(one.Line with { Status = JobLine.Conflict, Error = $"{one.Line.Target} was {change} after it was planned." }, false);
                }
            }
        }

        _ready.RemoveAll(one => gone.Contains(one.Number));
    }

    private async Task PublishAsync()
    {
        long first = writing.Client.Time.GetTimestamp();
        foreach (bool isLast in new[] { false, true })
        {
            ObjectWorkQueue<(long, int)> queue = sync.CreateQueue<(long, int)>(static _ => 0, PublishAsync, Publication.Ahead);
            await queue.RunAsync(_ready.Where(one => one.IsLast == isLast).Select(static one => one.Place).ToAsyncEnumerable(), static () => { }, CancellationToken.None).ConfigureAwait(false);
        }

        Window = _ready.Count > 0 ? writing.Client.Time.GetElapsedTime(first) : null;
    }

    private async Task PublishAsync((long, int) place, CancellationToken cancellationToken)
    {
        PreparedObject one = Read(place);
        JobLine line = await completion.PublishAsync(one, isReviewed: true, cancellationToken).ConfigureAwait(false);
        lock (_gate)
        {
            _ended.Add((one.Number, line));
        }
    }

    private PreparedObject Read((long, int) place) => JsonSerializer.Deserialize(_prepared.Read(place), JobJson.Default.PreparedObject)!;
}
