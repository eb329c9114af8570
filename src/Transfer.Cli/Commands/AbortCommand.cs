using System.CommandLine;
using Transfer.Cli.Connections;
using Transfer.Cli.Execution;
using Transfer.Cli.Options;

namespace Transfer.Cli.Commands;

/// <summary><c>transfer abort</c>: ends multipart uploads that nobody finished.</summary>
internal sealed class AbortCommand
{
    private readonly CommandRunner _runner;
    private readonly ConnectionOptions _connection = new();
    private readonly TransferOptions _transfer = new();
    private readonly OutputOptions _output = new();
    private readonly Argument<string> _address = new("s3://BUCKET[/PREFIX]")
    {
        Description = "What the uploads' keys begin with: a key, a prefix, or all of a bucket.",
    };

    private readonly Option<string?> _olderThan = new("--older-than")
    {
        HelpName = "TIME",
        Description = "Only those that were begun so long ago by the store's clock, such as 1d or 12h. Default: all, also those that somebody is just sending.",
    };

    private AbortCommand(CommandRunner runner) => _runner = runner;

    public static Command Create(CommandRunner runner)
    {
        AbortCommand command = new(runner);
        ToolCommand symbol = new(
            "abort", "Aborts multipart uploads that were begun and not finished: their parts are stored, and paid for. With --json: one upload a line, and the result at the end.")
        {
            Examples =
            [
                ("transfer abort --older-than 1d s3://bucket", "those of a bucket that are older than a day"),
                ("transfer abort --dry-run s3://bucket/photos/", "shows what would be aborted under a prefix"),
                ("transfer abort s3://bucket/big.iso", "those of a key, and of longer keys that begin with it"),
            ],
            Notes = ["Exit codes: 0 done, also where there was nothing to abort, 1 failed for some or all, 2 usage or configuration, 130 interrupted."],
        };
        symbol.Add(command._address);
        symbol.Add(command._olderThan);
        command._transfer.AddTo(symbol, hidden: true);
        command._transfer.DryRun.Hidden = false;
        command._connection.AddTo(symbol);
        command._output.AddTo(symbol, hideProgress: true);
        symbol.SetAction((line, cancellationToken) => command._runner.RunAsync(
            line, command._output, (invocation, token) => command.RunAsync(line, invocation, token), cancellationToken));
        return symbol;
    }

    private async Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        Location address = Location.ParseS3(line.GetRequiredValue(_address));
        if (address.Bucket.Length == 0)
        {
            throw new UsageException("abort needs a bucket: transfer abort s3://bucket");
        }

        TimeSpan? olderThan = invocation.Values.Read<TimeSpan>(_olderThan, DurationText.TryParse, DurationText.Accepted);
        TransferSettings settings = TransferSettings.Resolve(invocation.Values, _transfer, uploads: false);
        ConnectionSettings store = ConnectionSettings.Resolve(invocation.Values, _connection, AwsProfiles.Find);
        invocation.Use(store);
        using Connection connection = await Connection.OpenAsync(store, cancellationToken).ConfigureAwait(false);
        await new AbortRunner(address, olderThan, settings, connection, invocation).RunAsync(cancellationToken).ConfigureAwait(false);
    }
}
