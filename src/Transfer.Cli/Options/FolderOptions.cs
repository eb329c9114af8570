using System.CommandLine;
using Transfer.S3.Cli.Commands;

namespace Transfer.S3.Cli.Options;

/// <summary>The options of a copy of many objects: which ones to copy, and what to do when one fails.</summary>
/// <param name="moves">Whether they are those of a move.</param>
/// <param name="isAlwaysMany">Whether the command is always about many objects, so that it has no -r.</param>
/// <param name="plans">Whether the command is that of a plan.</param>
internal sealed class FolderOptions(bool moves = false, bool isAlwaysMany = false, bool plans = false)
{
    public Option<bool> Recursive { get; } = Declare.Flag(
        "--recursive", (moves ? "Move" : "Copy") + " all files in a folder or all objects under a prefix. The contents of SRC go directly under DST, with or without a trailing /.", alias: "-r");

    public SelectionOptions Selection { get; } = new(isAlwaysMany ? "synchronize" : moves ? "move" : "copy", isAlwaysMany);

    public KeyListOptions Keys { get; } = new(plans ? "plan" : moves ? "move" : "download or copy", isForRecursive: !plans);

    public Option<string?> OnFailure { get; } = Declare.RareText(
        "--on-failure", "abort|continue", $"{(isAlwaysMany ? "Whether" : "With -r or several sources, whether")} to continue after an object fails. Default: continue, and end with exit code 1. "
            + "Errors that affect every object, such as a missing bucket or a full disk, always stop the copy. So do 1,000 objects that all fail with the same error before any succeeds, "
            + "unless continue is given.");

    public Option<string?> Links { get; } = Declare.RareText(
        "--links", "follow|skip",
        $"Whether an upload{(isAlwaysMany ? string.Empty : " with -r")} follows symbolic links or skips them. Default: follow, and leave out a link to nothing with a warning. A download never follows them.");

    public Option<bool> NoHidden { get; } = Declare.RareFlag(
        "--no-hidden", $"{(isAlwaysMany ? "Leave" : "With -r, leave")} out files and folders whose names begin with a dot.");

    public Option<bool> EmptyFolders { get; } = Declare.RareFlag(
        "--empty-folders", $"{(isAlwaysMany ? "Upload" : "With -r, upload")} an empty object 'folder/' for each empty folder. A download always creates folders from such objects.");

    public Option<bool> SpecialNames { get; } = Declare.RareFlag(
        "--allow-special-names", $"{(isAlwaysMany ? "Also download" : "With -r, also download")} objects whose names only Unix systems allow: with backslashes, control characters, or a drive letter at the beginning. "
            + "Default: they are failures.");

    /// <summary>Adds the options of a command that is always about many objects.</summary>
    public void AddSelectionTo(Command command)
        => command.AddGroup("Many objects", [.. Selection.All, .. plans ? Keys.All : (IReadOnlyList<Option>)[], OnFailure, Links, NoHidden, EmptyFolders, SpecialNames]);

    public void AddTo(Command command)
        => command.AddGroup("Many objects", moves ? [Recursive, .. Selection.All, .. Keys.All, OnFailure, NoHidden, SpecialNames] : [Recursive, .. Selection.All, .. Keys.All, OnFailure, Links, NoHidden, EmptyFolders, SpecialNames]);
}
