using Microsoft.Extensions.Logging;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Synchronizes a folder or a prefix, or shows what would be done.</summary>
internal sealed class SyncRunner(FolderPlan plan, CopySettings copy, FolderSettings folder, SyncOptions sync, CopyConnections connections, Invocation invocation)
{
    private readonly ListWriter _writer = new(invocation);

    /// <summary>Adds what selects and transfers files and objects.</summary>
    public static T Complete<T>(T options, FolderPlan plan, CopySettings copy, FolderSettings folder)
        where T : TreeTransferOptions
    {
        options = options with
        {
            Filter = folder.Filter,
            OnFailure = folder.OnFailure,
            MaxConcurrentObjects = copy.Limits.Concurrency,
            SymbolicLinks = folder.Links,
            IncludeHidden = folder.IncludeHidden,
            EmptyFolders = folder.EmptyFolders,
            AllowSpecialNames = folder.AllowSpecialNames,
        };

        // Conditions bind each copy to the target in the listing. Those of other commands can be set in the environment.
        DownloadOptions reading = new() { Verify = copy.StoreCopy.VerifySource, CustomerKey = copy.StoreCopy.SourceCustomerKey, RequesterPays = copy.StoreCopy.SourceRequesterPays };
        return plan switch
        {
            { Uploads: true } => options with { Upload = copy.Upload with { Overwrite = true } },
            { IsInsideTheStore: true } when !copy.IsInsideTheStore => options with { Download = reading, Upload = copy.StoreCopy.Target with { Overwrite = true } },
            { IsInsideTheStore: true } => options with { Copy = copy.Copy with { Overwrite = true } },
            _ => options with { Download = copy.Download with { Overwrite = true } },
        };
    }

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        DirectoryResult? result = null;
        FolderReport report = await new ManyRunner(plan.Name, copy, folder, connections, invocation).RunAsync(SyncAllAsync, cancellationToken).ConfigureAwait(false);
        if (result is { Counts: { Copied: 0, Replaced: 0, Deleted: 0, Same: 0, Shielded: 0, Conflicts: 0, Failed: 0 } } && FilterText.NothingMatched(folder.Filter, !folder.IncludeHidden) is { } reason)
        {
            throw new TransferException($"{plan.Source}: {reason}") { Bucket = plan.Source.Bucket, Key = plan.Source.Key };
        }

        report.Summarize();

        async Task SyncAllAsync(CopyClients clients, FolderReport counting, IProgress<TransferProgress> progress, CancellationToken stopping)
        {
            SyncOptions options = sync with { ObjectEnded = outcome => Ended(outcome, counting) };
            result = await OfSourceAsync(() => SyncAsync(clients, options, progress, stopping)).ConfigureAwait(false);
            Tally tally = invocation.Tally;
            tally.Set(result.Statistics);
            tally.Times = result.Statistics.Times;
            tally.Synced = SyncedJson.From(result.Counts);
            counting.Facts.AddRange(GetFacts(result.Counts));
            if (sync.Publish == PublishMode.AllAtOnce)
            {
                tally.Synced = tally.Synced.Published(result);
            }

            if (result.PublishWindow is { } window)
            {
                counting.Facts.Add($"published within {Units.Duration(window)}");
            }
        }
    }

    /// <summary>Writes a line for each action that would be done, as soon as it is known.</summary>
    /// <param name="tells">Whether the exit code tells that there is something to do.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task PlanAsync(bool tells, CancellationToken cancellationToken)
    {
        Counts counts = default;
        CopyClients clients = connections.CreateClients(copy.Limits, invocation);
        await using (clients.ConfigureAwait(false))
        {
            invocation.Tally.HasRate = false;
            await OfSourceAsync(async () =>
            {
                await foreach (Outcome action in EnumerateAsync(clients, cancellationToken).ConfigureAwait(false))
                {
                    counts += Counts.Of(action);
                    invocation.Usage.Plan(action.Usage);
                    Write(action);
                }

                return true;
            }).ConfigureAwait(false);
        }

        Conclude(counts, tells);
    }

    private void Conclude(Counts counts, bool tells)
    {
        long failed = counts.Failed + counts.Conflicts;
        if (failed > 0 && !sync.DeleteDespiteFailures)
        {
            counts = counts with { Deleted = 0, Withheld = counts.Deleted };
        }

        Tally tally = invocation.Tally;
        (tally.Objects, tally.Bytes, tally.Failed) = (counts.Copied + counts.Replaced, counts.Bytes, failed);
        tally.Synced = SyncedJson.From(counts);
        List<string> facts = [$"would copy {Units.Count(counts.Copied, "object", "objects")} and replace {Units.Number(counts.Replaced)}, {ByteSize.Format(counts.Bytes)}"];
        if (counts.Deleted > 0)
        {
            facts.Add($"would delete {Units.Number(counts.Deleted)}");
        }

        facts.AddRange(GetFacts(counts with { Deleted = 0 }));
        if (failed > 0)
        {
            facts.Add($"{Units.Number(failed)} would fail");
            invocation.ExitCode = ExitCode.Failed;
        }
        else if (tells && counts.Copied + counts.Replaced + counts.Deleted > 0)
        {
            invocation.ExitCode = ExitCode.Mismatch;
        }

        invocation.Console.Flush();
        invocation.Summary(string.Join(", ", facts));
        invocation.Usage.Summarize(invocation);
    }

    private static IEnumerable<string> GetFacts(Counts counts) => JobText.GetFacts(
        (counts.Deleted, "deleted"),
        (counts.Same, "unchanged"),
        (counts.Shielded, "not deleted because of something at the source"),
        (counts.Unpublished, "uploaded and not published because of failures"),
        (counts.Withheld, "not deleted because of failures"));

    private void Ended(Outcome outcome, FolderReport report)
    {
        if (outcome.Error is not null || outcome.Operation != ObjectOperation.Delete)
        {
            report.Ended(outcome);
        }

        invocation.Report?.Add(outcome, moves: false);
        if (invocation.Telemetry.LogLevel <= LogLevel.Information)
        {
            invocation.Log(LogLevel.Information, $"{GetName(outcome)} {outcome.Name}: {outcome.Reason}");
        }
    }

    private void Write(Outcome action)
    {
        if (action.Status == OutcomeStatus.Same)
        {
            return;
        }

        string reason = action.Error is null ? action.Reason! : Failure.From(action.Error, invocation.StoreName, CancellationToken.None).Message;
        _writer.Action(GetName(action), action.Name, action.Bytes, reason);
        if (action.Error is not null)
        {
            invocation.Tally.AddError(new ErrorJson(action.Name, reason, null));
        }

        invocation.Console.Flush(); // a comparison can take hours
    }

    /// <summary>Gets what was tried or, if nothing was, why.</summary>
    private static string GetName(Outcome outcome) => outcome switch
    {
        { Status: OutcomeStatus.Shielded } => "shield",
        { Operation: { } operation } => ReportLines.GetName(operation),
        { Status: OutcomeStatus.Conflict } => "conflict",
        { Status: OutcomeStatus.Failed } => "fail",
        _ => "keep",
    };

    private async Task<T> OfSourceAsync<T>(Func<Task<T>> syncAsync)
    {
        try
        {
            return await syncAsync().ConfigureAwait(false);
        }
        catch (TransferException e) when (e.ErrorCode == "NoSuchBucket" && plan.Source.Kind == LocationKind.S3 && e.Bucket == plan.Source.Bucket)
        {
            throw new UsageException($"'{plan.Source}': there is no such bucket; run 'transfer ls' to list the buckets");
        }
    }

    private Task<DirectoryResult> SyncAsync(CopyClients clients, SyncOptions options, IProgress<TransferProgress> progress, CancellationToken cancellationToken)
        => plan.IsInsideTheStore && clients.Other is { } other
            ? clients.Source.SyncAsync(plan.Source.Place, other, plan.Target.Place, options, progress, cancellationToken)
            : clients.Source.SyncAsync(plan.Source.Place, plan.Target.Place, options, progress, cancellationToken);

    private IAsyncEnumerable<Outcome> EnumerateAsync(CopyClients clients, CancellationToken cancellationToken)
        => plan.IsInsideTheStore && clients.Other is { } other
            ? clients.Source.PlanSyncAsync(plan.Source.Place, other, plan.Target.Place, sync, cancellationToken)
            : clients.Source.PlanSyncAsync(plan.Source.Place, plan.Target.Place, sync, cancellationToken);
}
