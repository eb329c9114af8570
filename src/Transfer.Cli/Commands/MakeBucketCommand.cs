using System.CommandLine;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer mb</c>: creates a bucket.</summary>
internal sealed class MakeBucketCommand : StoreCommand
{
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
        AddStore();
    }

    protected override Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        Location address = Location.ParseWholeBucket(line.GetRequiredValue(_address), Name);
        return UseClientAsync(
            invocation,
            Name,
            [],
            async client =>
            {
                await client.CreateBucketAsync(address.Bucket, cancellationToken).ConfigureAwait(false);
                invocation.Summary($"created s3://{address.Bucket}");
            },
            cancellationToken);
    }

    protected override ConnectionSettings ResolveStore(OptionValues values)
        => base.ResolveStore(values) is { BucketOwner: null } store ? store : throw new UsageException($"nobody owns the bucket before it is created; omit {Store.BucketOwner.Name}");
}
