using System.Text.Json;
using Transfer.S3.Files;
using Transfer.S3.Requests;
using Transfer.S3.Trees;

namespace Transfer.S3.Jobs;

/// <summary>The items of a shard with their results. Whole objects are compared with the target, and their lines for the report are in a temporary file.</summary>
internal sealed class ShardReview : IDisposable
{
    private const int MaxFailures = 1_000;

    private readonly LineSpool _lines = new("review");
    private readonly LineSpool _pieces = new("pieces");
    private readonly LineSpool _left = new("left");
    private readonly List<JobFailure> _failures = [];
    private bool _isMissing;

    private ShardReview()
    {
    }

    /// <summary>Gets the counts of the whole objects of this shard.</summary>
    public JobSummary Sum { get; private set; } = new() { Plan = string.Empty };

    public static async Task<ShardReview> RunAsync(
        JobFolder folder, JobPlan plan, Pairing sync, TargetProof proof, TransferRun writing, int shard, ResultIndex index, CancellationToken cancellationToken)
    {
        JobShard planned = plan.Shards[shard];
        ShardReview review = new();
        try
        {
            using ShardFile file = await ShardFile.ReadAsync(folder, JobNames.Shard(plan.Id, shard), planned.Sha256, cancellationToken).ConfigureAwait(false);
            using ShardResults results = await ShardResults.ReadAsync(folder, index.GetSegments(shard), planned.Items, cancellationToken).ConfigureAwait(false);
            if (results.Done < planned.Items)
            {
                // Results were damaged or deleted after the shard was finished. Without these files, it can run again.
                foreach (string mark in index.GetMarks(shard))
                {
                    await folder.DeleteAsync(mark, cancellationToken).ConfigureAwait(false);
                }
            }

            TargetReview targets = new(plan, sync, proof, writing, planned.Lookups);
            await using (targets.ConfigureAwait(false))
            {
                long number = 0;
                foreach (JobItem item in file.ReadItems())
                {
                    JobLine line = results.Find(number) ?? JobLine.From(item, plan, JobLine.Missing) with
                    {
                        Item = number,
                        Shard = shard,
                        Error = $"There is no result. Run shard {shard} again.",
                    };
                    number++;
                    review._isMissing |= line.Status == JobLine.Missing;
                    if (item.Piece is not null)
                    {
                        review._pieces.Add(JsonSerializer.SerializeToUtf8Bytes(new ReviewedPiece(item, line), JobJson.Default.ReviewedPiece));
                        continue;
                    }

                    string? change = line.IsDone ? await targets.FindChangeAsync(item, line, number - 1, cancellationToken).ConfigureAwait(false) : null;
                    review.Add(item, line, change);
                }
            }

            review.Sum = review.Sum with { DamagedLines = results.Damaged, Failures = review._failures, MissingShards = review._isMissing ? [shard] : [] };
            return review;
        }
        catch
        {
            review.Dispose();
            throw;
        }
    }

    /// <summary>Copies the lines for the report.</summary>
    public Task CopyToAsync(Stream target, CancellationToken cancellationToken) => _lines.CopyToAsync(target, cancellationToken);

    /// <summary>Reads the whole objects that are not done: they have failed, have no result, or have changed since the plan or since they were written.</summary>
    public IEnumerable<JobItem> ReadLeft() => _left.ReadAll().Select(static line => JsonSerializer.Deserialize(line, JobJson.Default.JobItem)!);

    /// <summary>Reads the lines of the pieces of huge objects.</summary>
    public IEnumerable<string> ReadPieces() => _pieces.ReadAll();

    public void Dispose()
    {
        _lines.Dispose();
        _left.Dispose();
        _pieces.Dispose();
    }

    private void Add(JobItem item, JobLine line, string? change)
    {
        line = change is null ? line : line with { Status = JobLine.Conflict, Error = change };
        Sum = Sum.With(line, isChanged: change is not null);
        if (!line.IsDone)
        {
            _left.Add(JsonSerializer.SerializeToUtf8Bytes(item, JobJson.Default.JobItem));
        }

        if (!line.IsDone && line.Status != JobLine.Missing && _failures.Count < MaxFailures)
        {
            _failures.Add(line.ToFailure());
        }

        _lines.Add(JsonSerializer.SerializeToUtf8Bytes(line with { File = null }, JobJson.Default.JobLine));
    }
}
