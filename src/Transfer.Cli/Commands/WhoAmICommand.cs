using System.CommandLine;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer whoami</c>: shows which credentials the other commands use.</summary>
internal sealed class WhoAmICommand : ToolCommand
{
    private readonly ConnectionOptions _connection = new();

    public WhoAmICommand(CommandRunner runner)
        : base(
            runner, "whoami", group: "List and inspect", summary: "Show the credentials",
            description: "Show which credentials the other commands use with the same options: their source, account, access key, and expiry. Never shows a secret. Sends nothing to the store.")
    {
        Examples =
        [
            ("transfer whoami", "Show the credentials that are used by default"),
            ("transfer whoami --profile backup --json", "Show those of a profile as JSON"),
        ];
        Notes = ["Exit codes: 0 success, 1 the token service rejected the credentials, 2 usage or configuration error, such as no credentials, 130 interrupted."];
        _connection.AddTo(this);
        Output.AddTo(this, hideProgress: true, hideTransfers: true);
    }

    protected override async Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        ConnectionSettings store = ConnectionSettings.Resolve(invocation.Values, _connection, AwsProfiles.Find);
        invocation.EndPlanning("whoami", store);
        invocation.Use(store);
        using Connection connection = await Connection.OpenAsync(store, cancellationToken).ConfigureAwait(false);
        await new WhoAmIRunner(connection, invocation).RunAsync(cancellationToken).ConfigureAwait(false);
    }
}
