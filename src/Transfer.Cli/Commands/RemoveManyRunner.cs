using System.Runtime.ExceptionServices;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Credentials;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary>Deletes the objects under a prefix: asks first, shows the progress, and reports the result even if it fails or is interrupted.</summary>
internal sealed class RemoveManyRunner(RemoveSettings settings, Connection connection, Invocation invocation)
{
    private readonly Location _address = settings.Address;
    private readonly DeleteDirectoryOptions _options = settings.Many!;
    private KeyListReader? _keys;

    /// <summary>Gets the prefix as it is used.</summary>
    private Location Prefix => settings.Pattern is { } pattern ? pattern.Given : _options.AnyPrefix ? _address : _address.Folder;

    /// <summary>Checks that the question can be asked, before anything is sent.</summary>
    public static void CheckCanAsk(RemoveSettings settings, RemoveOptions options)
    {
        if (settings is { Many: not null, IsConfirmed: false, DryRun: false } && !TerminalPrompt.HasTerminal)
        {
            throw new UsageException($"rm{(settings.IsRecursive ? " -r" : string.Empty)} asks before it deletes, and there is no terminal to ask; add {options.Yes.Name}, or --dry-run to see what would be deleted");
        }
    }

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        TransferClient client = connection.CreateClient(invocation, settings.Limits);
        await using (client.ConfigureAwait(false))
        {
            if (!settings.IsConfirmed && !settings.DryRun && !await AskAsync(client, cancellationToken).ConfigureAwait(false))
            {
                throw new TransferException($"{Prefix}: nothing was deleted") { Bucket = _address.Bucket, Key = Prefix.Key };
            }

            await DeleteAsync(client, cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task<bool> AskAsync(TransferClient client, CancellationToken cancellationToken)
    {
        if (settings.Keys is { } list)
        {
            return IsYes($"Delete the objects of {Prefix} whose keys are in {list.Name}? [y/N] ");
        }

        DirectoryResult found = await client.DeleteTreeAsync(_address.Bucket, _address.Key, _options with { DryRun = true }, null, cancellationToken).ConfigureAwait(false);
        if (found.Counts.Deleted == 0)
        {
            return true; // the deletion says why there are none
        }

        string forGood = _options.Versions ? " for good" : string.Empty;
        return IsYes($"Delete {settings.Count(found.Counts.Deleted)}, {ByteSize.Format(found.Counts.DeletedBytes)}, of {Prefix}{forGood}? [y/N] ");
    }

    private static bool IsYes(string question)
        => TerminalPrompt.Ask(Printable.Text(question))?.Trim() is { } answer
            && (answer.Equals("y", StringComparison.OrdinalIgnoreCase) || answer.Equals("yes", StringComparison.OrdinalIgnoreCase));

    private async Task DeleteAsync(TransferClient client, CancellationToken cancellationToken)
    {
        using CancellationTokenSource stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        string name = _address.Key.TrimEnd('/') is { Length: > 0 } key ? key[(key.LastIndexOf('/') + 1)..] : _address.Bucket;
        using IProgressView view = settings.DryRun ? NoProgress.Instance : ProgressViews.Create(invocation.Output, invocation.Console, name, invocation.Time, ofMany: true);
        invocation.View = view;
        RemoveReport report = new(settings, invocation, view, stop);
        _keys = settings.Keys is { } list ? new KeyListReader(list, Prefix) : null;
        DeleteDirectoryOptions options = _options with { DryRun = settings.DryRun, ObjectEnded = report.Ended, Keys = _keys?.ReadAsync(CancellationToken.None).Select(GetKey) };
        bool isDone = false;
        try
        {
            DirectoryResult result = await client.DeleteTreeAsync(_address.Bucket, _address.Key, options, new TransferWatch(view, invocation.Tally), stop.Token).ConfigureAwait(false);
            invocation.Tally.Set(result.Statistics);
            isDone = _keys?.Error is null ? true : throw _keys.Error;
        }
        catch (OperationCanceledException) when (report.Fatal is not null && !cancellationToken.IsCancellationRequested)
        {
            ExceptionDispatchInfo.Throw(report.Fatal);
        }
        finally
        {
            view.Dispose();
            report.Finish();
            if (!isDone && !report.IsEmpty)
            {
                report.Summarize(); // before the error, so that the error is the last line
            }
        }

        if (report.IsEmpty)
        {
            await ExplainEmptyAsync(client, cancellationToken).ConfigureAwait(false);
        }

        report.Summarize();
    }

    private ObjectKey GetKey(ObjectKey listed) => settings.IgnoresETags ? new ObjectKey { Key = listed.Key } : listed;

    /// <summary>Throws the reason why nothing was found.</summary>
    private async Task ExplainEmptyAsync(TransferClient client, CancellationToken cancellationToken)
    {
        if (settings.Keys is null)
        {
            ListSettings searched = new(_address, !_options.AnyPrefix, new ListObjectsOptions { Filter = _options.Filter, RequesterPays = settings.RequesterPays }) { Pattern = settings.Pattern };
            await KeyAdvice.ExplainEmptyAsync(
                client, searched, "omit -r to delete the object of this name, or add --any-prefix to delete all of them", cancellationToken).ConfigureAwait(false);
        }
        else if (FilterText.NothingMatched(_options.Filter, leavesOutHidden: false) is { } reason)
        {
            throw new TransferException($"{Prefix}: {reason}") { Bucket = _address.Bucket, Key = Prefix.Key };
        }
    }
}
