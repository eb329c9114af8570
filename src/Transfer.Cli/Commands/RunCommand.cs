using System.CommandLine;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer run</c>: runs shards of a planned job.</summary>
internal sealed class RunCommand : ToolCommand
{
    private readonly StoreOptions _stores = new();
    private readonly TransferOptions _transfer = new();
    private readonly ShardOptions _shard = new();
    private readonly Argument<string> _run = new("RUN") { Description = "The folder of the job, as it was given to plan." };
    private readonly Option<string?> _grace = new("--grace")
    {
        HelpName = "DURATION",
        Description = "After SIGTERM, how long transfers in flight can go on and their results can be written, up to 1 day. Default: 25s.",
    };

    public RunCommand(CommandRunner runner)
        : base(
            runner, "run", group: "Copy and compare", summary: "Run a shard of a plan",
            description: "Run one shard of a planned copy, or several. The same shard can run again, also at the same time: it continues, and nothing is written twice.")
    {
        Examples =
        [
            ("transfer run s3://bucket/runs/1", "Run the shard of this task of an array"),
            ("transfer run s3://bucket/runs/1 --shard 7", "Run shard 7"),
            ("transfer run /data-runs/1 --shards 0-9", "Run ten shards, one after the other"),
        ];
        Notes =
        [
            $"The index is read from TRANSFER_SHARD, or else from the only one of these variables that is set: {string.Join(", ", EngineVariable.All.Select(static variable => variable.Name))}.",
            "Start as many tasks as RUN/plan.json has shards, or more: an index without a shard is no error.",
            "Exit codes: 0 all items of the shard are done, 1 failure or conflict, 2 usage or configuration error, 7 a limit such as --max-requests was reached, 130 interrupted. After 1, 7, and 130, run the same shard again.",
        ];
        Add(_run);
        this.AddGroup("Job", _shard.Shard, _shard.Shards, _grace);
        _transfer.AddRunTo(this);
        _transfer.AddLimitsTo(this);
        _stores.AddTo(this, "for a job from one store to another");
        Output.AddTo(this);
    }

    protected override async Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        OptionValues values = invocation.Values;
        Location run = JobAddress.Parse(line.GetRequiredValue(_run));
        ShardChoice shards = ShardChoice.Resolve(values, _shard);
        ClientLimits limits = new TransferSettings(values, _transfer, uploads: false).LimitsOfWorker;
        TimeSpan? grace = values.Read<TimeSpan>(_grace, (string text, out TimeSpan time) => DurationText.TryParseWithSeconds(text, out time) && time <= TimeSpan.FromDays(1), $"a duration up to 1 day: {DurationText.AcceptedWithSeconds}");
        JobStores stores = _stores.ResolveJob(values, run);
        invocation.EndPlanning("run", run, shards, limits, grace, stores.Sides.Source, stores.Sides.Target, stores.Folder);
        invocation.Summary(shards.Text);
        JobClients clients = await JobClients.OpenAsync(stores, limits, invocation, cancellationToken).ConfigureAwait(false);
        await using (clients.ConfigureAwait(false))
        {
            await new ShardRunner(clients, clients.GetFolder(run), limits.Concurrency, grace, invocation).RunAsync(shards, cancellationToken).ConfigureAwait(false);
        }
    }
}
