using System.CommandLine;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer abort</c>: aborts incomplete multipart uploads.</summary>
internal sealed class AbortCommand : StoreCommand
{
    private readonly TransferOptions _transfer = new();
    private readonly Argument<string> _address = new("s3://BUCKET[/PREFIX]")
    {
        Description = "Which uploads to abort: those whose keys begin with the prefix, or all uploads of the bucket.",
    };

    private readonly Option<string?> _olderThan = Declare.Text(
        "--older-than", "TIME", "Only uploads that were started longer ago than TIME, such as 1d or 12h. Default: all uploads, including those in progress.");

    public AbortCommand(CommandRunner runner)
        : base(
            runner, "abort", group: "Manage", summary: "Abort incomplete uploads",
            description: "Abort incomplete multipart uploads. Their parts use storage that you pay for.")
    {
        Examples =
        [
            ("transfer abort --older-than 1d s3://bucket", "Abort uploads older than a day"),
            ("transfer abort --dry-run s3://bucket/photos/", "Show what would be aborted under a prefix"),
            ("transfer abort s3://bucket/big.iso", "Abort uploads of keys that begin with big.iso"),
        ];
        Notes = ["Exit codes: 0 success, even with nothing to abort, 1 failure for some or all uploads, 2 usage or configuration error, 130 interrupted."];
        Add(_address);
        this.AddGroup("Uploads", _olderThan);
        this.AddGroup("Transfer", _transfer.DryRun);
        AddStore(entries: true);
    }

    protected override Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        Location address = Location.ParseBucket(line.GetRequiredValue(_address), Name);
        AbortUploadsOptions options = new()
        {
            OlderThan = invocation.Values.Read<TimeSpan>(_olderThan, DurationText.TryParse, DurationText.Accepted),
            DryRun = invocation.Values.IsOn(_transfer.DryRun),
        };
        return UseStoreAsync(invocation, Name, [options], connection => AbortAsync(connection, address, options, invocation, cancellationToken), cancellationToken);
    }

    private static async Task AbortAsync(Connection connection, Location address, AbortUploadsOptions options, Invocation invocation, CancellationToken cancellationToken)
    {
        TransferClient client = connection.CreateClient(invocation, new ClientLimits());
        await using (client.ConfigureAwait(false))
        {
            AbortUploadsResult result = await client.AbortUploadsAsync(address.Bucket, address.Key, options, cancellationToken).ConfigureAwait(false);
            Tally tally = invocation.Tally;
            tally.Objects = result.Aborted.Count;
            tally.Failed = result.Failures.Count;
            tally.Requests = result.Statistics.Requests;
            tally.Retries = result.Statistics.Retries;
            Write(result, options.DryRun, invocation);
            Fail(result.Failures, invocation, cancellationToken);
        }
    }

    private static void Write(AbortUploadsResult result, bool isDryRun, Invocation invocation)
    {
        ListWriter writer = new(invocation);
        foreach (UnfinishedUpload upload in result.Aborted)
        {
            writer.Upload(upload);
        }

        string kept = result.KeptCount == 0 ? string.Empty : $"; kept {Units.Number(result.KeptCount)} newer";
        writer.Total($"{(isDryRun ? "would abort" : "aborted")} {Units.Count(result.Aborted.Count, "incomplete upload", "incomplete uploads")}{kept}");
    }

    /// <summary>Reports each failure. The last one is thrown, so that it sets the exit code.</summary>
    private static void Fail(IReadOnlyList<UnfinishedUpload> failures, Invocation invocation, CancellationToken cancellationToken)
    {
        for (int i = 0; i < failures.Count; i++)
        {
            if (i == failures.Count - 1)
            {
                throw failures[i].Error!;
            }

            Failure failure = Failure.From(failures[i].Error!, invocation.StoreName, cancellationToken);
            invocation.Console.Message(failure.Message);
            invocation.Tally.AddError(new ErrorJson(failure.Key, failure.Message, failure.RequestId));
        }
    }
}
