using System.CommandLine;
using Transfer.S3.Bench.Text;
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
            client => objects is not null ? ListObjectsAsync(client, objects, invocation, cancellationToken)
                : uploads ? ListUploadsAsync(client, address, invocation, cancellationToken)
                : ListBucketsAsync(client, invocation, cancellationToken),
            cancellationToken);
    }

    private static async Task ListBucketsAsync(TransferClient client, Invocation invocation, CancellationToken cancellationToken)
    {
        ListWriter writer = new(invocation);
        long count = 0;
        await foreach (ListedBucket bucket in client.ListBucketsAsync(cancellationToken).ConfigureAwait(false))
        {
            count++;
            writer.Bucket(bucket.Name, bucket.Created);
        }

        writer.Total(Units.Count(count, "bucket", "buckets"));
    }

    /// <summary>Lists page by page, so that a listing of any length takes the memory of a few pages.</summary>
    internal static async Task ListObjectsAsync(TransferClient client, ListSettings settings, Invocation invocation, CancellationToken cancellationToken)
    {
        Location prefix = settings.Prefix;
        int shown = settings.Options.Delimiter is null ? 0 : prefix.Key.LastIndexOf('/') + 1;
        Tally tally = invocation.Tally;
        tally.HasRate = false;
        ListWriter writer = new(invocation);
        long prefixes = 0;
        await foreach (ListedObject item in client.ListObjectsAsync(prefix.Bucket, prefix.Key, settings.Options, cancellationToken).ConfigureAwait(false))
        {
            if (item.IsPrefix)
            {
                prefixes++;
                writer.Prefix(item.Key, shown);
            }
            else
            {
                tally.Objects++;
                tally.Bytes += item.Length;
                writer.Object(item, shown);
            }
        }

        if (tally.Objects + prefixes == 0)
        {
            await KeyAdvice.ExplainEmptyAsync(client, settings, "ls", "omit -r to list the object of this name, or add --any-prefix to list all of them", cancellationToken).ConfigureAwait(false);
        }

        string folders = prefixes == 0 ? string.Empty : $", {Units.Count(prefixes, "prefix", "prefixes")}";
        writer.Total($"{Units.Count(tally.Objects, "object", "objects")}{folders}, {ByteSize.Format(tally.Bytes)}");
    }

    private static async Task ListUploadsAsync(TransferClient client, Location address, Invocation invocation, CancellationToken cancellationToken)
    {
        ListWriter writer = new(invocation);
        await foreach (UnfinishedUpload upload in client.ListUploadsAsync(address.Bucket, address.Key, cancellationToken).ConfigureAwait(false))
        {
            invocation.Tally.Objects++;
            writer.Upload(upload);
        }

        writer.Total(Units.Count(invocation.Tally.Objects, "incomplete upload", "incomplete uploads"));
    }
}
