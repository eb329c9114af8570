using System.CommandLine;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer plan</c>: divides a copy of many objects among shards, which many machines run.</summary>
internal sealed class PlanCommand : ToolCommand
{
    private readonly StoreOptions _stores = new();
    private readonly TransferOptions _transfer = new();
    private readonly ReadOptions _read = new();
    private readonly WriteOptions _write = new();
    private readonly FolderOptions _folder = new(isAlwaysMany: true, plans: true);
    private readonly SyncOptionSet _sync = new();
    private readonly Option<bool> _through = new("--through");
    private readonly Argument<string> _source = new("SRC") { Description = "A folder, s3://bucket/prefix, or s3://bucket. All machines need a folder under the same path." };
    private readonly Argument<string> _target = new("DST") { Description = "The same. One of the two must be in a store. The contents of SRC go directly under DST." };
    private readonly Option<string?> _run = new("--run")
    {
        HelpName = "RUN",
        Description = "Where to write the plan, and later the results: s3://bucket/prefix, or a folder that all machines share. It must be empty or not exist, and be in neither SRC nor DST. Required.",
    };

    private readonly Option<bool> _syncs = new("--sync") { Description = "Copy only what is missing or different, as sync does. With --delete, finish deletes what isn't in SRC." };

    private readonly Option<string?> _shards = new("--shards")
    {
        HelpName = "N",
        Description = $"Number of shards, 1 to {JobOptions.MaxShards}. Default: as many as take one worker about a minute each, and at least four for each of --workers.",
    };

    private readonly Option<string?> _workers = new("--workers") { HelpName = "N", Description = $"Number of workers that will run at the same time, 1 to {JobOptions.MaxWorkers}. Default: 1." };

    private readonly Option<string?> _split = Declare.RareText(
        "--split", "SIZE", $"Divide objects above this size into pieces of about half of it, which different workers copy. {GetSize(JobOptions.MinSplitBytes)} to {GetSize(JobOptions.MaxSplitBytes)}. Default: {GetSize(JobOptions.DefaultSplitBytes)}. If DST is a folder, objects aren't divided.");

    public PlanCommand(CommandRunner runner)
        : base(
            runner, "plan", group: "Copy and compare", summary: "Plan a copy in shards",
            description: "Plan a copy of many objects that many machines run: list SRC and DST once, and divide the work among shards of about the same cost. "
                + "Nothing is written to SRC or DST. What changes after the plan isn't overwritten.")
    {
        Examples =
        [
            ("transfer plan s3://bucket/a s3://other/a --run s3://bucket/runs/1", "Plan a copy inside the store"),
            ("transfer plan --dry-run /data s3://bucket/data --run /data-runs/1", "Count objects, bytes, and shards, and write nothing"),
            ("transfer plan /data s3://bucket/data --run /data-runs/1 --workers 64", "Plan an upload from a shared file system for 64 machines"),
            ("transfer plan s3://bucket s3://copy --run s3://bucket/runs/3 --keys-from inventory.csv --keys-format csv:Bucket,Key,VersionId,IsLatest,IsDeleteMarker,Size,ETag", "Plan the objects of S3 Inventory"),
            ("transfer plan --sync --delete s3://bucket/a s3://other/a --run s3://bucket/runs/2", "Plan a synchronization"),
        ];
        Notes =
        [
            "Run all shards with 'transfer run RUN', as tasks of an array of any engine, and then 'transfer finish RUN'. RUN/plan.json says how many shards there are.",
            "Names that can't be copied are left out, and finish then ends with exit code 1.",
            "Exit codes: 0 success, 1 failure, 2 usage or configuration error or a missing or empty SRC, 6 too many deletions, 7 a limit such as --max-requests was reached, 130 interrupted.",
        ];
        Uncommon = [_sync.MaxDelete, _sync.Publish, _transfer.NoClobber, _transfer.LimitRate, _read.KeepTime];
        Add(_source);
        Add(_target);
        this.AddGroup("Job", _run, _syncs, _shards, _workers, _split);
        _sync.AddToPlan(this);
        _folder.AddSelectionTo(this);
        _transfer.AddPlanTo(this);
        _transfer.AddLimitsTo(this);
        _read.AddPlanTo(this);
        _write.AddManyTo(this);
        _stores.AddTo(this, "for a job from one store to another");
        Output.AddTo(this, hideProgress: true);
    }

    protected override async Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        OptionValues values = invocation.Values;
        FolderPlan plan = FolderPlan.Resolve(line.GetRequiredValue(_source), line.GetRequiredValue(_target));
        Location run = JobAddress.Parse((values.Find(_run) ?? throw new UsageException($"{_run.Name} is missing; specify where to write the plan: {JobAddress.Accepted}")).Text);
        bool syncs = values.IsOn(_syncs);
        FolderSettings folder = FolderSettings.Resolve(values, _folder, plan.Uploads, plan.Downloads, invocation.Time.GetUtcNow());
        CopyCase of = new(true, false, _stores.HasTwoStores(values), [plan.Source.Kind], plan.Target.Kind);
        if (of.HasTwoStores && (of.Uploads || of.Downloads))
        {
            throw new UsageException($"options such as {_stores.Examples} are for two stores, s3://... and s3://...; omit the prefix for one store");
        }

        if (syncs && values.IsOnLine(_folder.EmptyFolders))
        {
            throw new UsageException($"{_syncs.Name} doesn't upload empty folders; omit {_folder.EmptyFolders.Name}");
        }

        if (syncs && values.IsOnLine(_transfer.NoClobber))
        {
            throw new UsageException($"{_syncs.Name} decides itself what is replaced; omit {_transfer.NoClobber.Name}");
        }

        if (values.IsOnLine(_folder.Keys.From) && (syncs || plan.Uploads))
        {
            throw new UsageException(syncs
                ? $"{_folder.Keys.From.Name} can't be combined with {_syncs.Name}, which has to know everything in SRC"
                : $"{_folder.Keys.From.Name} selects objects, and SRC is a folder");
        }

        if (syncs && values.IsOnLine(_read.AsOf))
        {
            throw new UsageException($"{_syncs.Name} has to know what is in SRC when the job ends; omit {_read.AsOf.Name}");
        }

        CopySettings copy = CopySettings.Resolve(values, new CopyOptionSet(_transfer, _read, _write, _through), of);
        TreeTransferOptions transfer = syncs ? _sync.Resolve(values, plan.Target) : new DirectoryOptions
        {
            SkipExisting = copy.NoClobber,
            Keys = folder.Keys is { } list ? new KeyListReader(list, plan.Source, plans: true).ReadAllAsync(CancellationToken.None) : null,
        };
        transfer = WithPartSize(SyncRunner.Complete(transfer, plan, copy, folder), copy.Limits.PartSizeBytes) with
        {
            AsOf = plan.Uploads ? null : new ReadSettings(values, _read).AsOf(invocation.Time.GetUtcNow(), _folder.Keys),
        };
        JobOptions options = new()
        {
            Transfer = transfer,
            Shards = values.Read<int>(_shards, (string text, out int n) => TryParse(text, JobOptions.MaxShards, out n), $"a number from 1 to {JobOptions.MaxShards}"),
            Workers = values.Read<int>(_workers, (string text, out int n) => TryParse(text, JobOptions.MaxWorkers, out n), $"a number from 1 to {JobOptions.MaxWorkers}") ?? 1,
            DryRun = values.Flag(_transfer.DryRun),
            SplitBytes = values.Size(_split, JobOptions.MinSplitBytes, JobOptions.MaxSplitBytes) ?? JobOptions.DefaultSplitBytes,
        };
        JobStores stores = _stores.ResolveJob(values, run);
        invocation.EndPlanning(syncs ? "a plan of a synchronization" : "a plan of a copy without --sync", copy, folder, options, run, stores.Sides.Source, stores.Sides.Target, stores.Folder);
        plan.CheckSource();
        JobClients clients = await JobClients.OpenAsync(stores, copy.Limits, invocation, cancellationToken).ConfigureAwait(false);
        await using (clients.ConfigureAwait(false))
        {
            options = options with { Refused = action => invocation.Warning($"left out: {action.Name}: {action.Reason}") };
            Write(await PlanAsync(clients, run, plan, options, cancellationToken).ConfigureAwait(false), options.DryRun, invocation);
        }
    }

    private static Task<JobPlan> PlanAsync(JobClients clients, Location run, FolderPlan plan, JobOptions options, CancellationToken cancellationToken)
        => new TransferJob(clients.Source, clients.GetFolder(run), clients.Other).PlanAsync(plan.Source.Place, plan.Target.Place, options, cancellationToken);

    private static void Write(JobPlan plan, bool isDryRun, Invocation invocation)
    {
        foreach (string lost in plan.Lost)
        {
            invocation.Loss(JobText.FormatLost(lost));
        }

        invocation.Tally.HasRate = false;
        StoreUsageJson estimate = StoreUsageJson.From(plan.Estimate, invocation.Usage.Prices);
        invocation.ResultWriter = writer => CommandRunner.WriteJson(writer, JobPlanJson.From(plan, estimate, isDryRun), ToolJsonContext.Default.JobPlanJson);
        invocation.Summary(string.Join(", ", JobText.GetFacts(plan, isDryRun)));
        invocation.Summary($"the copies would send {invocation.Usage.Format(plan.Estimate)}");
    }

    /// <summary>Puts the size of parts into the plan, because workers have their own settings otherwise.</summary>
    private static TreeTransferOptions WithPartSize(TreeTransferOptions options, long? bytes) => options with
    {
        Upload = options.Upload is { } upload ? upload with { PartSizeBytes = bytes } : null,
        Download = options.Download is { } download ? download with { PartSizeBytes = bytes } : null,
    };

    /// <summary>Gets a size as it is written on the command line.</summary>
    private static string GetSize(long bytes) => ByteSize.Format(bytes).Replace(" ", string.Empty, StringComparison.Ordinal);

    private static bool TryParse(string text, int max, out int number)
        => int.TryParse(text, System.Globalization.NumberStyles.None, System.Globalization.CultureInfo.InvariantCulture, out number) && number >= 1 && number <= max;
}
