using System.CommandLine;
using Transfer.Cli.Commands;

namespace Transfer.Cli.Options;

/// <summary>The options that select what the tool writes.</summary>
internal sealed class OutputOptions
{
    public Option<bool> Json { get; } = new("--json")
    {
        Description = "Write the result as one JSON object, on the last line of standard output. If standard output is the target, on standard error.",
    };

    public Option<bool> Quiet { get; } = new("--quiet", "-q")
    {
        Description = "Write only errors.",
    };

    public Option<string?> Progress { get; } = new("--progress")
    {
        HelpName = "auto|bar|plain|none",
        Description = "How to show progress. plain writes a line every few seconds. Default: auto, a bar on a terminal and plain elsewhere.",
    };

    public void AddTo(Command command, bool hideProgress = false)
    {
        Progress.Hidden = hideProgress;
        command.AddGroup("Output", Json, Quiet, Progress);
    }
}
