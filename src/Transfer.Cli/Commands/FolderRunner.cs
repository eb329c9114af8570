using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary>Copies a folder or a prefix.</summary>
internal sealed class FolderRunner(FolderPlan plan, CopySettings copy, FolderSettings folder, CopyConnections connections, Invocation invocation)
{
    private readonly KeyListReader? _keys = folder.Keys is { } list ? new KeyListReader(list, plan.Source) : null;

    private bool DryRun => copy.DryRun;

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        FolderReport report = await new ManyRunner(plan.Name, copy, folder, connections, invocation).RunAsync(CopyAllAsync, cancellationToken).ConfigureAwait(false);
        if (report.IsEmpty && folder.Pattern is { } pattern)
        {
            throw new TransferException($"{pattern.Given}: {KeyPattern.NothingMatched}") { Bucket = pattern.Given.Bucket, Key = pattern.Given.Key };
        }

        if (report.IsEmpty && _keys is null && plan is { Source: { Kind: LocationKind.S3, Key.Length: > 0 } })
        {
            await CheckSourceIsThereAsync(cancellationToken).ConfigureAwait(false);
        }

        if (report.IsEmpty && FilterText.NothingMatched(folder.Filter, !folder.IncludeHidden) is { } reason)
        {
            throw new TransferException($"{plan.Source}: {reason}") { Bucket = plan.Source.Bucket, Key = plan.Source.Key };
        }

        report.Summarize();
    }

    private async Task CopyAllAsync(CopyClients clients, FolderReport report, IProgress<TransferProgress> progress, CancellationToken cancellationToken)
    {
        // With --no-clobber, it isn't known how much of the listing already exists.
        if (plan.Target.Kind == LocationKind.Local && !copy.NoClobber)
        {
            progress = new FreeSpaceCheck(progress, plan.Target.Text, FreeSpaceCheck.FreeBytes(plan.Target.Text), invocation.Warning);
        }

        DirectoryResult result = await CopyAsync(clients, report, progress, cancellationToken).ConfigureAwait(false);
        Tally tally = invocation.Tally;
        tally.Set(result.Statistics);
        tally.Times = DryRun ? null : result.Statistics.Times;
        if (_keys?.Error is { } error)
        {
            throw error;
        }
    }

    private Task<DirectoryResult> CopyAsync(CopyClients clients, FolderReport report, IProgress<TransferProgress> progress, CancellationToken cancellationToken)
    {
        DirectoryOptions options = new()
        {
            Filter = folder.Filter,
            Keys = _keys?.ReadAsync(CancellationToken.None),
            AsOf = copy.AsOf,
            OnFailure = folder.OnFailure,
            MaxConcurrentObjects = copy.Limits.Concurrency,
            SkipExisting = copy.NoClobber,
            DryRun = DryRun,
            SymbolicLinks = copy.Moves ? SymbolicLinks.Skip : folder.Links, // files behind links are elsewhere
            DeleteSource = copy.Moves,
            IncludeHidden = folder.IncludeHidden,
            EmptyFolders = folder.EmptyFolders && !copy.Moves,
            AllowSpecialNames = folder.AllowSpecialNames,
            Archived = copy.Archived,
            RestoreDays = copy.Restore.Days,
            ObjectEnded = outcome => Ended(outcome, report),
        };
        options = plan switch
        {
            { Uploads: true } => options with { Upload = copy.Upload with { Overwrite = true } },
            { IsInsideTheStore: false } => options with { Download = copy.Download with { Overwrite = true } },
            _ when clients.Other is null => options with { Copy = copy.Copy with { Overwrite = true } },
            _ => options with
            {
                Download = new DownloadOptions { Verify = copy.StoreCopy.VerifySource, CustomerKey = copy.StoreCopy.SourceCustomerKey, RequesterPays = copy.StoreCopy.SourceRequesterPays },
                Upload = copy.StoreCopy.Target with { Overwrite = true },
                Copy = new CopyOptions { AllowedLosses = copy.StoreCopy.AllowedLosses },
            },
        };
        return clients.Other is { } other
            ? clients.Source.CopyTreeAsync(plan.Source.Place, other, plan.Target.Place, options, progress, cancellationToken)
            : clients.Source.CopyTreeAsync(plan.Source.Place, plan.Target.Place, options, progress, cancellationToken);
    }

    private void Ended(Outcome outcome, FolderReport report)
    {
        report.Ended(outcome);
        invocation.ObjectEnded(outcome, copy.Moves);
    }

    /// <summary>Checks that there is anything under the prefix. A copy can also be empty because of patterns, or because the prefix only has its own folder object.</summary>
    private async Task CheckSourceIsThereAsync(CancellationToken cancellationToken)
    {
        string key = plan.Source.Key.TrimEnd('/');
        bool isObject;
        TransferClient client = connections.Source.CreateClient(invocation);
        await using (client.ConfigureAwait(false))
        {
            if (await FirstKeyAsync(client, plan.Source.Key, cancellationToken).ConfigureAwait(false) is not null)
            {
                return;
            }

            isObject = await FirstKeyAsync(client, key, cancellationToken).ConfigureAwait(false) == key;
        }

        string advice = isObject ? $"; there is an object with this name, so omit -r to {(copy.Moves ? "move" : "copy")} it" : string.Empty;
        throw new TransferException($"{plan.Source}: no objects found{advice}") { Bucket = plan.Source.Bucket, Key = plan.Source.Key };
    }

    private async Task<string?> FirstKeyAsync(TransferClient client, string prefix, CancellationToken cancellationToken)
    {
        ListObjectsOptions options = new() { AsOf = copy.AsOf, RequesterPays = copy.RequesterPays };
        return (await client.ListObjectsAsync(plan.Source.Bucket, prefix, options, cancellationToken).FirstOrDefaultAsync(cancellationToken).ConfigureAwait(false))?.Key;
    }
}
