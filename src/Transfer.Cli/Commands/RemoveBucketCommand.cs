using System.CommandLine;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer rb</c>: removes an empty bucket.</summary>
internal sealed class RemoveBucketCommand : StoreCommand
{
    private readonly TransferOptions _transfer = new();
    private readonly Argument<string> _address = new("s3://BUCKET") { Description = "The bucket to remove. It must be empty." };

    public RemoveBucketCommand(CommandRunner runner)
        : base(
            runner, "rb", group: "Manage", summary: "Remove an empty bucket",
            description: "Remove an empty bucket. A bucket that contains objects is never removed, and neither are its objects.")
    {
        Examples = [("transfer rb s3://bucket", "Remove an empty bucket"), ("transfer rb --dry-run s3://bucket", "Check that it could be removed")];
        Notes = ["Exit codes: 0 success, 1 failure or the bucket is not empty, 2 usage or configuration error, 130 interrupted."];
        Add(_address);
        this.AddGroup("Bucket", _transfer.DryRun);
        AddStore();
    }

    protected override Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        Location address = Location.ParseWholeBucket(line.GetRequiredValue(_address), Name);
        bool isDryRun = invocation.Values.IsOn(_transfer.DryRun);
        return UseClientAsync(
            invocation,
            Name,
            [isDryRun],
            async client =>
            {
                await (isDryRun ? CheckIsEmptyAsync(client, address.Bucket, cancellationToken) : client.DeleteBucketAsync(address.Bucket, cancellationToken)).ConfigureAwait(false);
                invocation.Summary($"{(isDryRun ? "would remove" : "removed")} s3://{address.Bucket}");
            },
            cancellationToken);
    }

    /// <summary>Fails as the store would. Old versions aren't listed, so a bucket that only has these isn't found out.</summary>
    private static async Task CheckIsEmptyAsync(TransferClient client, string bucket, CancellationToken cancellationToken)
    {
        await foreach (ListedObject any in client.ListObjectsAsync(bucket, cancellationToken: cancellationToken).ConfigureAwait(false))
        {
            throw new TransferException($"s3://{bucket}: the bucket is not empty, so it would not be removed; it has the object {Printable.Text(any.Key)}") { Bucket = bucket };
        }
    }
}
