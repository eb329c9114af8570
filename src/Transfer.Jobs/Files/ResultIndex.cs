namespace Transfer.S3.Jobs;

/// <summary>The names of all results of a plan, by shard, from one listing.</summary>
internal sealed class ResultIndex
{
    private readonly TimeSpan?[] _finished;
    private readonly List<string>?[] _marks;
    private readonly List<string>?[] _segments;

    private ResultIndex(int shards) => (_finished, _marks, _segments) = (new TimeSpan?[shards], new List<string>?[shards], new List<string>?[shards]);

    public static async Task<ResultIndex> ReadAsync(JobFolder folder, JobPlan plan, CancellationToken cancellationToken)
    {
        ResultIndex index = new(plan.Shards.Count);
        await foreach (string name in folder.ListAsync(JobNames.Results, cancellationToken).ConfigureAwait(false))
        {
            if (JobNames.TryReadResult(name) is { } result && result.Plan == plan.Id && result.Shard < plan.Shards.Count)
            {
                if (result.Finished is { } elapsed)
                {
                    index._finished[result.Shard] = elapsed;
                    (index._marks[result.Shard] ??= []).Add(name);
                }
                else
                {
                    (index._segments[result.Shard] ??= []).Add(name);
                }
            }
        }

        return index;
    }

    /// <summary>Gets how long the last attempt at a shard took; null if the shard isn't finished.</summary>
    public TimeSpan? FinishedIn(int shard) => _finished[shard];

    /// <summary>Gets the files that say that a shard is finished.</summary>
    public IReadOnlyList<string> GetMarks(int shard) => _marks[shard] ?? [];

    public IReadOnlyList<string> GetSegments(int shard) => _segments[shard] ?? [];
}
