using System.CommandLine;
using Transfer.S3.Cli.Commands;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Bench;

/// <summary>The options of <c>transfer bench</c>.</summary>
internal sealed class BenchOptions
{
    public Option<string?> Bucket { get; } = Declare.RareText("--bucket", "NAME", "Bucket, instead of s3://bucket.");

    public Option<string?> Prefix { get; } = Declare.RareText("--prefix", "PREFIX", "Prefix, instead of s3://bucket/prefix. At most the first 10,000 objects under it are used.");

    public Option<string[]> Key { get; } = Declare.RareTexts("--key", "KEY", "Object to download. Repeatable.");

    public Option<string?> Keys { get; } = Declare.RareText("--keys", "FILE", "File with the keys of the objects to download, one per line.");

    public Option<string?> Generate { get; } = Declare.Text(
        "--generate", "SIZExCOUNT", "Create objects under the prefix, such as 64MiBx16, and delete them at the end. put and small always create objects, by default 256MiBx4 and 64KiBx1000.");

    public Option<string?> Engine { get; } = Declare.Text("--engine", "transfer|sdk", "Library to test: this one (transfer), or the AWS SDK's TransferUtility (sdk). Default: transfer.");

    public Option<string?> PartSize { get; } = Declare.Text(
        "--part-size", "SIZE,…",
        "Part sizes to test, separated by commas: any size, or XS (1MB), S (4MB), M (8MB), L (64MB), XL (256MB), or XXL (1GB), where MB and GB are powers of 1000. Parts of uploads have at least 5 MiB. Default: 8MiB.");

    public Option<string?> Concurrency { get; } = Declare.Text(
        "--concurrency", "N,…", "Numbers of concurrent requests to test with each part size, separated by commas: 1 to 1024, or auto. Default: auto.");

    public Option<string?> Runs { get; } = Declare.Text("--runs", "N", "Number of runs of each combination after a warm-up, 1 to 1000. --compare needs at least 2 to tell noise from a difference. Default: 3.");

    public Option<string?> Count { get; } = Declare.Text("--count", "N", "Number of objects of each run. Objects are reused if there are fewer. Default: each object once, or 1000 for head.");

    public Option<string?> Duration { get; } = Declare.Text("--duration", "TIME", "Duration of each run, such as 10s or 2m, or 10 for seconds, instead of a count.");

    public Option<string?> Rate { get; } = Declare.RareText(
        "--rate", "N/s", "Start objects at a constant rate, such as 50/s, instead of after one another. Latency counts from the scheduled start.");

    public Option<string?> Workload { get; } = Declare.Text(
        "--workload", "FILE", "Run a workload of aws-crt-s3-benchmarks instead of an OPERATION: a .run.json file of version 2. The files that it transfers are in the current directory.");

    public Option<bool> Prepare { get; } = Declare.RareFlag(
        "--prepare", "With --workload: first create the objects that it downloads and the files that it uploads, unless they exist with the right size and checksum. They aren't deleted.");

    public Option<bool> Discard { get; } = Declare.RareFlag("--discard", "Discard what is downloaded. This is the default.");

    public Option<string?> Output { get; } = Declare.RareText("--output", "DIR", "Download to files in a new folder in DIR, which is deleted at the end.");

    public Option<bool> Csv { get; } = Declare.RareFlag("--csv", "Write the result to standard output as CSV, with one line for each combination.");

    public Option<string?> Html { get; } = Declare.Text("--html", "FILE", "Write the result to FILE as an HTML page with charts.");

    public Option<string?> Compare { get; } = Declare.Text("--compare", "FILE", "Compare with an earlier result of --json.");

    public void AddTo(Command command)
    {
        command.AddGroup("Benchmark", PartSize, Concurrency, Engine, Runs, Count, Duration, Rate);
        command.AddGroup("Workload", Workload, Prepare);
        command.AddGroup("Objects", Generate, Bucket, Prefix, Key, Keys, Discard, Output);
        command.AddGroup("Output", Html, Csv, Compare);
    }
}
