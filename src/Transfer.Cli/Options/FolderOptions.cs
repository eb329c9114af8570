using System.CommandLine;

namespace Transfer.Cli.Options;

/// <summary>The options of a copy of many objects: which of them, and what becomes of the others when one fails.</summary>
internal sealed class FolderOptions
{
    public Option<bool> Recursive { get; } = new("--recursive", "-r")
    {
        Description = "Copy what is in a folder or under a prefix: SRC's content goes under DST, whether or not they end in /.",
    };

    public Option<string[]> Include { get; } = new("--include")
    {
        HelpName = "GLOB",
        Description = "With -r, only paths below SRC that match; may be given more than once. *.jpg at any depth, 2026/*.jpg there, raw/ all below it, ** any folders. Default: all.",
    };

    public Option<string[]> Exclude { get; } = new("--exclude")
    {
        HelpName = "GLOB",
        Description = "With -r, leave out of those what matches; may be given more than once.",
    };

    public Option<string?> OnFailure { get; } = new("--on-failure")
    {
        HelpName = "abort|continue",
        Description = "With -r, what a failed object means to the others. Default: continue, since one bad object should not cost the night's run; the exit code tells of it. "
            + "Errors that affect every object, such as a missing bucket or a full disk, stop the copy in any case. If the first 1,000 objects all fail with the same error, "
            + "the copy stops unless this option is set to continue.",
    };

    public Option<string?> Links { get; } = new("--links")
    {
        HelpName = "follow|skip",
        Description = "What symbolic links in an uploaded folder mean. Default: follow. A download never follows any.",
    };

    public Option<bool> NoHidden { get; } = new("--no-hidden")
    {
        Description = "With -r, leave out names that begin with a dot, and all below such folders.",
    };

    public Option<bool> EmptyFolders { get; } = new("--empty-folders")
    {
        Description = "Upload an empty object named 'folder/' for each folder with nothing in it. A download makes folders of those always.",
    };

    public void AddTo(Command command)
    {
        foreach (Option option in (Option[])[Recursive, Include, Exclude, OnFailure, Links, NoHidden, EmptyFolders])
        {
            command.Add(option);
        }
    }
}
