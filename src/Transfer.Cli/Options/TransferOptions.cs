using System.CommandLine;
using Transfer.S3.Cli.Commands;

namespace Transfer.S3.Cli.Options;

/// <summary>The options of transfers.</summary>
internal sealed class TransferOptions
{
    public Option<string?> Concurrency { get; } = Declare.RareText(
        "--concurrency", "auto|N", "Maximum number of concurrent requests, 1 to 1024. Default: auto, which adapts to the store and the network.");

    public Option<string?> PartSize { get; } = Declare.RareText(
        "--part-size", "SIZE", "Size of the parts that large objects are transferred in: 5 MiB to 5 GiB for uploads, 64 KiB to 5 GiB for downloads. Default: 8MiB.");

    public Option<string?> Memory { get; } = Declare.RareText(
        "--memory", "SIZE", "Maximum memory for buffers, 1 MiB to 1 TiB. Default: a quarter of the available memory, at most 512MiB.");

    public Option<string?> LimitRate { get; } = Declare.Text(
        "--limit-rate", "RATES", "Maximum transfer rate per second, 1 KiB to 1 TiB: SIZE for both directions together, down=SIZE or up=SIZE for one of them, separated by commas, "
            + "such as 20MiB,up=5MiB. Default: none. Give none to override the environment.");

    public Option<string?> Checksum { get; } = Declare.RareText(
        "--checksum", "NAME",
        $"Checksum of uploads: {ChecksumText.Accepted} to verify nothing. A download is verified with the checksum that the store has. Default: auto.", completions: ChecksumText.Names);

    public Option<bool> NoClobber { get; } = Declare.Flag(
        "--no-clobber", "Skip targets that already exist. If the store doesn't support If-None-Match, an object that another writer creates during the copy "
            + "can be overwritten.");

    public Option<bool> NoResume { get; } = Declare.RareFlag(
        "--no-resume", "Don't resume an interrupted copy, and don't keep state for a later one. Default: resume copies of large files.");

    public Option<bool> Delta { get; } = Declare.Flag(
        "--delta", "Transfer only the parts in which a file and the object differ, if both exist and the store has checksums of the object's parts. Default: transfer whole files.");

    public Option<bool> DryRun { get; } = Declare.Flag(
        "--dry-run", "Show what would be done, without doing it. --dryrun works too, as in the AWS CLI.", alias: "--dryrun");

    public Option<string?> Prices { get; } = Declare.RareText(
        "--prices", "FILE", "A JSON file with the prices of the store, to show what the requests and the content cost. See docs/costs.md for its fields.");

    public Option<string?> MaxRequests { get; } = Declare.RareText(
        "--max-requests", "N", "Stop before more requests than this would be sent. The exit code is 7, and the same command goes on. Default: no limit.");

    public Option<string?> MaxBytes { get; } = Declare.RareText(
        "--max-bytes", "SIZE", "Stop before more content than this would be sent and received. Default: no limit.");

    public Option<string?> MaxTime { get; } = Declare.RareText(
        "--max-time", "DURATION", $"Begin no request after this time: {DurationText.AcceptedWithSeconds}. Default: no limit.");

    public Option<string?> MaxCost { get; } = Declare.RareText(
        "--max-cost", "AMOUNT", "Stop before the requests and the content would cost more than this by --prices, such as 2.50. Default: no limit.");

    /// <summary>Adds what limits a command, and what its requests cost.</summary>
    public void AddLimitsTo(Command command) => command.AddGroup("Limits and costs", Prices, MaxRequests, MaxBytes, MaxTime, MaxCost);

    public void AddTo(Command command) => command.AddGroup("Transfer", DryRun, NoClobber, Delta, NoResume, Checksum, Concurrency, PartSize, Memory, LimitRate);

    /// <summary>Adds the options of a synchronization, which decides itself what is replaced.</summary>
    public void AddSyncTo(Command command) => command.AddGroup("Transfer", DryRun, Delta, NoResume, Checksum, Concurrency, PartSize, Memory, LimitRate);

    /// <summary>Adds the options of the plan of a job, which say how its workers transfer.</summary>
    public void AddPlanTo(Command command) => command.AddGroup("Transfer", DryRun, NoClobber, Delta, NoResume, Checksum, PartSize, Concurrency, Memory, LimitRate);

    /// <summary>Adds the options of a worker of a job.</summary>
    public void AddRunTo(Command command) => command.AddGroup("Transfer", Concurrency, Memory, LimitRate);

    /// <summary>Adds the options of a client that reads objects.</summary>
    public void AddReadingTo(Command command) => command.AddGroup("Transfer", Concurrency, PartSize, Memory, LimitRate);
}
