using System.CommandLine;
using Transfer.S3.Cli.Connections;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer ls</c>: lists buckets, objects, or incomplete multipart uploads.</summary>
internal sealed class ListCommand : ToolCommand
{
    private readonly ConnectionOptions _connection = new();
    private readonly ReadOptions _read = new();
    private readonly Argument<string> _address = new("s3://BUCKET[/PREFIX]")
    {
        Arity = ArgumentArity.ZeroOrOne,
        Description = "The prefix to list. Default: list the buckets.",
    };

    private readonly Option<bool> _recursive = new("--recursive", "-r") { Description = "List all objects under the prefix, not just one level." };
    private readonly Option<bool> _uploads = new("--uploads") { Description = "List incomplete multipart uploads. Their parts use storage that you pay for." };

    public ListCommand(CommandRunner runner)
        : base(
            runner, "ls", group: "List and inspect", summary: "List buckets or objects",
            description: "List buckets, objects under a prefix, or incomplete multipart uploads. With --json, write one line for each, and the result on the last line.")
    {
        Examples =
        [
            ("transfer ls", "List the buckets"),
            ("transfer ls s3://bucket/photos/", "List one level; PRE marks prefixes"),
            ("transfer ls -r s3://bucket", "List all objects of a bucket"),
            ("transfer ls -r --as-of 2d s3://bucket", "List the objects of two days ago, in a bucket that keeps versions"),
            ("transfer ls --uploads s3://bucket", "List incomplete multipart uploads"),
        ];
        Notes = ["Exit codes: 0 success, 1 failure or nothing under the prefix, 2 usage or configuration error, 130 interrupted."];
        Add(_address);
        this.AddGroup("Listing", _recursive, _read.AsOf, _uploads);
        _connection.AddTo(this);
        Output.AddTo(this, hideProgress: true);
    }

    protected override async Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        Location address = Location.ParseS3(line.GetValue(_address) ?? "s3://");
        bool uploads = invocation.Values.Flag(_uploads);
        if (uploads && address.Bucket.Length == 0)
        {
            throw new UsageException("--uploads needs a bucket, such as transfer ls --uploads s3://bucket");
        }

        bool recursive = !uploads && address.Bucket.Length > 0 && invocation.Values.Flag(_recursive);
        DateTimeOffset? asOf = !uploads && address.Bucket.Length > 0 ? new ReadSettings(invocation.Values, _read).AsOf(invocation.Time.GetUtcNow()) : null;
        ConnectionSettings store = ConnectionSettings.Resolve(invocation.Values, _connection, AwsProfiles.Find);
        invocation.EndPlanning(uploads ? "uploads, which are always listed at all levels" : "the buckets", uploads, recursive, asOf, store);
        invocation.Use(store);
        using Connection connection = await Connection.OpenAsync(store, cancellationToken).ConfigureAwait(false);
        TransferClient client = connection.CreateClient(invocation);
        await using (client.ConfigureAwait(false))
        {
            ListRunner runner = new(client, invocation);
            await (address switch
            {
                { Bucket.Length: 0 } => runner.ListBucketsAsync(cancellationToken),
                _ when uploads => runner.ListUploadsAsync(address, cancellationToken),
                _ => runner.ListObjectsAsync(address, recursive, asOf, cancellationToken),
            }).ConfigureAwait(false);
        }
    }
}
