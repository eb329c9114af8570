using System.CommandLine;
using Transfer.S3.Cli.Execution;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer whoami</c>: shows which credentials the other commands use.</summary>
internal sealed class WhoAmICommand : StoreCommand
{
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
        AddStore(hideTransfers: true);
    }

    protected override Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        return UseStoreAsync(invocation, Name, [], connection => new WhoAmIRunner(connection, invocation).RunAsync(cancellationToken), cancellationToken);
    }
}
