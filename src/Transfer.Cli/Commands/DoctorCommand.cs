using System.CommandLine;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer doctor</c>: shows what a store supports.</summary>
internal sealed class DoctorCommand : ToolCommand
{
    private readonly ConnectionOptions _connection = new();
    private readonly Argument<string> _address = new("s3://BUCKET/PREFIX") { Description = "A bucket, or a prefix in it, where objects can be created and deleted." };

    public DoctorCommand(CommandRunner runner)
        : base(
            runner, "doctor", group: "List and inspect", summary: "Show what a store supports",
            description: "Find out what a store supports, with about 160 requests and objects of its own, which are removed at the end. The other commands use the result for seven days.")
    {
        Examples =
        [
            ("transfer doctor s3://bucket", "Probe the store of a bucket"),
            ("transfer doctor s3://bucket/scratch --json", "Create the objects under a prefix, and write the result as JSON"),
        ];
        Notes =
        [
            "The objects are in a folder whose name begins with transfer-probe-, and have about 21 MiB.",
            "Run the command again after the store was upgraded, or after the permissions have changed.",
            "Exit codes: 0 success, whatever the store supports; 1 no object could be created, or some could not be removed; 2 usage or configuration error; 130 interrupted.",
        ];
        Add(_address);
        _connection.AddTo(this);
        Output.AddTo(this, hideProgress: true);
    }

    protected override async Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        Location address = Location.ParseBucket(line.GetRequiredValue(_address), "doctor");
        ConnectionSettings store = ConnectionSettings.Resolve(invocation.Values, _connection, AwsProfiles.Find);
        invocation.EndPlanning("doctor", address, store);
        invocation.Use(store);
        using Connection connection = await Connection.OpenAsync(store, cancellationToken).ConfigureAwait(false);
        TransferClient client = connection.CreateClient(invocation);
        await using (client.ConfigureAwait(false))
        {
            await new DoctorRunner(address, store.StoreName, client, invocation).RunAsync(cancellationToken).ConfigureAwait(false);
        }
    }
}
