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
    private int _next = -1;
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
        int workers = Math.Min(plans.Count, copy.Limits.Concurrency ?? MaxAtOnce);
        await Task.WhenAll(Enumerable.Range(0, workers).Select(_ => Task.Run(() => WorkAsync(copier, combined, report, stop), CancellationToken.None))).ConfigureAwait(false);
        combined.Finish();
        invocation.Tally.Elapsed = invocation.Time.GetElapsedTime(started);
        invocation.Tally.Times = _times.ToTimes();
        if (_error is not null)
        {
            ExceptionDispatchInfo.Throw(_error);
        }

        cancellationToken.ThrowIfCancellationRequested();
    }

    private async Task WorkAsync(ObjectCopier copier, CombinedProgress combined, FolderReport report, CancellationTokenSource stop)
    {
        int index;
        while ((index = Interlocked.Increment(ref _next)) < plans.Count && !stop.IsCancellationRequested)
        {
            CombinedProgress.Share share = combined.Begin();
            CopyOutcome? outcome = null;
            Outcome ended;
            try
            {
                (ended, outcome) = await CopyAsync(copier, plans[index], share, stop.Token).ConfigureAwait(false);
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
                ended = Ended(plans[index], OutcomeStatus.Failed, 0) with { Error = e };
            }

            share.End(outcome, ended.Status == OutcomeStatus.Skipped ? _sizes[index] ?? 0 : 0);
            await EndAsync(plans[index], ended, outcome, report, stop).ConfigureAwait(false);
        }
    }

    private async Task EndAsync(CopyPlan plan, Outcome ended, CopyOutcome? outcome, FolderReport report, CancellationTokenSource stop)
    {
        lock (_gate)
        {
            report.Ended(ended, plan.Source.ToString(), plan.Target.ToString());
            Report(plan, ended, outcome);
            if (outcome is not null)
            {
                _times.Add(outcome.Statistics.Times, outcome.Statistics.Elapsed);
            }
        }

        if (ended.Status == OutcomeStatus.Failed && folder.OnFailure == FailurePolicy.Abort)
        {
            Interlocked.CompareExchange(ref _error, ended.Error, null);
            await stop.CancelAsync().ConfigureAwait(false);
        }
    }

    private void Report(CopyPlan plan, Outcome ended, CopyOutcome? outcome)
    {
        if (invocation.Report is not { } lines)
        {
            return;
        }

        if (outcome is null)
        {
            ReportLines.AddEnded(lines, ended, plan.Source, plan.Target, copy.Moves);
        }
        else
        {
            lines.Add(ReportLines.Copied(plan.Source, plan.Target, copy.Moves, outcome));
        }
    }

    private async Task<(Outcome Ended, CopyOutcome? Outcome)> CopyAsync(ObjectCopier copier, CopyPlan plan, CombinedProgress.Share share, CancellationToken cancellationToken)
    {
        plan.CheckSource();
        if (copy.DryRun)
        {
            return await copier.IsSkippedAsync(plan, cancellationToken).ConfigureAwait(false)
                ? (Ended(plan, OutcomeStatus.Skipped, 0), null)
                : (Ended(plan, OutcomeStatus.Planned, await copier.GetSizeAsync(plan, cancellationToken).ConfigureAwait(false) ?? 0), null);
        }

        (OutcomeStatus status, CopyOutcome? outcome) = await copier.CopyAsync(plan, share, cancellationToken).ConfigureAwait(false);
        return outcome is null
            ? (Ended(plan, status, 0), null)
            : (Ended(plan, OutcomeStatus.Done, outcome.Statistics.BytesTransferred) with { Verdict = outcome.Verdict, LostProperties = outcome.Lost }, outcome);
    }

    private static Outcome Ended(CopyPlan plan, OutcomeStatus status, long bytes)
        => new() { Operation = ObjectOperation.Copy, Status = status, Name = plan.Source.ToString(), Bytes = bytes };

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
