using System.Runtime.ExceptionServices;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary>Copies several sources into one folder or prefix. A source that fails doesn't stop the others.</summary>
internal sealed class SourcesRunner(string target, IReadOnlyList<CopyPlan> plans, CopySettings copy, FolderSettings folder, CopyConnections connections, Invocation invocation)
{
    /// <summary>The objects that are copied at the same time. Their requests share the client's limits, so this only has to hide the latency of small objects.</summary>
    private const int MaxAtOnce = 32;

    private readonly Lock _gate = new();
    private readonly TransferTimesSum _times = new();
    private readonly long?[] _sizes = [.. plans.Select(GetSize)];
    private Exception? _error;

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        FolderReport report = await new ManyRunner(target, copy, folder, connections, invocation).RunAsync(CopyAllAsync, cancellationToken).ConfigureAwait(false);
        report.Summarize();
    }

    private async Task CopyAllAsync(CopyClients clients, FolderReport report, IProgress<TransferProgress> progress, CancellationToken cancellationToken)
    {
        long started = invocation.Time.GetTimestamp();
        using CancellationTokenSource stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        long? total = _sizes.Contains(null) ? null : _sizes.Sum();
        CombinedProgress combined = new(progress, plans.Count, total, invocation.Time);
        ObjectCopier copier = new(clients, copy);
        ParallelOptions parallel = new() { MaxDegreeOfParallelism = copy.Limits.Concurrency ?? MaxAtOnce };
        await Parallel.ForAsync(0, plans.Count, parallel, (index, _) => CopyOneAsync(index, copier, combined, report, stop)).ConfigureAwait(false);
        combined.Finish();
        invocation.Tally.Elapsed = invocation.Time.GetElapsedTime(started);
        invocation.Tally.Times = _times.ToTimes();
        if (_error is not null)
        {
            ExceptionDispatchInfo.Throw(_error);
        }

        cancellationToken.ThrowIfCancellationRequested();
    }

    private async ValueTask CopyOneAsync(int index, ObjectCopier copier, CombinedProgress combined, FolderReport report, CancellationTokenSource stop)
    {
        if (stop.IsCancellationRequested)
        {
            return;
        }

        CopyPlan plan = plans[index];
        CombinedProgress.Share share = combined.Begin();
        Outcome ended;
        TransferStatistics? statistics = null;
        try
        {
            plan.CheckSource();
            (ended, statistics) = await copier.CopyAsync(plan, share, stop.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (stop.IsCancellationRequested)
        {
            if (e is TransferCanceledException { CleanupError: not null })
            {
                Interlocked.CompareExchange(ref _error, e, null); // the user must be told what could not be cleaned up
            }

            share.End(null, 0);
            return;
        }
#pragma warning disable CA1031 // the exception is reported as the failure of one source
        catch (Exception e)
#pragma warning restore CA1031
        {
            ended = plan.CreateOutcome(OutcomeStatus.Failed) with { Error = e };
        }

        share.End(statistics, ended.Status == OutcomeStatus.Skipped ? _sizes[index] ?? 0 : 0);
        lock (_gate)
        {
            report.Ended(ended);
            invocation.ObjectEnded(ReportLines.Copy(plan.Source, plan.Target, copy.Moves), ended, statistics);
            if (statistics is not null)
            {
                _times.Add(statistics.Times, statistics.Elapsed);
            }
        }

        if (ended.Status == OutcomeStatus.Failed && folder.OnFailure == FailurePolicy.Abort)
        {
            Interlocked.CompareExchange(ref _error, ended.Error, null);
            await stop.CancelAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Gets the size of a file; null for an object, whose size would take a request. A missing file fails later and adds nothing.</summary>
    private static long? GetSize(CopyPlan plan)
    {
        if (plan.Source.Kind != LocationKind.Local)
        {
            return null;
        }

        FileInfo file = new(plan.Source.Text);
        return file.Exists ? file.Length : 0;
    }
}
