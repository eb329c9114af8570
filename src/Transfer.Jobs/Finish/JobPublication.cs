using System.Text.Json;
using Transfer.S3.Files;
using Transfer.S3.Trees;

namespace Transfer.S3.Jobs;

/// <summary>
/// Publishes all objects of a job at once, if all are ready and none of their targets has changed since the plan. It can be repeated after it was interrupted at any
/// request: once one object is published, it goes forward.
/// </summary>
internal sealed class JobPublication : IDisposable
{
    private readonly Pairing _sync;
    private readonly HugeObjectCompletion _completion;
    private readonly StagedSet<PreparedObject> _objects;
    private readonly LineSpool _prepared = new("publish");
    private readonly List<(int Number, (long Offset, int Length) Place)> _ready = [];
    private readonly HashSet<int> _gone = [];
    private readonly List<(int Number, JobLine Line)> _ended = [];
    private readonly Lock _gate = new();
    private bool _isBegun;
    private bool _isRefused;
    private bool _hasFailures;

    public JobPublication(JobPlan plan, PlanExtra extra, Pairing sync, HugeObjectCompletion completion)
    {
        (_sync, _completion, _isRefused) = (sync, completion, plan.Refused > 0);
        _objects = new(sync, extra.PublishLast, ReadReady, static one => one.Item.Name, one => one.Item.ToTarget(plan.Target));
    }

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
            EndUnpublished("It is not published, because not everything else is ready.");
            return;
        }

        cancellationToken.ThrowIfCancellationRequested();
        TimeSpan window = await _objects.PublishAsync(PublishAsync, () => _hasFailures, CancellationToken.None).ConfigureAwait(false);
        Window = _ready.Count > 0 ? window : null;
        ParallelOptions parallel = new() { MaxDegreeOfParallelism = _sync.MaxConcurrentObjects };
        await Parallel.ForEachAsync(_ended, parallel, async (one, _) => await _completion.RecordAsync(one.Number, one.Line, CancellationToken.None).ConfigureAwait(false)).ConfigureAwait(false);
        _ended.ForEach(one => ended(one.Line, false));
        EndUnpublished("It is not published, because it comes after everything else, and something failed.");

        void EndUnpublished(string reason)
        {
            foreach (PreparedObject one in ReadReady())
            {
                ended(one.Line with { Status = JobLine.Ready, Error = reason }, false);
            }
        }
    }

    public void Dispose() => _prepared.Dispose();

    /// <summary>Compares the parts of all objects with the store.</summary>
    private async Task PrepareAsync(HugeObjects huge, Action<JobLine, bool> ended, CancellationToken cancellationToken)
    {
        ParallelOptions parallel = new() { MaxDegreeOfParallelism = _sync.MaxConcurrentObjects, CancellationToken = cancellationToken };
        await Parallel.ForEachAsync(huge.Numbers, parallel, async (number, token) =>
        {
            IReadOnlyList<ReviewedPiece> pieces = huge.Read(number);
            if (await _completion.FindEndAsync(pieces, token).ConfigureAwait(false) is var (line, isChanged))
            {
                End(line, isChanged);
            }
            else if (await _completion.PrepareAsync(pieces, token).ConfigureAwait(false) is var (prepared, failure) && prepared is null)
            {
                End(failure!, false);
            }
            else
            {
                lock (_gate)
                {
                    _ready.Add((number, _prepared.Add(JsonSerializer.SerializeToUtf8Bytes(prepared, JobJson.Default.PreparedObject))));
                }
            }
        }).ConfigureAwait(false);

        void End(JobLine line, bool isChanged)
        {
            lock (_gate)
            {
                _isBegun |= line.IsDone || isChanged;
                _isRefused |= !line.IsDone;
                _hasFailures |= line.Status == JobLine.Failed;
                ended(line, isChanged);
            }
        }
    }

    /// <summary>Looks at all targets again. One that has changed was published before, or is a conflict.</summary>
    private async Task ReviewAsync(Action<JobLine, bool> ended, CancellationToken cancellationToken)
    {
        _ready.Sort(static (x, y) => x.Number.CompareTo(y.Number)); // the order of the plan, which is that of the names
        List<int> changed = [];
        await foreach ((PreparedObject one, string change) in _objects.ReviewAsync(cancellationToken).ConfigureAwait(false))
        {
            changed.Add(one.Number);
            if (await _completion.FindPublishedAsync(one, cancellationToken).ConfigureAwait(false) is { } published)
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

        _gone.UnionWith(changed);
    }

    private async Task PublishAsync(PreparedObject one, CancellationToken cancellationToken)
    {
        JobLine line = await _completion.PublishAsync(one, isReviewed: true, cancellationToken).ConfigureAwait(false);
        lock (_gate)
        {
            _gone.Add(one.Number);
            _ended.Add((one.Number, line));
            _hasFailures |= line.Status == JobLine.Failed; // the next end tries again
        }
    }

    /// <summary>Reads the objects that can be published.</summary>
    private IEnumerable<PreparedObject> ReadReady()
    {
        foreach ((int number, (long, int) place) in _ready)
        {
            bool isGone;
            lock (_gate)
            {
                isGone = _gone.Contains(number);
            }

            if (!isGone)
            {
                yield return JsonSerializer.Deserialize(_prepared.Read(place), JobJson.Default.PreparedObject)!;
            }
        }
    }
}
