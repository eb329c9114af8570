using System.CommandLine;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary><c>transfer du</c>: shows how much is stored under a prefix.</summary>
internal sealed class UsageCommand : StoreCommand
{
    private const int MaxDepth = 1024; // no key has more slashes
    private readonly ListOptions _list = new("count", hasRecursive: false);
    private readonly Argument<string> _address = new("s3://BUCKET[/PREFIX]") { Description = "The bucket, or the prefix, which is the name of a folder, with or without a trailing /." };
    private readonly Option<string?> _depth = Declare.Text(
        "--depth", "N", "Also sum each prefix that ends in /, up to N levels deep: 0 to 1024. Default: 0, only the total.");

    public UsageCommand(CommandRunner runner)
        : base(
            runner, "du", group: "List and inspect", summary: "Show how much is stored",
            description: "Show the number and the total size of the objects under a prefix. All keys are listed, with a request for every 1,000 objects. Old versions and incomplete uploads aren't counted. With --json, write one line for each prefix, and the result on the last line.")
    {
        Examples =
        [
            ("transfer du s3://bucket", "Sum a bucket"),
            ("transfer du --depth 1 s3://bucket/photos/", "Sum each prefix under a prefix"),
            ("transfer du --in-storage-class GLACIER s3://bucket", "Sum what is in an archive"),
        ];
        Notes = ["Exit codes: 0 success, 1 failure or nothing matches, 2 usage or configuration error, 130 interrupted."];
        Add(_address);
        this.AddGroup("Sums", [_depth, .. _list.All]);
        AddStore();
    }

    protected override Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken)
    {
        Location address = Location.ParseBucket(line.GetRequiredValue(_address), "du");
        ListSettings objects = ListSettings.Resolve(address, invocation.Values, _list, recursive: true, invocation.Time.GetUtcNow());
        int depth = invocation.Values.Line(_depth) is { } given ? OptionValues.Number(given, 0, MaxDepth) : 0;
        return UseClientAsync(
            invocation, "a whole bucket", [depth, objects], client => new UsageRunner(objects, client, invocation).RunAsync(depth, cancellationToken), cancellationToken);
    }
}
