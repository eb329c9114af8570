using System.CommandLine;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer rm</c>: deletes an object, or the objects under a prefix.</summary>
internal sealed class RemoveCommand : StoreCommand
{
    private readonly RemoveOptions _remove = new();
    private readonly ReadOptions _read = new();
    private readonly TransferOptions _transfer = new();
    private readonly Argument<string> _address = new("s3://BUCKET/KEY") { Description = "The object. With -r, the prefix, or s3://BUCKET with --whole-bucket." };

    public RemoveCommand(CommandRunner runner)
        : base(
            runner, "rm", group: "Manage", summary: "Delete objects",
            description: "Delete an object, or all objects under a prefix, up to 1,000 with each request. In a versioned bucket, objects get a delete marker, and their versions remain.")
    {
        Examples =
        [
            ("transfer rm s3://bucket/photos/1.jpg", "Delete an object"),
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
            "Exit codes: 0 success, 1 failure or nothing to delete, 2 usage or configuration error, 6 more than --max-delete allows, 130 interrupted.",
        ];
        Add(_address);
        _remove.AddTo(this);
        this.AddGroup("Transfer", _transfer.DryRun, _transfer.Concurrency);
        this.AddGroup("Object", _read.VersionId, _read.RequesterPays);
        Store.AddTo(this);
        Output.AddTo(this, reports: true);
    }

    protected override async Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        RemoveSettings settings = RemoveSettings.Resolve(line.GetRequiredValue(_address), invocation.Values, _remove, _read, _transfer, invocation.Time.GetUtcNow());
        ConnectionSettings store = ResolveStore(invocation.Values);
        invocation.EndPlanning(settings.Many is null ? "the deletion of one object" : settings.Keys is null ? "rm with -r" : "rm with -r and --keys-from", settings, store);
        RemoveManyRunner.CheckCanAsk(settings, _remove);
        invocation.Use(store);
        await invocation.OpenReportAsync(settings.DryRun, cancellationToken).ConfigureAwait(false);
        using Connection connection = await Connection.OpenAsync(store, cancellationToken).ConfigureAwait(false);
        await (settings.Many is null
            ? invocation.RunReportedAsync(
                ReportLines.Deleted(settings.Address, null, null, settings.VersionId), () => new RemoveRunner(settings, connection, invocation).RunAsync(cancellationToken), cancellationToken)
            : new RemoveManyRunner(settings, connection, invocation).RunAsync(cancellationToken)).ConfigureAwait(false);
    }
}
