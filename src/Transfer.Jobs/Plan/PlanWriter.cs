using System.Security.Cryptography;
using Transfer.S3.Concurrency;
using Transfer.S3.Files;

namespace Transfer.S3.Jobs;

/// <summary>Writes the files of a plan. The plan itself is the last one, and only the first of several planners can write it.</summary>
/// <param name="folder">The folder of the job.</param>
/// <param name="content">What the plan contains.</param>
/// <param name="shards">The number of shards; null for the default.</param>
/// <param name="workers">The number of workers that are expected.</param>
internal sealed class PlanWriter(JobFolder folder, PlanContent content, int? shards, int workers)
{
    /// <summary>The number of files that are written at the same time.</summary>
    private const int MaxWrites = 8;

    /// <summary>The number of names of other files that an error shows.</summary>
    private const int MaxShown = 3;

    private readonly string _id = JobNames.NewId();

    /// <summary>Checks that a folder has no plan, and nothing that isn't a job's: the job would replace and delete files by their names.</summary>
    /// <exception cref="TransferException">Thrown when it has, or can't be listed.</exception>
    public static async Task CheckAsync(JobFolder folder, CancellationToken cancellationToken)
    {
        List<string> others = [];
        await foreach (string name in folder.ListAsync(string.Empty, cancellationToken).ConfigureAwait(false))
        {
            if (!JobNames.IsOfPlanners(name))
            {
                others.Add(name);
                if (others.Count > MaxShown || name == JobNames.Plan)
                {
                    break;
                }
            }
        }

        if (others.Count > 0)
        {
            throw await folder.ReadPlanAsync(cancellationToken).ConfigureAwait(false) is { } former ? Taken(folder, former)
                : new TransferException($"{folder.Address} contains {string.Join(", ", others.Take(MaxShown).Select(static name => $"'{name}'"))}{(others.Count > MaxShown ? ", and more" : string.Empty)}. "
                    + "A job needs a folder of its own, because it writes and deletes files there. Specify one that is empty or doesn't exist.");
        }
    }

    /// <summary>Writes everything but the plan itself.</summary>
    public async Task<JobPlanDocument> WriteAsync(TimeProvider time, CancellationToken cancellationToken)
    {
        try
        {
            List<ShardLayout> layouts = Divide();
            JobShard[] written = new JobShard[layouts.Count];
            await WriteShardsAsync(layouts, written, cancellationToken).ConfigureAwait(false);
            JobPlan plan = CreatePlan(written, time) with
            {
                Lost = await LostGuarantees.FindAsync(folder, content.Sides, content.Replaces || content.Deleted > 0, cancellationToken).ConfigureAwait(false),
            };
            PlanExtra extra = new()
            {
                Options = content.Options,
                SplitBytes = content.SplitBytes,
                SkipsExisting = content.SkipsExisting,
                DeletesDespiteFailures = content.DeletesDespiteFailures,
                DeletesExcluded = content.DeletesExcluded,
                PublishLast = content.PublishLast,
                RefusedSha256 = await WriteListAsync(JobNames.Refused(_id), All(content.Refusals), cancellationToken).ConfigureAwait(false),
                DeletionsSha256 = await WriteListAsync(JobNames.Deletions(_id), content.Deletions.Select(CreateLine), cancellationToken).ConfigureAwait(false),
            };
            return new JobPlanDocument(plan, extra);
        }
        catch
        {
            await DiscardAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Writes the plan itself.</summary>
    /// <exception cref="TransferException">Thrown when another plan was written before.</exception>
    public async Task<JobPlan> CommitAsync(JobPlanDocument document, CancellationToken cancellationToken)
    {
        if (await JobPlanFile.TryWriteAsync(folder, document, cancellationToken).ConfigureAwait(false))
        {
            return document.Plan;
        }

        await DiscardAsync().ConfigureAwait(false);
        throw Taken(folder, (await JobPlanFile.GetAsync(folder, cancellationToken).ConfigureAwait(false)).Plan);
    }

    /// <summary>Gets the plan that would be written. It says nothing about guarantees, because what the store supports is found out by writing.</summary>
    public JobPlan Preview(TimeProvider time) => CreatePlan([.. Divide().Select(layout => CreateShard(layout, string.Empty))], time);

    private List<ShardLayout> Divide() => ShardBalance.Divide(content.Items, shards ?? ShardBalance.CountFor(content.Items.Cost, workers));

    private JobPlan CreatePlan(JobShard[] shards, TimeProvider time) => new()
    {
        Version = JobPlan.CurrentVersion,
        Id = _id,
        Created = time.GetUtcNow(),
        IsSync = content.IsSync,
        HasTwoStores = content.Sides.Other is not null,
        Source = content.Sides.Source,
        Target = content.Sides.Target,
        Items = content.Items.Count,
        Bytes = content.Bytes,
        Estimate = content.Estimate + (content.EstimateOfWorker * Math.Max(0, shards.Length - 1)),
        Pieces = content.Division.Pieces,
        SplitObjects = content.Division.Divided,
        PublishesAllAtOnce = content.PublishesAllAtOnce,
        UnsplitObjects = content.Division.Undivided,
        Kept = content.Kept,
        Refused = content.Refusals.Count,
        Deletions = content.Deleted,
        Withheld = content.Withheld,
        Shards = shards,
    };

    private JobShard CreateShard(ShardLayout layout, string sha256) => new()
    {
        Items = layout.Items,
        Bytes = layout.Bytes,
        Lookups = content.IsOrdered ? layout.Placed.Count : layout.Items,
        Sha256 = sha256,
    };

    private static TransferException Taken(JobFolder folder, JobPlan plan)
        => new($"{folder.Address} already has the plan of a copy from {plan.Source} to {plan.Target}. Run it, or specify another folder.");

    private async Task WriteShardsAsync(List<ShardLayout> layouts, JobShard[] written, CancellationToken cancellationToken)
    {
        IAsyncEnumerable<bool> writes = Ahead.SelectAsync(layouts.Index().ToAsyncEnumerable(), MaxWrites, WriteAsync, cancellationToken);
        await foreach (bool _ in writes.ConfigureAwait(false))
        {
        }

        async Task<bool> WriteAsync((int Index, ShardLayout Layout) one, CancellationToken token)
        {
            FileStream file = TemporaryFile.CreateIn(null, "shard");
            string sha256 = Fill(file, content.Items.Read(one.Layout), token);
            written[one.Index] = CreateShard(one.Layout, sha256);
            await this.WriteAsync(JobNames.Shard(_id, one.Index), file, token).ConfigureAwait(false);
            return true;
        }
    }

    private async Task<string?> WriteListAsync(string name, IEnumerable<ReadOnlyMemory<byte>> lines, CancellationToken cancellationToken)
    {
        FileStream file = TemporaryFile.CreateIn(null, "list");
        string sha256 = Fill(file, lines, cancellationToken);
        bool isEmpty = file.Length == 0;
        if (isEmpty)
        {
            await file.DisposeAsync().ConfigureAwait(false);
            return null;
        }

        await WriteAsync(name, file, cancellationToken).ConfigureAwait(false);
        return sha256;
    }

    private async Task WriteAsync(string name, FileStream file, CancellationToken cancellationToken)
    {
        await using (file.ConfigureAwait(false))
        {
            await folder.WriteAsync(name, file, cancellationToken).ConfigureAwait(false);
        }
    }

    private static string Fill(FileStream file, IEnumerable<ReadOnlyMemory<byte>> lines, CancellationToken cancellationToken)
    {
        using IncrementalHash hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach (ReadOnlyMemory<byte> line in lines)
        {
            cancellationToken.ThrowIfCancellationRequested();
            file.Write(line.Span);
            hash.AppendData(line.Span);
        }

        file.Flush();
        file.Position = 0;
        return Convert.ToHexStringLower(hash.GetHashAndReset());
    }

    private static IEnumerable<ReadOnlyMemory<byte>> All(ItemSpool spool)
        => spool.Count == 0 ? [] : spool.Read(new ShardLayout { RangeItems = spool.Count, RangeMaxCost = long.MaxValue });

    private static ReadOnlyMemory<byte> CreateLine(JobItem item) => PlanContent.CreateLine(item, JobJson.Default.JobItem);

    /// <summary>Deletes what was written, as far as that is possible: without the plan, nobody reads it.</summary>
    private async Task DiscardAsync()
    {
        try
        {
            await PlanFiles.DeleteAsync(folder, JobNames.GetShards(_id), id => id == _id, CancellationToken.None).ConfigureAwait(false);
        }
        catch (TransferException)
        {
            // The files use some storage, and the caller gets the first error.
        }
    }
}
