using System.CommandLine;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer abort</c>: aborts incomplete multipart uploads.</summary>
internal sealed class AbortCommand : ToolCommand
{
    private readonly ConnectionOptions _connection = new();
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
            description: "Abort incomplete multipart uploads. Their parts use storage that you pay for. With --json, write one line for each upload, and the result on the last line.")
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
        _connection.AddTo(this);
        Output.AddTo(this, hideProgress: true);
    }

    protected override async Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        Location address = Location.ParseBucket(line.GetRequiredValue(_address), "abort");
        TimeSpan? olderThan = invocation.Values.Read<TimeSpan>(_olderThan, DurationText.TryParse, DurationText.Accepted);
        bool isDryRun = invocation.Values.IsOn(_transfer.DryRun);
        ConnectionSettings store = ConnectionSettings.Resolve(invocation.Values, _connection, AwsProfiles.Find);
        invocation.EndPlanning("abort", store, olderThan, isDryRun);
        invocation.Use(store);
        using Connection connection = await Connection.OpenAsync(store, cancellationToken).ConfigureAwait(false);
        await new AbortRunner(address, olderThan, isDryRun, connection, invocation).RunAsync(cancellationToken).ConfigureAwait(false);
    }
}
