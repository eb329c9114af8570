using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Copies one object, shows the progress, and reports the result.</summary>
internal sealed class CopyRunner(CopyPlan plan, CopySettings copy, CopyConnections connections, Invocation invocation)
{
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        CopyClients clients = connections.CreateClients(copy.Limits, invocation);
        await using (clients.ConfigureAwait(false))
        {
            ObjectCopier copier = new(clients, copy);
            await CheckTargetAsync(copier, cancellationToken).ConfigureAwait(false);
            if (copy.DryRun)
            {
                await DryRunAsync(copier, cancellationToken).ConfigureAwait(false);
                return;
            }

            Outcome ended;
            TransferStatistics? statistics;
            try
            {
                using IProgressView view = CreateView(clients);
                invocation.View = view;
                (ended, statistics) = await copier.CopyAsync(plan, new TransferWatch(view, invocation.Tally), cancellationToken).ConfigureAwait(false);
            }
            finally
            {
                invocation.Tally.PeakBufferBytes = clients.PeakRentedBytes;
                invocation.Tally.Concurrency = ConcurrencyJson.From(clients.Target);
            }

            invocation.ObjectEnded(ReportLines.Copy(plan.Source, plan.Target, copy.Moves), ended, statistics);
            if (statistics is null)
            {
                (invocation.Tally.Bytes, invocation.Tally.Concurrency) = (0, null);
                End(ended.Status);
                return;
            }

            Count(statistics, ended.Verdict!);
            if (ended.LostProperties.Count > 0)
            {
                invocation.Tally.Lost.Add(ended.LostProperties);
                invocation.Loss($"{plan.Target} does not have these properties of {plan.Source}: {string.Join(", ", ended.LostProperties)}");
            }

            string resumed = statistics.BytesResumed > 0 ? $", of which {ByteSize.Format(statistics.BytesResumed)} were {(copy.Upload.ReuseParts || copy.Download.ReuseParts ? "reused" : "resumed")}" : string.Empty;
            string rate = Units.Rates(statistics.BytesTransferred - statistics.BytesResumed, statistics.Elapsed);
            invocation.Summary($"{ByteSize.Format(statistics.BytesTransferred)} in {Units.Duration(statistics.Elapsed)}{rate}{resumed}, {ended.Verdict}");
            invocation.SummarizeBottleneck();
        }
    }

    /// <summary>Checks that the target isn't a folder. If the source is no object either, that is the error: a prefix is meant.</summary>
    private async Task CheckTargetAsync(ObjectCopier copier, CancellationToken cancellationToken)
    {
        if (plan.Target.Kind == LocationKind.Local && Directory.Exists(plan.Target.Text))
        {
            await copier.GetSizeAsync(plan, cancellationToken).ConfigureAwait(false);
            throw new UsageException($"'{Printable.Text(plan.Target.Text)}' is a folder; specify the name of the file to write");
        }
    }

    // A progress bar would mix with content that is shown on the same terminal.
    private IProgressView CreateView(CopyClients clients)
        => invocation.IsOutputTaken && invocation.Console.OutputIsTerminal && invocation.Output.Progress == ProgressMode.Auto
            ? NoProgress.Instance
            : ProgressViews.Create(invocation.Output, invocation.Console, plan.Name, invocation.Time, requests: () => clients.RequestsInFlight);

    private void Count(TransferStatistics statistics, ChecksumVerdict verdict)
    {
        Tally tally = invocation.Tally;
        tally.Objects = 1;
        tally.Bytes = statistics.BytesTransferred;
        tally.ResumedBytes = statistics.BytesResumed;
        tally.Set(statistics);
        tally.Times = statistics.Times;
        tally.Checksum = ChecksumJson.From(verdict);
    }

    private async Task DryRunAsync(ObjectCopier copier, CancellationToken cancellationToken)
    {
        (Outcome planned, _) = await copier.CopyAsync(plan, NoProgress.Instance, cancellationToken).ConfigureAwait(false);
        if (planned.Status == OutcomeStatus.Skipped)
        {
            End(OutcomeStatus.Skipped);
            return;
        }

        long? size = plan.Source.Kind == LocationKind.Standard ? null : planned.Bytes;
        if (invocation.Output.Json)
        {
            new ListWriter(invocation).Planned(PlannedJson.Copy(copy.Moves, plan.Source.ToString(), plan.Target.ToString(), size));
            return;
        }

        string text = $"would {(copy.Moves ? "move" : "copy")} {plan.Source} to {plan.Target}" + (size is { } bytes ? $" ({ByteSize.Format(bytes)})" : string.Empty);
        TextWriter writer = invocation.IsOutputTaken ? invocation.Console.Error : invocation.Console.Output;
        await writer.WriteLineAsync(Printable.Text(text)).ConfigureAwait(false);
    }

    /// <summary>Reports why nothing was copied although nothing failed.</summary>
    private void End(OutcomeStatus status)
    {
        switch (status)
        {
            case OutcomeStatus.Archived:
                invocation.Tally.Archived = 1;
                invocation.Summary($"skipped: {plan.Source} is archived (--archived skip)");
                break;
            case OutcomeStatus.Restoring:
                (invocation.Tally.Restoring, invocation.ExitCode) = (1, ExitCode.Restoring);
                invocation.Summary($"{plan.Source} is archived and is being restored; run the same command again when 'transfer stat' shows that it can be read");
                break;
            default:
                invocation.Summary($"skipped: {plan.Target} already exists (--no-clobber)");
                break;
        }
    }
}
