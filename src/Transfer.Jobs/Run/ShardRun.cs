using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using Transfer.S3.Requests;
using Transfer.S3.Trees;

namespace Transfer.S3.Jobs;

/// <summary>One run of a shard.</summary>
internal sealed class ShardRun(JobFolder folder, JobPlan plan, PlanExtra extra, JobSides sides, int shard, JobWorkerOptions options)
{
    /// <summary>The part of the grace that is left to write the results.</summary>
    private const int FlushShare = 5;

    private static readonly TimeSpan MinFlush = TimeSpan.FromSeconds(1);

    private readonly JobShard _shard = plan.Shards[shard];
    private readonly TimeProvider _time = sides.Client.Context.Time;
    private readonly OpenUploads _open = new();
    private ExceptionDispatchInfo? _limit;

    /// <param name="results">The names of the results of earlier runs.</param>
    /// <param name="progress">Receives progress updates.</param>
    /// <param name="cancellationToken">Begins the grace.</param>
    public async Task<JobShardResult> RunAsync(IReadOnlyList<string> results, IProgress<TransferProgress>? progress, CancellationToken cancellationToken)
    {
        DateTimeOffset began = _time.GetUtcNow();
        using ShardFile file = await ShardFile.ReadAsync(folder, JobNames.Shard(plan.Id, shard), _shard.Sha256, cancellationToken).ConfigureAwait(false);
        using ShardResults former = await ShardResults.ReadAsync(folder, results, _shard.Items, cancellationToken).ConfigureAwait(false);
        ResultLog log = new(folder, shard, plan.Id, _open, _time);
        await using (log.ConfigureAwait(false))
        {
            ShardTally tally = await RunItemsAsync(file, former, log, progress, cancellationToken).ConfigureAwait(false);
            if (_limit is not null)
            {
                UsageLimit.ExceptCleanup(); // without its results, the next run would look at all targets again
            }

            using CancellationTokenSource flush = new(Timeout.InfiniteTimeSpan, _time);
            using CancellationTokenRegistration end = cancellationToken.UnsafeRegister(_ => flush.CancelAfter(FlushTime > MinFlush ? FlushTime : MinFlush), null);
            await log.FlushAsync(flush.Token).ConfigureAwait(false);
            _limit?.Throw();
            if (!tally.IsComplete)
            {
                throw new OperationCanceledException("The shard was stopped before every item had ended.", cancellationToken);
            }

            JobShardResult result = tally.ToResult();
            if (result.Conflicts + result.Failed > 0)
            {
                return result;
            }

            await folder.WriteAsync(JobNames.Finished(shard, plan.Id, began, _time.GetUtcNow()), ReadOnlyMemory<byte>.Empty, flush.Token).ConfigureAwait(false);
            return result with { IsFinished = true };
        }
    }

    private TimeSpan FlushTime => options.Grace / FlushShare;

    /// <summary>Runs the items until all have ended, or the grace is over.</summary>
    private async Task<ShardTally> RunItemsAsync(ShardFile file, ShardResults former, ResultLog log, IProgress<TransferProgress>? progress, CancellationToken soft)
    {
        using CancellationTokenSource hard = new(Timeout.InfiniteTimeSpan, _time);
        using CancellationTokenRegistration end = soft.UnsafeRegister(_ => hard.CancelAfter(options.Grace - FlushTime), null);
        Pairing sync = sides.Open(extra.Options.ToSync(options.MaxConcurrentObjects));
        TransferRun whole = sides.Writer.Context.BeginWhole(sync.Direction, sync.Address, progress, null);
        whole.Uploads = _open;
        whole.Reporter.SetTotal(_shard.Bytes, null);
        whole.Reporter.SetTotalObjects(_shard.Items - former.Done);
        ShardTally tally = new(new JobShardResult { Shard = shard, Items = _shard.Items, DoneBefore = former.Done }, options.ItemFailed, whole.Reporter);
        try
        {
            if (sides.Other is null)
            {
                await whole.RunAsync((run, token) => RunItemsAsync(sync, file, former, log, tally, run, run, soft, token), hard.Token).ConfigureAwait(false);
            }
            else
            {
                await sides.Client.Context.BeginCounting(plan.Source.Bucket!, plan.Source.Prefix!).RunAsync(
                    (reading, token) => whole.RunAsync((run, stopping) => RunItemsAsync(sync, file, former, log, tally, reading, run, soft, stopping), token), hard.Token).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (soft.IsCancellationRequested)
        {
            // The results of what has ended are still written.
        }
        catch (Exception e) when (UsageLimit.IsCauseOf(e))
        {
            _limit = ExceptionDispatchInfo.Capture(e);
        }
        finally
        {
            sync.Dispose();
        }

        return tally;
    }

    private async Task<bool> RunItemsAsync(
        Pairing sync, ShardFile file, ShardResults former, ResultLog log, ShardTally tally, TransferRun reading, TransferRun whole, CancellationToken soft, CancellationToken hard)
    {
        sync.Begin(reading, whole);
        ItemRunner runner = new(sync, plan, new TargetProof(sync, plan));
        using JobUploads uploads = new(folder, plan, sync, _open);
        PieceRunner pieces = new(sync, plan, uploads, sides.Writer.Context);
        ObjectWorkQueue<(long Number, JobItem Item)> queue = sync.CreateQueue<(long Number, JobItem Item)>(static one => one.Item.CopiedBytes, WorkAsync);
        await queue.RunAsync(FindAsync(file, former, soft), static () => { }, hard).ConfigureAwait(false);
        return true;

        async Task WorkAsync((long Number, JobItem Item) one, CancellationToken stopping)
        {
            if (soft.IsCancellationRequested)
            {
                return; // only what is in flight may end
            }

            long since = whole.Reporter.Times.Now;
            JobLine? ended = one.Item.Piece is null
                ? await runner.RunAsync(one.Item, stopping).ConfigureAwait(false)
                : await pieces.RunAsync(
                    one.Item, mark => former.FindParts(one.Number, mark), token => FindDoneAsync(one.Number, token), part => log.Add(WithPlace(part)), soft, stopping).ConfigureAwait(false);
            if (ended is null)
            {
                return; // the parts in flight have ended, and others would have to be sent
            }

            JobLine line = WithPlace(ended) with { Seconds = Math.Round(whole.Reporter.Times.ElapsedSince(since).TotalSeconds, 3) };
            log.Add(line);
            if (line.IsDone && one.Item.Piece is null)
            {
                _open.Remove(plan.Target.Prefix + one.Item.Name);
            }

            whole.Reporter.AddObject();
            tally.Add(line, isPiece: one.Item.Piece is not null);

            JobLine WithPlace(JobLine result) => result with { Time = _time.GetUtcNow().UtcDateTime, Item = one.Number, Shard = shard };
        }
    }

    /// <summary>Finds the result of another attempt that has done an item since this one began.</summary>
    private async Task<JobLine?> FindDoneAsync(long number, CancellationToken cancellationToken)
    {
        List<string> names = [];
        await foreach (string name in folder.ListAsync(JobNames.GetResults(shard), cancellationToken).ConfigureAwait(false))
        {
            if (JobNames.TryReadResult(name) is { Finished: null } result && result.Plan == plan.Id)
            {
                names.Add(name);
            }
        }

        using ShardResults now = await ShardResults.ReadAsync(folder, names, _shard.Items, cancellationToken).ConfigureAwait(false);
        return now.IsDone(number) ? now.Find(number) : null;
    }

    private static async IAsyncEnumerable<(long Number, JobItem Item)> FindAsync(ShardFile file, ShardResults former, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding); // the caller must not wait for the disk
        long number = 0;
        foreach (JobItem item in file.ReadItems())
        {
            if (cancellationToken.IsCancellationRequested)
            {
                yield break;
            }

            if (!former.IsDone(number))
            {
                yield return (number, item);
            }

            number++;
        }
    }
}
