using System.CommandLine;

namespace Transfer.Cli.Options;

/// <summary>The options that say how bytes are moved.</summary>
internal sealed class TransferOptions
{
    public Option<string?> Concurrency { get; } = new("--concurrency")
    {
        HelpName = "auto|N",
        Description = "Requests at once, 1 to 1024. Default: auto.",
    };

    public Option<string?> PartSize { get; } = new("--part-size")
    {
        HelpName = "SIZE",
        Description = "Bytes of one request: 5 MiB to 5 GiB up, 64 KiB to 5 GiB down. Default: 8MiB.",
    };

    public Option<string?> Memory { get; } = new("--memory")
    {
        HelpName = "SIZE",
        Description = "Most bytes of buffer to hold, 1 MiB to 1 TiB. Default: a quarter of the memory, at most 512MiB.",
    };

    public Option<string?> LimitRate { get; } = new("--limit-rate")
    {
        HelpName = "RATES",
        Description = "Most bytes per second: SIZE for both directions together, down=SIZE and up=SIZE for one each, separated by commas, such as 20MiB,up=5MiB. "
            + "Range: 1 KiB to 1 TiB. Default: none, which also overrides the environment.",
    };

    public Option<string?> Checksum { get; } = new("--checksum")
    {
        HelpName = "NAME",
        Description = "auto, crc64nvme, crc32c, crc32, sha256, or none to verify nothing. A download is verified by what the store holds. Default: auto.",
    };

    public Option<bool> NoClobber { get; } = new("--no-clobber")
    {
        Description = "Leave a target alone that exists already; that is no failure. If the store ignores or refuses If-None-Match, an object that another writer creates during the copy "
            + "can be replaced.",
    };

    public Option<bool> NoResume { get; } = new("--no-resume")
    {
        Description = "Don't resume an interrupted copy of the same file: discard what it left, and leave nothing for a later one. Default: resume copies of large files.",
    };

    public Option<bool> DryRun { get; } = new("--dry-run")
    {
        Description = "Say what would be done and move nothing.",
    };

    /// <param name="command">The command that gets them.</param>
    /// <param name="hidden">Taken and checked, so that one set of options serves all commands, but without effect.</param>
    public void AddTo(Command command, bool hidden = false)
    {
        foreach (Option option in (Option[])[Concurrency, PartSize, Memory, LimitRate, Checksum, NoClobber, NoResume, DryRun])
        {
            option.Hidden = hidden;
            command.Add(option);
        }
    }
}
