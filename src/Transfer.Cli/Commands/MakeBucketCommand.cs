using System.CommandLine;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer mb</c>: creates a bucket.</summary>
internal sealed class MakeBucketCommand : StoreCommand
{
    private readonly Argument<string[]> _addresses = new("s3://BUCKET...")
    {
        Arity = ArgumentArity.OneOrMore,
        Description = "The buckets to create. Their names must be unused.",
    };


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
        Add(_addresses);
        AddStore();
    }

    protected override Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        Location[] addresses = [.. line.GetRequiredValue(_addresses).Select(text => Location.ParseWholeBucket(text, Name))];
        return UseClientAsync(
            invocation,
            Name,
            [],
            client => EachAddress.RunAsync(addresses, invocation, address => CreateAsync(client, address.Bucket, invocation, cancellationToken), cancellationToken),
            cancellationToken);
    }

    private static async Task CreateAsync(TransferClient client, string bucket, Invocation invocation, CancellationToken cancellationToken)
    {
        await client.CreateBucketAsync(bucket, cancellationToken).ConfigureAwait(false);
        invocation.Summary($"created s3://{bucket}");
    }

    protected override ConnectionSettings ResolveStore(OptionValues values)
        => base.ResolveStore(values) is { BucketOwner: null } store ? store : throw new UsageException($"nobody owns the bucket before it is created; omit {Store.BucketOwner.Name}");
}
