using System.Net;
using System.Runtime.ExceptionServices;
using Amazon.S3;
using Amazon.S3.Model;
using Transfer.Cli.Connections;
using Transfer.Cli.Execution;
using Transfer.Cli.Options;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Commands;

/// <summary>Asks the library for a copy of many objects, shows its progress and tells its outcome.</summary>
internal sealed class FolderRunner(FolderPlan plan, CopySettings copy, FolderSettings folder, Connection connection, Invocation invocation)
{
    private bool DryRun => copy.Transfer.DryRun;

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        using CancellationTokenSource stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        using IProgressView view = DryRun ? NoProgress.Instance : ProgressViews.Create(invocation.Output, invocation.Console, plan.Name, invocation.Time, ofMany: true);
        invocation.View = view;
        FolderReport report = new(plan, copy, folder, invocation, view, stop);
        TransferClient client = new(connection.TransferClient, copy.Transfer.ToClientOptions(new WarningLog(invocation)));
        await using (client.ConfigureAwait(false))
        {
            bool isDone = false;
            try
            {
                DirectoryResult result = await CopyAsync(client, report, new TransferWatch(view, invocation.Tally), stop.Token).ConfigureAwait(false);
                (invocation.Tally.Requests, invocation.Tally.Retries, invocation.Tally.Elapsed) = (result.Requests, result.Retries, result.Elapsed);
                invocation.Tally.Times = DryRun ? null : result.Times;
                isDone = true;
            }
            catch (OperationCanceledException) when (report.Fatal is not null && !cancellationToken.IsCancellationRequested)
            {
                ExceptionDispatchInfo.Throw(report.Fatal);
            }
            finally
            {
                invocation.Tally.PeakBufferBytes = client.PeakRentedBytes;
                invocation.Tally.Concurrency = DryRun ? null : ConcurrencyJson.Of(client);
                view.Dispose();
                report.Finish();
                if (!isDone && !report.IsEmpty)
                {
                    report.Summarize(); // what was done until then, before the failure itself is told
                }
            }
        }

        if (report.IsEmpty && plan is { Source: { Kind: LocationKind.S3, Key.Length: > 0 } })
        {
            await CheckSourceIsThereAsync(cancellationToken).ConfigureAwait(false);
        }

        report.Summarize();
    }

    private Task<DirectoryResult> CopyAsync(TransferClient client, FolderReport report, IProgress<TransferProgress> progress, CancellationToken cancellationToken)
    {
        DirectoryOptions options = new()
        {
            Include = folder.Include,
            Exclude = folder.Exclude,
            OnFailure = folder.OnFailure,
            Concurrency = copy.Transfer.Concurrency,
            SkipExisting = copy.Transfer.NoClobber,
            DryRun = DryRun,
            SymbolicLinks = folder.Links,
            IncludeHidden = folder.IncludeHidden,
            EmptyFolders = folder.EmptyFolders,
            ObjectEnded = report.Ended,
        };
        (Location from, Location to) = (plan.Source, plan.Target);
        return plan switch
        {
            { Uploads: true } => client.UploadDirectoryAsync(from.Text, to.Bucket, to.Key, options with { Upload = copy.Upload }, progress, cancellationToken),
            { IsInsideTheStore: true } => client.CopyDirectoryAsync(from.Bucket, from.Key, to.Bucket, to.Key, options with { Copy = copy.Copy }, progress, cancellationToken),
            _ => client.DownloadDirectoryAsync(from.Bucket, from.Key, to.Text, options with { Download = copy.Download }, progress, cancellationToken),
        };
    }

    /// <summary>A prefix is there where anything is under it. Nothing to copy may also be for the patterns, or an empty folder's own object.</summary>
    private async Task CheckSourceIsThereAsync(CancellationToken cancellationToken)
    {
        invocation.Subject = plan.Source.ToString();
        if (await FirstKeyAsync(plan.Source.Key, cancellationToken).ConfigureAwait(false) is not null)
        {
            return;
        }

        string key = plan.Source.Key.TrimEnd('/');
        bool isObject = await FirstKeyAsync(key, cancellationToken).ConfigureAwait(false) == key;
        string advice = isObject ? "; there is an object of this name: leave -r out to copy it" : string.Empty;
        throw new TransferException($"{plan.Source}: nothing is there{advice}") { Bucket = plan.Source.Bucket, Key = plan.Source.Key };
    }

    private async Task<string?> FirstKeyAsync(string prefix, CancellationToken cancellationToken)
    {
        ListObjectsV2Request request = new()
        {
            BucketName = plan.Source.Bucket,
            Prefix = prefix,
            MaxKeys = 1,
            Encoding = EncodingType.Url,
            RequestPayer = copy.Read.RequesterPays ? RequestPayer.Requester : null,
        };
        ListObjectsV2Response page = await connection.Client.ListObjectsV2Async(request, cancellationToken).ConfigureAwait(false);
        invocation.Tally.Requests++;
        return page.S3Objects is [{ Key: { } key }, ..] ? page.Encoding == EncodingType.Url ? WebUtility.UrlDecode(key) : key : null;
    }
}
