using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Runs shards one after the other, and shows their progress.</summary>
internal sealed class ShardRunner(JobClients clients, JobFolder folder, int? concurrency, TimeSpan? grace, Invocation invocation)
{
    public async Task RunAsync(Options.ShardChoice shards, CancellationToken cancellationToken)
    {
        TransferJob job = new(clients.Source, folder, clients.Other);
        JobWorkerOptions options = new() { MaxConcurrentObjects = concurrency, ItemFailed = Failed };
        options = grace is { } time ? options with { Grace = time } : options;
        foreach (int shard in shards.Shards)
        {
            JobShardResult result;
            using (IProgressView view = ProgressViews.Create(invocation.Output, invocation.Console, $"shard {shard}", invocation.Time, ofMany: true, () => clients.Sides.RequestsInFlight))
            {
                invocation.View = view;
                try
                {
                    result = await job.RunAsync(shard, options, view, cancellationToken).ConfigureAwait(false);
                }
                finally
                {
                    view.Dispose();
                    invocation.View = NoProgress.Instance;
                    invocation.Tally.PeakBufferBytes = clients.Sides.PeakRentedBytes;
                }
            }

            Add(result);
            if (!result.Exists)
            {
                break; // neither do those after it
            }
        }
    }

    private void Failed(JobFailure failure)
    {
        string text = JobText.Format(failure);
        invocation.View.Aside(() => invocation.Console.Message(failure.IsConflict ? $"conflict: {text}" : text));
        invocation.Tally.AddError(new ErrorJson(failure.Name, failure.Message, null));
    }

    private void Add(JobShardResult result)
    {
        Tally tally = invocation.Tally;
        tally.Objects += result.Done - result.DonePieces + result.Already;
        tally.Failed += result.Failed + result.Conflicts;
        tally.Bytes += result.Bytes;
        tally.Requests += result.Statistics.Requests;
        tally.Retries += result.Statistics.Retries;
        if (result is { Exists: true, IsFinished: false })
        {
            invocation.ExitCode = ExitCode.Failed;
        }

        string what = !result.Exists ? "the job doesn't have it"
            : result.Items == 0 ? "finished before"
            : string.Join(", ", (IEnumerable<string>)
            [
                $"{JobText.Format(result)}, {ByteSize.Format(result.Bytes)}",
                .. JobText.GetFacts((result.DoneBefore, "done before"), (result.Already, "there already"), (result.Conflicts, "changed since the plan"), (result.Failed, "failed")),
            ]);
        invocation.Summary($"shard {result.Shard}: {what}");
    }
}
