using System.CommandLine;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer sync</c>: makes a folder or a prefix the same as another one.</summary>
internal sealed class SyncCommand : ToolCommand
{
    private readonly StoreOptions _stores = new();
    private readonly TransferOptions _transfer = new();
    private readonly ReadOptions _read = new();
    private readonly WriteOptions _write = new();
    private readonly FolderOptions _folder = new(isAlwaysMany: true);
    private readonly SyncOptionSet _sync = new();
    private readonly Option<bool> _through = new("--through");
    private readonly Argument<string> _source = new("SRC") { Description = "A folder, s3://bucket/prefix, or s3://bucket." };
    private readonly Argument<string> _target = new("DST") { Description = "The same. One of the two must be in a store. The contents of SRC go directly under DST. The two can't overlap." };

    public SyncCommand(CommandRunner runner)
        : base(
            runner, "sync", group: "Copy and compare", summary: "Make two places the same",
            description: "Make a folder or a prefix the same as another one: copy what is missing or different, and delete nothing unless --delete is given. "
                + "Content decides, never which of the two is newer. What changes during the command isn't overwritten or deleted.")
    {
        Examples =
        [
            ("transfer sync --dry-run --delete photos s3://bucket/photos", "Show what would be done, and why"),
            ("transfer sync photos s3://bucket/photos", "Upload what is missing or different"),
            ("transfer sync --delete photos s3://bucket/photos", "Also delete what isn't in the folder anymore"),
            ("transfer sync s3://bucket/photos photos", "Download what is missing or different"),
            ("transfer sync s3://bucket/a s3://other/b", "Copy inside the store"),
            ("transfer sync --from-profile old --to-profile new s3://bucket s3://bucket", "Copy to another store"),
            ("transfer sync --delete --backup s3://bucket/old photos s3://bucket/photos", "Keep what is replaced or deleted"),
            ("transfer sync --delete --max-delete 100 --exclude '*.tmp' site s3://bucket", "Delete at most 100 objects, and no *.tmp"),
        ];
        Notes =
        [
            "After exit code 0 with --delete, 'transfer verify SRC DST' finds no difference. After any other, run the same command again: it continues.",
            "Exit codes: 0 success, 1 failure or conflict, 2 usage or configuration error or a missing or empty SRC, 3 content mismatch or, with --exit-code, something to do, 6 too many deletions, 7 a limit such as --max-requests was reached, 130 interrupted.",
        ];
        Add(_source);
        Add(_target);
        _sync.AddTo(this);
        _folder.AddSelectionTo(this);
        _transfer.AddSyncTo(this);
        _transfer.AddLimitsTo(this);
        _read.AddManyTo(this);
        _write.AddManyTo(this);
        _stores.AddTo(this, "to copy from one store to another");
        Output.AddTo(this, reports: true, entriesWith: _transfer.DryRun);
    }

    protected override async Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        FolderPlan plan = Resolve(line.GetRequiredValue(_source), line.GetRequiredValue(_target));
        OptionValues values = invocation.Values;
        FolderSettings folder = FolderSettings.Resolve(values, _folder, plan.Uploads, plan.Downloads, invocation.Time.GetUtcNow());
        CopyCase of = new(true, false, _stores.HasTwoStores(values), [plan.Source.Kind], plan.Target.Kind);
        if (of.HasTwoStores && (of.Uploads || of.Downloads))
        {
            throw new UsageException($"options such as {_stores.Examples} are for two stores, s3://... and s3://...; omit the prefix for one store");
        }

        CopySettings copy = CopySettings.Resolve(values, new CopyOptionSet(_transfer, _read, _write, _through), of);
        SyncOptions sync = SyncRunner.Complete(_sync.Resolve(values, plan.Target), plan, copy, folder);
        bool tells = copy.DryRun && values.Flag(_sync.ExitCodeOfPlan);
        CopyStores stores = _stores.Resolve(values);
        invocation.EndPlanning(Purpose(of, sync, copy), copy, folder, sync, tells, stores.Source, stores.Target);
        copy.WarnOfOwners(invocation);
        plan.CheckSource();
        await invocation.OpenReportAsync(copy.DryRun, cancellationToken).ConfigureAwait(false);
        using CopyConnections connections = await CopyConnections.OpenAsync(stores, invocation, cancellationToken).ConfigureAwait(false);
        SyncRunner runner = new(plan, copy, folder, sync, connections, invocation);
        await (copy.DryRun ? runner.PlanAsync(tells, cancellationToken) : runner.RunAsync(cancellationToken)).ConfigureAwait(false);
    }

    private static string Purpose(CopyCase of, SyncOptions sync, CopySettings copy)
    {
        string what = of.Uploads ? "a sync to the store" : of.Downloads ? "a sync from the store" : of.HasTwoStores ? "a sync from one store to another" : "a sync inside the store";
        string[] without = [.. sync.Delete ? Array.Empty<string>() : ["--delete"], .. copy.DryRun ? Array.Empty<string>() : ["--dry-run"]];
        return without.Length == 0 ? what : $"{what} without {string.Join(" and ", without)}";
    }

    private static FolderPlan Resolve(string source, string target)
    {
        (Location from, Location to) = (Location.Parse(source), Location.Parse(target));
        if (from.Kind == LocationKind.Standard || to.Kind == LocationKind.Standard)
        {
            throw new UsageException("sync compares folders and prefixes; it can't read standard input or write standard output");
        }

        if (from.Kind != LocationKind.S3 && to.Kind != LocationKind.S3)
        {
            throw new UsageException("sync doesn't copy from this machine to itself; the source or the target must be in a store: s3://bucket/prefix");
        }

        return FolderPlan.Resolve(source, target);
    }
}
