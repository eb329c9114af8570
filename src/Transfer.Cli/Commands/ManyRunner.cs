using System.Runtime.ExceptionServices;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Runs a copy of many objects: shows its progress, and reports the result even if it fails or is interrupted.</summary>
internal sealed class ManyRunner(string name, CopySettings copy, FolderSettings folder, CopyConnections connections, Invocation invocation)
{
    /// <summary>Copies the objects.</summary>
    public delegate Task CopyAll(CopyClients clients, FolderReport report, IProgress<TransferProgress> progress, CancellationToken cancellationToken);

    /// <summary>Runs the copy. The caller writes the summary.</summary>
    public async Task<FolderReport> RunAsync(CopyAll copyAllAsync, CancellationToken cancellationToken)
    {
        bool isDryRun = copy.DryRun;
        using CancellationTokenSource stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        CopyClients? opened = null;
        using IProgressView view = isDryRun ? NoProgress.Instance : ProgressViews.Create(invocation.Output, invocation.Console, name, invocation.Time, ofMany: true, () => opened?.RequestsInFlight ?? 0);
        invocation.View = view;
        FolderReport report = new(copy, folder, invocation, view, stop);
        CopyClients clients = opened = connections.CreateClients(copy.Limits, invocation);
        await using (clients.ConfigureAwait(false))
        {
            bool isDone = false;
            try
            {
                await copyAllAsync(clients, report, new TransferWatch(view, invocation.Tally), stop.Token).ConfigureAwait(false);
                isDone = true;
            }
            catch (OperationCanceledException) when (report.Fatal is not null && !cancellationToken.IsCancellationRequested)
            {
                ExceptionDispatchInfo.Throw(report.Fatal);
            }
            finally
            {
                invocation.Tally.PeakBufferBytes = clients.PeakRentedBytes;
                invocation.Tally.Concurrency = isDryRun ? null : ConcurrencyJson.From(clients.Target);
                view.Dispose();
                report.Finish();
                if (!isDone && !report.IsEmpty)
                {
                    report.Summarize(); // before the error, so that the error is the last line
                }
            }
        }

        return report;
    }
}
