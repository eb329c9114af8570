using System.Text.Json;
using Transfer.Scheduling;
using Transfer.Sync;

namespace Transfer.Jobs;

/// <summary>The items of a shard with their results, compared with the target. The lines for the report are in a temporary file.</summary>
internal sealed class ShardReview : IDisposable
{
    private const int MaxFailures = 1_000;

    private readonly FileStream _lines = TemporaryFile.CreateIn(null, "review");
    private readonly FileStream _left = TemporaryFile.CreateIn(null, "left");
    private readonly List<JobFailure> _failures = [];

    private ShardReview()
    {
    }

    /// <summary>Gets the counts of this shard.</summary>
    public JobSummary Sum { get; private set; } = new() { Plan = string.Empty };

    public static async Task<ShardReview> RunAsync(
        JobFolder folder, JobPlan plan, SyncJob sync, TransferRun writing, int shard, IReadOnlyList<string> segments, CancellationToken cancellationToken)
    {
        JobShard planned = plan.Shards[shard];
        ShardReview review = new();
        try
        {
            using ShardFile file = await ShardFile.ReadAsync(folder, JobNames.Shard(plan.Id, shard), planned.Sha256, cancellationToken).ConfigureAwait(false);
            using ShardResults results = await ShardResults.ReadAsync(folder, segments, planned.Items, cancellationToken).ConfigureAwait(false);
            TargetReview targets = new(plan, sync, writing, planned.Lookups);
            await using (targets.ConfigureAwait(false))
            {
                long number = 0;
                foreach (JobItem item in file.ReadItems())
                {
                    JobLine line = results.Find(number) ?? JobLine.Of(item, plan, JobLine.Missing) with
                    {
                        Item = number,
                        Shard = shard,
                        Error = $"{plan.Target.AddressOf(item.Name)} has no result. Run shard {shard} again.",
                    };
                    string? change = line.IsDone ? await targets.FindChangeAsync(item, line, number, cancellationToken).ConfigureAwait(false) : null;
                    review.Add(item, line, change);
                    number++;
                }
            }

            review.Sum = review.Sum with { DamagedLines = results.Damaged, Failures = review._failures };
            return review;
        }
        catch
        {
            review.Dispose();
            throw;
        }
    }

    /// <summary>Copies the lines for the report.</summary>
    public async Task CopyToAsync(Stream target, CancellationToken cancellationToken)
    {
        _lines.Position = 0;
        await _lines.CopyToAsync(target, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Reads the items that have failed or have no result.</summary>
    public IEnumerable<JobItem> ReadLeft()
    {
        _left.Position = 0;
        using StreamReader reader = new(_left, leaveOpen: true);
        while (reader.ReadLine() is { } line)
        {
            yield return JsonSerializer.Deserialize(line, JobJson.Default.JobItem)!;
        }
    }

    public void Dispose()
    {
        _lines.Dispose();
        _left.Dispose();
    }

    private void Add(JobItem item, JobLine line, string? change)
    {
        if (change is not null)
        {
            Sum = Sum with { Changed = Sum.Changed + 1 };
            line = line with { Status = JobLine.Conflict, Error = change };
        }
        else
        {
            Sum = line.Status switch
            {
                JobLine.Done or JobLine.Already => Sum with
                {
                    Done = Sum.Done + 1,
                    Already = Sum.Already + (line.Status == JobLine.Already ? 1 : 0),
                    Bytes = Sum.Bytes + (line.Bytes ?? 0),
                },
                JobLine.Conflict => Sum with { Conflicts = Sum.Conflicts + 1 },
                JobLine.Missing => Sum with { Missing = Sum.Missing + 1 },
                _ => Sum with { Failed = Sum.Failed + 1 },
            };
        }

        if (line.Status is JobLine.Failed or JobLine.Missing)
        {
            Write(_left, JsonSerializer.SerializeToUtf8Bytes(item, JobJson.Default.JobItem));
        }

        if (!line.IsDone && _failures.Count < MaxFailures)
        {
            _failures.Add(new JobFailure(line.Target!, line.Status == JobLine.Conflict, line.Error ?? string.Empty));
        }

        Write(_lines, JsonSerializer.SerializeToUtf8Bytes(line, JobJson.Default.JobLine));
    }

    private static void Write(FileStream file, byte[] line)
    {
        file.Write(line);
        file.WriteByte((byte)'\n');
    }
}
