using System.CommandLine;
using Transfer.Cli.Connections;
using Transfer.Cli.Execution;
using Transfer.Cli.Options;

namespace Transfer.Cli.Commands;

/// <summary><c>transfer rb</c>: removes an empty bucket.</summary>
internal sealed class RemoveBucketCommand
{
    private readonly CommandRunner _runner;
    private readonly ConnectionOptions _connection = new();
    private readonly OutputOptions _output = new();
    private readonly Argument<string> _address = new("s3://BUCKET") { Description = "The bucket to remove. It must be empty." };

    private RemoveBucketCommand(CommandRunner runner) => _runner = runner;

    public static Command Create(CommandRunner runner)
    {
        RemoveBucketCommand command = new(runner);
        ToolCommand symbol = new("rb", "Remove an empty bucket. A bucket that contains objects is never removed, and neither are its objects.")
        {
            Group = "Manage",
            Summary = "Remove an empty bucket",
            Examples = [("transfer rb s3://bucket", "Remove an empty bucket")],
            Notes = ["Exit codes: 0 success, 1 failure or the bucket is not empty, 2 usage or configuration error, 130 interrupted."],
        };
        symbol.Add(command._address);
        command._connection.AddTo(symbol);
        command._output.AddTo(symbol, hideProgress: true);
        symbol.SetAction((line, cancellationToken) => command._runner.RunAsync(
            line, command._output, (invocation, token) => command.RunAsync(line, invocation, token), cancellationToken));
        return symbol;
    }

    private async Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        Location address = Location.ParseWholeBucket(line.GetRequiredValue(_address), "rb");
        ConnectionSettings store = ConnectionSettings.Resolve(invocation.Values, _connection, AwsProfiles.Find);
        invocation.EndPlanning("rb", store);
        invocation.Use(store);
        using Connection connection = await Connection.OpenAsync(store, cancellationToken).ConfigureAwait(false);
        TransferClient client = connection.CreateClient(invocation);
        await using (client.ConfigureAwait(false))
        {
            await client.DeleteBucketAsync(address.Bucket, cancellationToken).ConfigureAwait(false);
        }

        invocation.Summary($"removed s3://{address.Bucket}");
    }
}
