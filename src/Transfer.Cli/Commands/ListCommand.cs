using System.CommandLine;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer ls</c>: lists buckets, objects, or incomplete multipart uploads.</summary>
internal sealed class ListCommand : StoreCommand
{
    private readonly ListOptions _list = new("list", hasRecursive: true);
    private readonly Argument<string[]> _addresses = new("s3://BUCKET[/PREFIX]...")
    {
        Arity = ArgumentArity.ZeroOrMore,
        Description = $"The prefixes to list. With -r, each is the name of a folder, with or without a trailing /. {ListOptions.Wildcards} With -r, ** matches any folders. Default: list the buckets.",
    };

    private readonly Option<bool> _recursive = Declare.Flag("--recursive", "List all objects in the folder, not just one level: those that cp -r copies and rm -r deletes.", alias: "-r");
    private readonly Option<bool> _versions = Declare.Flag("--versions", "List all versions and delete markers, each with its ID, in a bucket that keeps versions.");
    private readonly Option<bool> _uploads = Declare.Flag("--uploads", "List incomplete multipart uploads. Their parts use storage that you pay for.");

    public ListCommand(CommandRunner runner)
        : base(
            runner, "ls", group: "List and inspect", summary: "List buckets or objects",
            description: "List buckets, objects under a prefix, or incomplete multipart uploads.")
    {
        Examples =
        [
            ("transfer ls", "List the buckets"),
            ("transfer ls s3://bucket/photos/", "List one level; PRE marks prefixes"),
            ("transfer ls -r s3://bucket", "List all objects of a bucket"),
            ("transfer ls 's3://bucket/photos/*.jpg'", "List what matches"),
            ("transfer ls -r --include '*.jpg' --newer-than 7d s3://bucket/photos", "List the photos of the last week in a folder"),
            ("transfer ls -r --as-of 2d s3://bucket", "List the objects of two days ago, in a bucket that keeps versions"),
            ("transfer ls --versions s3://bucket/report.csv", "List the versions of an object"),
            ("transfer ls --uploads s3://bucket", "List incomplete multipart uploads"),
        ];
        Notes = ["Exit codes: 0 success, 1 failure or nothing matches, 2 usage or configuration error, 130 interrupted."];
        Add(_addresses);
        this.AddGroup("Listing", [_recursive, _versions, .. _list.All, _uploads]);
        AddStore(entries: true);
    }

    protected override Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        Location[] addresses = [.. (line.GetValue(_addresses) is { Length: > 0 } given ? given : ["s3://"]).Select(Location.ParseS3)];
        bool uploads = invocation.Values.Flag(_uploads);
        bool buckets = Array.Exists(addresses, static address => address.Bucket.Length == 0);
        if (uploads && buckets)
        {
            throw new UsageException("--uploads needs a bucket, such as transfer ls --uploads s3://bucket");
        }

        if (buckets && addresses.Length > 1)
        {
            throw new UsageException("'s3://' lists the buckets; list it alone");
        }

        ListSettings[] objects = uploads || buckets ? [] : [.. addresses.Select(address => Resolve(address, addresses.Length > 1, invocation))];
        string purpose = uploads ? "uploads, which are always listed at all levels"
            : buckets ? "the buckets"
            : objects[0].IsFolder ? "a whole bucket"
            : "a listing of one level, which has the prefix as it is";
        return UseClientAsync(
            invocation,
            purpose,
            [uploads, .. objects],
            client => buckets ? ListBucketsAsync(client, invocation, cancellationToken)
                : uploads ? EachAddress.RunAsync(addresses, invocation, address => ListUploadsAsync(client, address, addresses.Length > 1, invocation, cancellationToken), cancellationToken)
                : EachAddress.RunAsync(
                    addresses, invocation, address => ListObjectsAsync(client, objects[Array.IndexOf(addresses, address)], invocation, cancellationToken), cancellationToken),
            cancellationToken);
    }

    private ListSettings Resolve(Location address, bool isOneOfMany, Invocation invocation)
    {
        ListSettings objects = ListSettings.Resolve(address, invocation.Values, _list, invocation.Values.Flag(_recursive), invocation.Time.GetUtcNow());
        bool versions = invocation.Values.Flag(_versions);
        return versions && objects.Options.AsOf is not null
            ? throw new UsageException($"{_versions.Name} lists the versions of all times; omit {_list.Read.AsOf.Name}")
            : objects with { IsOneOfMany = isOneOfMany, Options = objects.Options with { Versions = versions } };
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
        settings = await settings.ExpandAsync(client, cancellationToken).ConfigureAwait(false);
        Location prefix = settings.Prefix;
        int shown = settings.Options.Delimiter is null ? 0 : prefix.Key.LastIndexOf('/') + 1;
        Tally tally = invocation.Tally;
        tally.HasRate = false;
        ListWriter writer = new(invocation, settings.Sizes, settings.IsOneOfMany ? prefix.Bucket : null);
        (long prefixes, long objects, long bytes) = (0, 0, 0);
        bool isTitled = !settings.IsOneOfMany;
        await foreach (ListedObject item in client.ListObjectsAsync(prefix.Bucket, prefix.Key, settings.Options, cancellationToken).ConfigureAwait(false))
        {
            if (!isTitled)
            {
                isTitled = true;
                writer.Title(settings.Shown.ToString());
            }

            if (item.IsPrefix)
            {
                prefixes++;
                writer.Prefix(item.Key, shown);
            }
            else
            {
                objects++;
                bytes += item.Length;
                tally.Objects++;
                tally.Bytes += item.Length;
                if (settings.Options.Versions)
                {
                    writer.Version(item, shown);
                }
                else
                {
                    writer.Object(item, shown);
                }
            }
        }

        if (objects + prefixes == 0)
        {
            await KeyAdvice.ExplainEmptyAsync(client, settings, "omit -r to list the object of this name, or add --any-prefix to list all of them", cancellationToken).ConfigureAwait(false);
        }

        string folders = prefixes == 0 ? string.Empty : $", {Units.Count(prefixes, "prefix", "prefixes")}";
        string count = settings.Options.Versions ? Units.Count(objects, "version or delete marker", "versions and delete markers") : Units.Count(objects, "object", "objects");
        writer.Total($"{count}{folders}, {settings.Sizes.Text(bytes)}");
    }

    private static async Task ListUploadsAsync(TransferClient client, Location address, bool isOneOfMany, Invocation invocation, CancellationToken cancellationToken)
    {
        ListWriter writer = new(invocation);
        if (isOneOfMany)
        {
            writer.Title(address.ToString());
        }

        long count = 0;
        await foreach (UnfinishedUpload upload in client.ListUploadsAsync(address.Bucket, address.Key, cancellationToken).ConfigureAwait(false))
        {
            count++;
            invocation.Tally.Objects++;
            writer.Upload(upload);
        }

        writer.Total(Units.Count(count, "incomplete upload", "incomplete uploads"));
    }
}
