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

    /// <summary>Gets the options of the library that select and transfer files and objects.</summary>
    public static DirectoryOptions GetDirectory(FolderPlan plan, CopySettings copy, FolderSettings folder)
    {
        DirectoryOptions options = new()
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
        SyncResult? result = null;
        FolderReport report = await new ManyRunner(plan.Name, copy, folder, connections, invocation).RunAsync(SyncAllAsync, cancellationToken).ConfigureAwait(false);
        if (result is { Copied: 0, Replaced: 0, Deleted: 0, Kept: 0, Shielded: 0, Conflicts: 0, FailedCount: 0 } && FilterText.NothingMatched(folder.Filter, !folder.IncludeHidden) is { } reason)
        {
            throw new TransferException($"{plan.Source}: {reason}") { Bucket = plan.Source.Bucket, Key = plan.Source.Key };
        }

        report.Summarize();

        async Task SyncAllAsync(CopyClients clients, FolderReport counting, IProgress<TransferProgress> progress, CancellationToken stopping)
        {
            SyncOptions options = sync with { ActionEnded = outcome => Ended(outcome, counting) };
            result = await OfSourceAsync(() => SyncAsync(clients, options, progress, stopping)).ConfigureAwait(false);
            Tally tally = invocation.Tally;
            (tally.Requests, tally.Retries, tally.Elapsed, tally.Times) = (result.Statistics.Requests, result.Statistics.Retries, result.Statistics.Elapsed, result.Statistics.Times);
            tally.Synced = new SyncedJson(result.Copied, result.Replaced, result.Deleted, result.Kept, result.Shielded, result.Conflicts, result.FailedCount, result.Withheld);
            counting.Facts.AddRange(GetFacts(result.Kept, result.Deleted, result.Shielded, result.Withheld));
        }
    }

    /// <summary>Writes a line for each action that would be done, as soon as it is known.</summary>
    /// <param name="tells">Whether the exit code tells that there is something to do.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public async Task PlanAsync(bool tells, CancellationToken cancellationToken)
    {
        long[] counts = new long[Enum.GetValues<SyncActionKind>().Length];
        long bytes = 0;
        CopyClients clients = connections.CreateClients(copy.Limits, invocation);
        await using (clients.ConfigureAwait(false))
        {
            invocation.Tally.HasRate = false;
            await OfSourceAsync(async () =>
            {
                await foreach (SyncAction action in EnumerateAsync(clients, cancellationToken).ConfigureAwait(false))
                {
                    counts[(int)action.Kind]++;
                    bytes += action.Kind is SyncActionKind.Copy or SyncActionKind.Replace ? action.Bytes : 0;
                    Write(action);
                }

                return true;
            }).ConfigureAwait(false);
        }

        Conclude(counts, bytes, tells);
    }

    private void Conclude(long[] counts, long bytes, bool tells)
    {
        long GetCount(SyncActionKind kind) => counts[(int)kind];
        (long copies, long replaced, long deleted, long failed) = (GetCount(SyncActionKind.Copy), GetCount(SyncActionKind.Replace), GetCount(SyncActionKind.Delete), GetCount(SyncActionKind.Fail));
        long conflicts = GetCount(SyncActionKind.Conflict);
        bool isWithheld = failed + conflicts > 0 && !sync.DeleteDespiteFailures;
        Tally tally = invocation.Tally;
        (tally.Objects, tally.Bytes, tally.Failed) = (copies + replaced, bytes, failed + conflicts);
        tally.Synced = new SyncedJson(copies, replaced, isWithheld ? 0 : deleted, GetCount(SyncActionKind.Keep), GetCount(SyncActionKind.Shield), conflicts, failed, isWithheld ? deleted : 0);
        List<string> facts = [$"would copy {Units.Count(copies, "object", "objects")} and replace {Units.Number(replaced)}, {ByteSize.Format(bytes)}"];
        if (deleted > 0 && !isWithheld)
        {
            facts.Add($"would delete {Units.Number(deleted)}");
        }

        facts.AddRange(GetFacts(GetCount(SyncActionKind.Keep), 0, GetCount(SyncActionKind.Shield), isWithheld ? deleted : 0));
        if (failed + conflicts > 0)
        {
            facts.Add($"{Units.Number(failed + conflicts)} would fail");
            invocation.ExitCode = ExitCode.Failed;
        }
        else if (tells && copies + replaced + deleted > 0)
        {
            invocation.ExitCode = ExitCode.Mismatch;
        }

        invocation.Console.Flush();
        invocation.Summary(string.Join(", ", facts));
    }

    private static IEnumerable<string> GetFacts(long kept, long deleted, long shielded, long withheld)
    {
        if (deleted > 0)
        {
            yield return $"{Units.Number(deleted)} deleted";
        }

        if (kept > 0)
        {
            yield return $"{Units.Number(kept)} unchanged";
        }

        if (shielded > 0)
        {
            yield return $"{Units.Number(shielded)} not deleted because of something at the source";
        }

        if (withheld > 0)
        {
            yield return $"{Units.Number(withheld)} not deleted because of failures";
        }
    }

    private void Ended(SyncOutcome outcome, FolderReport report)
    {
        SyncAction action = outcome.Action;
        Exception? error = outcome.Error ?? action.Error;
        if (error is not null)
        {
            report.Ended(new ObjectOutcome { Status = ObjectStatus.Failed, Key = action.Name, Bytes = action.Bytes, Error = error });
        }
        else if (action.Kind is SyncActionKind.Copy or SyncActionKind.Replace)
        {
            report.Ended(new ObjectOutcome { Status = ObjectStatus.Transferred, Key = action.Name, Bytes = action.Bytes, Verdict = outcome.Verdict, LostProperties = outcome.LostProperties });
        }

        if (invocation.Report is { } lines)
        {
            ReportLines.AddSync(lines, outcome, plan);
        }

        if (invocation.Telemetry.LogLevel <= LogLevel.Information)
        {
            invocation.Log(LogLevel.Information, $"{GetName(action.Kind)} {action.Name}: {action.Reason}");
        }
    }

    private void Write(SyncAction action)
    {
        if (action.Kind == SyncActionKind.Keep)
        {
            return;
        }

        string reason = action.Error is null ? action.Reason : Failure.From(action.Error, invocation.StoreName, CancellationToken.None).Message;
        _writer.Action(GetName(action.Kind), action.Name, action.Bytes, reason);
        if (action.Error is not null)
        {
            invocation.Tally.AddError(new ErrorJson(action.Name, reason, null));
        }

        invocation.Console.Flush(); // a comparison can take hours
    }

    private static string GetName(SyncActionKind kind) => kind switch
    {
        SyncActionKind.Copy => "copy",
        SyncActionKind.Replace => "replace",
        SyncActionKind.Delete => "delete",
        SyncActionKind.Conflict => "conflict",
        SyncActionKind.Shield => "shield",
        SyncActionKind.Fail => "fail",
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

    private Task<SyncResult> SyncAsync(CopyClients clients, SyncOptions options, IProgress<TransferProgress> progress, CancellationToken cancellationToken)
    {
        (Location from, Location to) = (plan.Source, plan.Target);
        return plan switch
        {
            { Uploads: true } => clients.Source.SyncUploadAsync(from.Text, to.Bucket, to.Key, options, progress, cancellationToken),
            { IsInsideTheStore: true } when clients.Other is { } other => clients.Source.SyncCopyAsync(from.Uri, other, to.Uri, options, progress, cancellationToken),
            { IsInsideTheStore: true } => clients.Source.SyncCopyAsync(from.Uri, to.Uri, options, progress, cancellationToken),
            _ => clients.Source.SyncDownloadAsync(from.Bucket, from.Key, to.Text, options, progress, cancellationToken),
        };
    }

    private IAsyncEnumerable<SyncAction> EnumerateAsync(CopyClients clients, CancellationToken cancellationToken)
    {
        (Location from, Location to) = (plan.Source, plan.Target);
        return plan switch
        {
            { Uploads: true } => clients.Source.PlanSyncUploadAsync(from.Text, to.Bucket, to.Key, sync, cancellationToken),
            { IsInsideTheStore: true } when clients.Other is { } other => clients.Source.PlanSyncCopyAsync(from.Uri, other, to.Uri, sync, cancellationToken),
            { IsInsideTheStore: true } => clients.Source.PlanSyncCopyAsync(from.Uri, to.Uri, sync, cancellationToken),
            _ => clients.Source.PlanSyncDownloadAsync(from.Bucket, from.Key, to.Text, sync, cancellationToken),
        };
    }
}
