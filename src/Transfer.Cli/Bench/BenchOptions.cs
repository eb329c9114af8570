using System.CommandLine;

namespace Transfer.Cli.Bench;

/// <summary>The options of <c>transfer bench</c> alone.</summary>
internal sealed class BenchOptions
{
    public Option<string?> Bucket { get; } = new("--bucket") { HelpName = "NAME", Description = "The bucket, instead of s3://bucket." };

    public Option<string?> Prefix { get; } = new("--prefix") { HelpName = "PREFIX", Description = "What keys begin with, instead of s3://bucket/prefix. Of many objects there the first 10,000 are taken." };

    public Option<string[]> Key { get; } = new("--key") { HelpName = "KEY", Description = "An object to read. May be given more than once." };

    public Option<string?> Keys { get; } = new("--keys") { HelpName = "FILE", Description = "A file with the keys of objects to read, one on each line." };

    public Option<string?> Generate { get; } = new("--generate")
    {
        HelpName = "SIZExCOUNT",
        Description = "Make so many objects under the prefix, such as 64MiBx16, and remove them at the end. put and small make objects in any case: 256MiBx4 and 64KiBx1000 by default.",
    };

    public Option<string?> Engine { get; } = new("--engine") { HelpName = "transfer|sdk", Description = "What moves the objects: this library, or AWSSDK's TransferUtility. Default: transfer." };

    public Option<string?> PartSize { get; } = new("--part-size")
    {
        HelpName = "SIZE,…",
        Description = "Bytes of one request, as many as are to be tried: XS (1MB), S (4MB), M (8MB), L (64MB), XL (256MB), XXL (1GB), or any size, of parts that go up from 5 MiB. MB are powers of 1000. Default: 8MiB.",
    };

    public Option<string?> Concurrency { get; } = new("--concurrency")
    {
        HelpName = "N,…",
        Description = "Requests at once, as many as are to be tried, 1 to 1024; auto leaves it to the engine. Each is measured with each part size. Default: auto.",
    };

    public Option<string?> Runs { get; } = new("--runs") { HelpName = "N", Description = "Runs of each setting, behind a warm-up that does not count, 1 to 1000. Default: 3. Two or more tell noise from a difference." };

    public Option<string?> Count { get; } = new("--count") { HelpName = "N", Description = "Objects of each run; keys are taken again and again. Default: each once; 1000 for head." };

    public Option<string?> Duration { get; } = new("--duration") { HelpName = "TIME", Description = "How long each run takes, such as 10s, instead of a count." };

    public Option<string?> Rate { get; } = new("--rate")
    {
        HelpName = "N/s",
        Description = "Begin so many objects a second, such as 50/s, and not the next when one is done. Latency counts from when each was due.",
    };

    public Option<bool> Discard { get; } = new("--discard") { Description = "Read objects to nowhere. This is the default." };

    public Option<string?> Output { get; } = new("--output") { HelpName = "DIR", Description = "Read objects to files in a folder of its own below this one, which is removed at the end." };

    public Option<bool> Csv { get; } = new("--csv") { Description = "Write the result as CSV to standard output, a line for each setting." };

    public Option<string?> Html { get; } = new("--html") { HelpName = "FILE", Description = "Write the result as one page with charts, for a browser." };

    public Option<string?> Compare { get; } = new("--compare") { HelpName = "FILE", Description = "Say what is better, worse or noise beside an older result of --json." };

    public void AddTo(Command command)
    {
        foreach (Option option in (Option[])[Bucket, Prefix, Key, Keys, Generate, Engine, PartSize, Concurrency, Runs, Count, Duration, Rate, Discard, Output, Csv, Html, Compare])
        {
            command.Add(option);
        }
    }
}
