using System.CommandLine;

namespace Transfer.Cli.Options;

/// <summary>The options that say what of an object is read, what it takes to read it, and what file becomes of it.</summary>
internal sealed class ReadOptions
{
    public Option<string?> VersionId { get; } = new("--version-id")
    {
        HelpName = "ID",
        Description = "Version of the source object. Default: the newest.",
    };

    public Option<string?> Range { get; } = new("--range")
    {
        HelpName = "FIRST-LAST",
        Description = "Bytes of the source object to copy, as in HTTP: 0-99, 100- or -100 for the last 100. Default: all.",
    };

    public Option<bool> RequesterPays { get; } = new("--requester-pays")
    {
        Description = "Agree to pay for the requests.",
    };

    public Option<string?> CustomerKeyFile { get; } = new("--sse-c-key-file")
    {
        HelpName = "FILE",
        Description = "File with the caller's own key (SSE-C), 32 bytes or their base64: the source object was encrypted with it, or the target is to be.",
    };

    public Option<bool> FSync { get; } = new("--fsync")
    {
        Description = "End only when a downloaded file and its name are on the disk.",
    };

    public Option<bool> KeepTime { get; } = new("--keep-time")
    {
        Description = "Keep times: a file's goes up with it, as metadata mtime; a downloaded file gets that one, or else the object's.",
    };

    public Option<bool> AlignParts { get; } = new("--align-parts")
    {
        Description = "Read the source object by the parts in which it was stored; costs one more request.",
    };

    private Option[] All => [VersionId, Range, RequesterPays, CustomerKeyFile, AlignParts, FSync, KeepTime];

    public void AddTo(Command command)
    {
        foreach (Option option in All)
        {
            command.Add(option);
        }
    }

    /// <summary>Adds those that say which object is meant and what it takes to read it.</summary>
    public void AddAccessTo(Command command)
    {
        foreach (Option option in (Option[])[VersionId, RequesterPays, CustomerKeyFile])
        {
            command.Add(option);
        }
    }
}
