using System.CommandLine;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer mb</c>: creates a bucket.</summary>
internal sealed class MakeBucketCommand : ToolCommand
{
    private readonly ConnectionOptions _connection = new();
    private readonly Argument<string> _address = new("s3://BUCKET") { Description = "The bucket to create. Its name must be unused." };

    public MakeBucketCommand(CommandRunner runner)
        : base(
            runner, "mb", group: "Manage", summary: "Create a bucket",
            description: "Create a bucket in the region of the connection.")
    {
        Examples =
        [
            ("transfer mb s3://bucket", "Create a bucket"),
            ("transfer mb --region eu-central-1 s3://bucket", "Create a bucket in a region"),
        ];
        Notes = ["Exit codes: 0 success, 1 failure or the bucket exists, 2 usage or configuration error, 130 interrupted."];
        Add(_address);
        _connection.AddTo(this);
        Output.AddTo(this, hideProgress: true);
    }

    protected override async Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        Location address = Location.ParseWholeBucket(line.GetRequiredValue(_address), "mb");
        ConnectionSettings store = ConnectionSettings.Resolve(invocation.Values, _connection, AwsProfiles.Find);
        if (store.BucketOwner is not null)
        {
            throw new UsageException($"nobody owns the bucket before it is created; omit {_connection.BucketOwner.Name}");
        }

        invocation.EndPlanning("mb", store);
        invocation.Use(store);
        using Connection connection = await Connection.OpenAsync(store, cancellationToken).ConfigureAwait(false);
        TransferClient client = connection.CreateClient(invocation);
        await using (client.ConfigureAwait(false))
        {
            await client.CreateBucketAsync(address.Bucket, cancellationToken).ConfigureAwait(false);
        }

        invocation.Summary($"created s3://{address.Bucket}");
    }
}
