using System.CommandLine;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer finish</c>: checks and ends a planned job.</summary>
internal sealed class FinishCommand : ToolCommand
{
    private readonly StoreOptions _stores = new();
    private readonly Argument<string> _run = new("RUN") { Description = "The folder of the job, as it was given to plan." };
    private readonly Option<string?> _retry = new("--retry")
    {
        HelpName = "RUN2",
        Description = "Only plan everything again that is not done, also conflicts, as a job in another folder, with the sources and targets as they are now. What the job would have deleted is part of it.",
    };

    private readonly TransferOptions _transfer = new();
    private readonly Option<bool> _dryRun = new("--dry-run", "--dryrun") { Description = "Show what would be completed, deleted, and aborted, and with how many requests. Nothing is written." };

    private readonly Option<bool> _abandon = new("--abandon")
    {
        Description = "Only abort the incomplete uploads that the workers of the job have left. No worker must run. What was written stays.",
    };

    public FinishCommand(CommandRunner runner)
        : base(
            runner, "finish", group: "Copy and compare", summary: "Check and end a plan",
            description: "Complete the huge objects of a planned copy, check that every object has a result and is still as it was written, delete what a synchronization deletes, "
                + "abort what killed workers have left, and write RUN/report.jsonl and RUN/summary.json. It can be repeated.")
    {
        Examples =
        [
            ("transfer finish s3://bucket/runs/1", "Check and end the job"),
            ("transfer finish --dry-run s3://bucket/runs/1", "Show what would be completed, deleted, and aborted"),
            ("transfer finish s3://bucket/runs/1 --retry s3://bucket/runs/1-again", "Plan what is not done as a new job"),
            ("transfer finish s3://bucket/runs/1 --abandon", "Abort what killed workers have left"),
        ];
        Notes = ["Exit codes: 0 everything that was planned is done, 1 failure, conflict, or missing result, 2 usage or configuration error, 130 interrupted."];
        Add(_run);
        this.AddGroup("Job", _dryRun, _retry, _abandon, _transfer.Prices);
        _stores.AddTo(this, "for a job from one store to another");
        Output.AddTo(this, hideProgress: true);
    }

    protected override async Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        OptionValues values = invocation.Values;
        Location run = JobAddress.Parse(line.GetRequiredValue(_run));
        Location? retry = values.Line(_retry) is { } given ? JobAddress.Parse(given.Text) : null;
        bool abandons = values.Flag(_abandon);
        if (retry is not null && abandons)
        {
            throw new UsageException($"{_retry.Name} and {_abandon.Name} contradict each other; specify only one of them");
        }

        bool isDryRun = retry is null && !abandons && values.Flag(_dryRun);
        ClientLimits limits = new() { Prices = retry is null && !abandons ? new TransferSettings(values, _transfer, uploads: false).Prices : null };
        JobStores stores = _stores.ResolveJob(values, retry is { Kind: LocationKind.S3 } ? retry : run);
        invocation.EndPlanning(abandons ? "finish with --abandon" : retry is null ? "finish" : "finish with --retry", run, retry, abandons, isDryRun, limits, stores.Sides.Source, stores.Sides.Target, stores.Folder);
        invocation.Tally.HasRate = false;
        JobClients clients = await JobClients.OpenAsync(stores, limits, invocation, cancellationToken).ConfigureAwait(false);
        await using (clients.ConfigureAwait(false))
        {
            TransferJob job = new(clients.Source, clients.GetFolder(run), clients.Other);
            if (abandons)
            {
                long aborted = await job.AbandonAsync(cancellationToken).ConfigureAwait(false);
                invocation.Tally.Objects = aborted;
                invocation.Summary($"aborted {Units.Count(aborted, "incomplete upload", "incomplete uploads")}");
            }
            else if (retry is not null)
            {
                JobPlan? plan = await job.PlanRetryAsync(clients.GetFolder(retry), null, cancellationToken).ConfigureAwait(false);
                invocation.Tally.Objects = plan?.Items ?? 0;
                invocation.Summary(plan is null ? "nothing is left to plan" : string.Join(", ", JobText.GetFacts(plan)));
            }
            else
            {
                JobSummary summary = await (isDryRun ? job.PreviewFinishAsync(cancellationToken) : job.FinishAsync(cancellationToken)).ConfigureAwait(false);
                if (summary.MissingShards.Count > 0 && await clients.GetFolder(run).ReadPlanAsync(cancellationToken).ConfigureAwait(false) is { } plan)
                {
                    (string list, string again) = JobText.FormatShards(summary.MissingShards);
                    string have = summary.MissingShards.Count == 1 ? "has objects" : "have objects";
                    invocation.Console.Message($"{Units.Number(summary.MissingShards.Count)} of {Units.Count(plan.Shards.Count, "shard", "shards")} {have} without a result: {list}. Run them again: {again}");
                }

                Write(summary, isDryRun, invocation);
            }
        }
    }

    private static void Write(JobSummary summary, bool isDryRun, Invocation invocation)
    {
        const int MaxShown = 20;
        foreach (JobFailure failure in summary.Failures.Take(MaxShown))
        {
            invocation.Console.Message(JobText.Format(failure));
        }

        if (summary.Failures.Count > MaxShown)
        {
            invocation.Console.Message("... and more; see report.jsonl in the folder of the job");
        }

        if (isDryRun)
        {
            invocation.Usage.Plan(summary.Estimate);
        }

        StoreUsageJson? estimate = invocation.Usage.Estimate is { } planned ? StoreUsageJson.From(planned, invocation.Usage.Prices) : null;
        List<string> facts = [$"{(isDryRun ? "would end with " : string.Empty)}{Units.Number(summary.Done)} of {Units.Count(summary.Items, "object", "objects")} done, {ByteSize.Format(summary.Bytes)}"];
        facts.AddRange(JobText.GetFacts(
            (summary.Completions, "to be completed"),
            (summary.Unpublished, "ready and not published, because something else is missing"),
            (summary.Missing, "without a result"),
            (summary.Conflicts, "changed since the plan"),
            (summary.Changed, "changed since they were written"),
            (summary.Failed, "failed"),
            (summary.Refused, "left out by the plan"),
            (summary.Deleted, isDryRun ? "to be deleted" : "deleted"),
            (summary.NotDeleted, "not deleted"),
            (summary.Withheld, "not deleted because of failures"),
            (summary.AbortedUploads, isDryRun ? "incomplete uploads to be aborted" : "incomplete uploads aborted"),
            (summary.OtherUploads, "incomplete uploads left that may be another program's"),
            (summary.DamagedLines, "damaged lines of results")));
        if (summary.PublishWindow is { } window)
        {
            facts.Add($"published within {Units.Duration(window)}");
        }

        invocation.ExitCode = summary.IsComplete ? ExitCode.Done : ExitCode.Failed;
        invocation.ResultWriter = writer => CommandRunner.WriteJson(writer, JobSummaryJson.From(summary, estimate), ToolJsonContext.Default.JobSummaryJson);
        invocation.Summary(string.Join(", ", facts));
        invocation.Usage.Summarize(invocation);
    }
}
