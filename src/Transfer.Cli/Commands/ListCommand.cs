using System.CommandLine;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer ls</c>: lists buckets, objects, or incomplete multipart uploads.</summary>
internal sealed class ListCommand : StoreCommand
{
    private readonly ListOptions _list = new("list", hasRecursive: true);
    private readonly Argument<string> _address = new("s3://BUCKET[/PREFIX]")
    {
        Arity = ArgumentArity.ZeroOrOne,
        Description = "The prefix to list. With -r, it is the name of a folder, with or without a trailing /. Default: list the buckets.",
    };

    private readonly Option<bool> _recursive = Declare.Flag("--recursive", "List all objects in the folder, not just one level: those that cp -r copies and rm -r deletes.", alias: "-r");
    private readonly Option<bool> _uploads = Declare.Flag("--uploads", "List incomplete multipart uploads. Their parts use storage that you pay for.");

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
            ("transfer ls -r --include '*.jpg' --newer-than 7d s3://bucket/photos", "List the photos of the last week in a folder"),
            ("transfer ls -r --as-of 2d s3://bucket", "List the objects of two days ago, in a bucket that keeps versions"),
            ("transfer ls --uploads s3://bucket", "List incomplete multipart uploads"),
        ];
        Notes = ["Exit codes: 0 success, 1 failure or nothing matches, 2 usage or configuration error, 130 interrupted."];
        Add(_address);
        this.AddGroup("Listing", [_recursive, .. _list.All, _uploads]);
        AddStore();
    }

    protected override Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        Location address = Location.ParseS3(line.GetValue(_address) ?? "s3://");
        bool uploads = invocation.Values.Flag(_uploads);
        if (uploads && address.Bucket.Length == 0)
        {
            throw new UsageException("--uploads needs a bucket, such as transfer ls --uploads s3://bucket");
        }

        ListSettings? objects = uploads || address.Bucket.Length == 0 ? null
            : ListSettings.Resolve(address, invocation.Values, _list, invocation.Values.Flag(_recursive), invocation.Time.GetUtcNow());
        string purpose = uploads ? "uploads, which are always listed at all levels"
            : objects is null ? "the buckets"
            : objects.IsFolder ? "a whole bucket"
            : "a listing of one level, which has the prefix as it is";
        return UseClientAsync(
            invocation,
            purpose,
            [uploads, objects],
            client =>
            {
                ListRunner runner = new(client, invocation);
                return objects is not null ? runner.ListObjectsAsync(objects, cancellationToken)
                    : uploads ? runner.ListUploadsAsync(address, cancellationToken)
                    : runner.ListBucketsAsync(cancellationToken);
            },
            cancellationToken);
    }
}
