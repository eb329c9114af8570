using System.CommandLine;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer status</c>: shows how far a planned job is.</summary>
internal sealed class StatusCommand : ToolCommand
{
    private static readonly TimeSpan WatchInterval = TimeSpan.FromSeconds(5);
    private readonly ConnectionOptions _connection = new();
    private readonly Argument<string> _run = new("RUN") { Description = "The folder of the job, as it was given to plan." };
    private readonly Option<bool> _watch = new("--watch") { Description = "Show it again every 5 seconds until everything is done." };

    public StatusCommand(CommandRunner runner)
        : base(
            runner, "status", group: "Copy and compare", summary: "Show how far a plan is",
            description: "Show how far a planned copy is, from the results of its workers: objects, rate, slowest shards, and failures. Results appear within about 5 seconds.")
    {
        Examples =
        [
            ("transfer status s3://bucket/runs/1", "Show how far the job is"),
            ("transfer status --watch s3://bucket/runs/1", "Show it until everything is done"),
            ("transfer status --json s3://bucket/runs/1", "Write it as JSON"),
        ];
        Notes = ["Exit codes: 0 success, also if something has failed, 1 failure to read it, 2 usage or configuration error, 130 interrupted."];
        Add(_run);
        this.AddGroup("Job", _watch);
        _connection.AddTo(this);
        Output.AddTo(this, hideProgress: true);
    }

    protected override async Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        Location run = JobAddress.Parse(line.GetRequiredValue(_run));
        bool watches = invocation.Values.Flag(_watch);
        ConnectionSettings store = ConnectionSettings.Resolve(invocation.Values, _connection, AwsProfiles.Find);
        invocation.EndPlanning("status", run, watches, store);
        if (run.Kind == LocationKind.Local)
        {
            await ShowAsync(JobFolder.InDirectory(run.Text), watches, invocation, cancellationToken).ConfigureAwait(false);
            return;
        }

        invocation.Use(store);
        using Connection connection = await Connection.OpenAsync(store, cancellationToken).ConfigureAwait(false);
        TransferClient client = connection.CreateClient(invocation);
        await using (client.ConfigureAwait(false))
        {
            await ShowAsync(JobFolder.InBucket(client, run.Bucket, run.Key), watches, invocation, cancellationToken).ConfigureAwait(false);
        }
    }

    private static async Task ShowAsync(JobFolder folder, bool watches, Invocation invocation, CancellationToken cancellationToken)
    {
        invocation.Tally.HasRate = false;
        while (true)
        {
            JobStatus status = await folder.ReadStatusAsync(invocation.Time, cancellationToken).ConfigureAwait(false);
            if (!invocation.Output.Json)
            {
                Write(status, invocation);
            }
            else if (watches && !status.IsComplete)
            {
                CommandRunner.WriteJson(invocation.Console.Output, JobStatusJson.From(status), ToolJsonContext.Default.JobStatusJson);
                invocation.Console.Flush();
            }

            if (!watches || status.IsComplete)
            {
                invocation.ResultWriter = writer => CommandRunner.WriteJson(writer, JobStatusJson.From(status), ToolJsonContext.Default.JobStatusJson);
                return;
            }

            await Task.Delay(WatchInterval, invocation.Time, cancellationToken).ConfigureAwait(false);
        }
    }

    private static void Write(JobStatus status, Invocation invocation)
    {
        TextWriter output = invocation.Console.Output;
        JobPlan plan = status.Plan;
        output.WriteLine($"{plan.Source} to {plan.Target}".ReplaceLineEndings(" "));
        output.WriteLine($"{(plan.Pieces == 0 ? "objects" : "items  ")}  {Units.Number(status.Done)} of {Units.Number(plan.Items)}, {ByteSize.Format(status.Bytes)} of {ByteSize.Format(plan.Bytes)}, {Units.Rate(status.BytesPerSecond)} since the plan");
        if (plan.Pieces > 0)
        {
            output.WriteLine($"pieces   {Units.Number(plan.Pieces)} of these items are pieces of {Units.Count(plan.SplitObjects, "object", "objects")}, which finish completes");
        }

        output.WriteLine($"shards   {Units.Number(status.FinishedShards)} of {Units.Number(plan.Shards.Count)} finished, {Units.Number(status.BegunShards)} begun");
        if (status.UnfinishedShards.Count > 0)
        {
            (string list, string again) = JobText.FormatShards(status.UnfinishedShards);
            output.WriteLine($"not finished: {list} ({again})");
        }

        if (status.Slowest.Count > 0)
        {
            output.WriteLine($"slowest  {string.Join(", ", status.Slowest.Select(static shard => $"shard {shard.Shard}: {Units.Duration(shard.Elapsed)}"))}");
        }

        if (status.Failed + status.Conflicts > 0)
        {
            output.WriteLine($"failed   {string.Join(", ", JobText.GetFacts((status.Failed, "failed"), (status.Conflicts, "changed since the plan")))}");
            foreach (JobFailure failure in status.Failures)
            {
                output.WriteLine($"         {JobText.Format(failure)}");
            }
        }

        invocation.Console.Flush();
    }
}
