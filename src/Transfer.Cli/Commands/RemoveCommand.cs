using System.CommandLine;
using System.Net;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer rm</c>: deletes an object, or the objects under a prefix.</summary>
internal sealed class RemoveCommand : StoreCommand
{
    private readonly RemoveOptions _remove = new();
    private readonly ReadOptions _read = new();
    private readonly TransferOptions _transfer = new();
    private readonly Argument<string[]> _addresses = new("s3://BUCKET/KEY...")
    {
        Arity = ArgumentArity.OneOrMore,
        Description = "The objects. With -r, one prefix, or s3://BUCKET with --whole-bucket. In a single address, * and ? match within a name, and rm asks; an object that has that name is deleted instead. "
            + "With -r, ** matches any folders.",
    };


    public RemoveCommand(CommandRunner runner)
        : base(
            runner, "rm", group: "Manage", summary: "Delete objects",
            description: "Delete objects, or all objects under a prefix, up to 1,000 with each request. In a versioned bucket, objects get a delete marker, and their versions remain.")
    {
        Examples =
        [
            ("transfer rm s3://bucket/photos/1.jpg", "Delete an object"),
            ("transfer rm s3://bucket/a s3://bucket/b", "Delete several objects"),
            ("transfer rm 's3://bucket/tmp/2026-*'", "Delete the objects that match, after a question"),
            ("transfer rm -r --dry-run s3://bucket/photos/2019", "Show what would be deleted under a prefix"),
            ("transfer rm -r s3://bucket/photos/2019", "Delete all objects in a folder, after a question"),
            ("transfer rm -r --yes --include '*.tmp' s3://bucket/work", "Delete what matches, without a question"),
            ("transfer rm -r --yes --max-delete 10% s3://bucket/work --exclude '*.iso'", "Delete nothing if more than 10 % would be deleted"),
            ("transfer rm -r --yes --whole-bucket s3://bucket", "Delete all objects of a bucket"),
            ("transfer rm -r --yes --keys-from keys.txt s3://bucket/work", "Delete the objects whose keys are in a file"),
            ("transfer rm --version-id ID s3://bucket/key", "Delete one version for good"),
            ("transfer rm -r --versions s3://bucket/photos/2019", "Delete all versions and delete markers for good, after a question"),
        ];
        Notes =
        [
            "If some of many objects can't be deleted, the others are deleted and the exit code is 1. Run the command again to delete the rest.",
            "Exit codes: 0 success, 1 failure or nothing to delete, 2 usage or configuration error, 6 more than --max-delete allows, 7 a limit such as --max-requests was reached, 130 interrupted.",
        ];
        Add(_addresses);
        _remove.AddTo(this);
        this.AddGroup("Transfer", _transfer.DryRun, _transfer.Concurrency);
        _transfer.AddLimitsTo(this);
        this.AddGroup("Object", _read.VersionId, _read.RequesterPays);
        Store.AddTo(this);
        Output.AddTo(this, reports: true, entriesWith: _transfer.DryRun);
    }

    protected override async Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        RemoveSettings settings = RemoveSettings.Resolve(line.GetRequiredValue(_addresses), invocation.Values, _remove, _read, _transfer, invocation.Time.GetUtcNow());
        ConnectionSettings store = ResolveStore(invocation.Values);
        invocation.EndPlanning(settings.Several.Count > 1 ? "the deletion of several objects" : settings.Many is null ? "the deletion of one object" : !settings.IsRecursive ? "rm without -r" : settings.Keys is null ? "rm with -r" : "rm with -r and --keys-from", settings, store);
        if (settings.Wildcards is null)
        {
            RemoveManyRunner.CheckCanAsk(settings, _remove);
        }

        invocation.Use(store);
        await invocation.OpenReportAsync(settings.DryRun, cancellationToken).ConfigureAwait(false);
        using Connection connection = await Connection.OpenAsync(store, cancellationToken).ConfigureAwait(false);
        if (settings.Wildcards is { } pattern)
        {
            settings = await ExpandAsync(settings, pattern, connection, invocation, cancellationToken).ConfigureAwait(false);
            RemoveManyRunner.CheckCanAsk(settings, _remove);
        }

        await (settings.Several.Count > 1
            ? new RemoveSeveralRunner(settings, connection, invocation).RunAsync(cancellationToken)
            : settings.Many is null
            ? invocation.RunReportedAsync(
                ReportLines.Deleted(settings.Address, null, null, settings.VersionId), () => DeleteAsync(settings, connection, invocation, cancellationToken), cancellationToken)
            : new RemoveManyRunner(settings, connection, invocation).RunAsync(cancellationToken)).ConfigureAwait(false);
    }

    /// <summary>Finds out whether an address with wildcards is a pattern or a name.</summary>
    private async Task<RemoveSettings> ExpandAsync(RemoveSettings settings, KeyPattern pattern, Connection connection, Invocation invocation, CancellationToken cancellationToken)
    {
        TransferClient client = connection.CreateClient(invocation);
        await using (client.ConfigureAwait(false))
        {
            if (settings.IsRecursive)
            {
                bool isName = await pattern.IsNameAsync(client, new ListObjectsOptions { RequesterPays = settings.RequesterPays }, cancellationToken).ConfigureAwait(false);
                return isName ? settings : settings.Expand(pattern, _remove);
            }

            try
            {
                ObjectAccessOptions options = new() { RequesterPays = settings.RequesterPays };
                await client.GetInfoAsync(pattern.Given.Bucket, pattern.Given.Key, options, cancellationToken).ConfigureAwait(false);
            }
            catch (TransferException e) when (KeyAdvice.IsMissing(e))
            {
                return settings.Expand(pattern, _remove);
            }
            catch (TransferException e) when (CanBeDeletedUnread(e))
            {
                // It can exist, so the deletion is about its key and nothing else.
            }

            return settings.ForName(invocation.Values, _remove);
        }
    }

    /// <summary>Gets whether an object may exist that can't be read: it can be encrypted with a key of the customer, and who can delete it can't always read it.</summary>
    public static bool CanBeDeletedUnread(TransferException e) => e.StatusCode is HttpStatusCode.Forbidden or HttpStatusCode.BadRequest;

    /// <summary>Deletes one object. An object that doesn't exist is an error here, because its key was probably mistyped.</summary>
    private static async Task DeleteAsync(RemoveSettings settings, Connection connection, Invocation invocation, CancellationToken cancellationToken)
    {
        invocation.Tally.HasRate = false;
        TransferClient client = connection.CreateClient(invocation);
        await using (client.ConfigureAwait(false))
        {
            ObjectInfo? info = await FindAsync(client, settings, connection, invocation, cancellationToken).ConfigureAwait(false);
            long? bytes = info?.Length;
            string which = settings.VersionId is null ? $"{settings.Address}" : $"version {settings.VersionId} of {settings.Address}";
            string size = bytes is { } known ? $", {ByteSize.Format(known)}" : string.Empty;
            DeleteResult? result = null;
            if (!settings.DryRun)
            {
                DeleteOptions options = new() { VersionId = settings.VersionId, RequesterPays = settings.RequesterPays };
                result = await client.DeleteAsync(settings.Address.Bucket, settings.Address.Key, options, cancellationToken).ConfigureAwait(false);
                invocation.Report?.Add(ReportLines.Deleted(settings.Address, bytes, info?.ETag, settings.VersionId));
            }

            (invocation.Tally.Objects, invocation.Tally.Bytes, invocation.Tally.Retries) = (1, bytes ?? 0, result?.Statistics.Retries ?? 0);
            if (settings.DryRun && invocation.Output.Json)
            {
                new ListWriter(invocation).Planned(PlannedJson.Delete(settings.Address.ToString(), bytes, settings.VersionId));
            }

            string marker = result is { IsDeleteMarker: true, VersionId: { } version } && settings.VersionId is null ? $"; its versions remain, behind the delete marker {version}" : string.Empty;
            invocation.Summary($"{(settings.DryRun ? "would delete" : "deleted")} {which}{size}{marker}");
        }
    }

    /// <summary>Gets the properties of the object; null if they aren't known, because reading isn't allowed, or because a version can be a delete marker.</summary>
    private static async Task<ObjectInfo?> FindAsync(
        TransferClient client, RemoveSettings settings, Connection connection, Invocation invocation, CancellationToken cancellationToken)
    {
        if (settings.VersionId is not null)
        {
            return null;
        }

        try
        {
            ObjectAccessOptions options = new() { RequesterPays = settings.RequesterPays };
            return await client.GetInfoAsync(settings.Address.Bucket, settings.Address.Key, options, cancellationToken).ConfigureAwait(false);
        }
        catch (TransferException e) when (KeyAdvice.IsMissing(e))
        {
            throw await new KeyAdvice(connection, invocation)
                .ExplainAsync(settings.Address, prefix => $"add -r to delete them: transfer rm -r {prefix}", settings.RequesterPays, e, cancellationToken, command: "rm").ConfigureAwait(false);
        }
        catch (TransferException e) when (CanBeDeletedUnread(e))
        {
            return null;
        }
    }
}
