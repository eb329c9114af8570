using System.CommandLine;

namespace Transfer.Cli.Options;

/// <summary>The options that say what is written, and how.</summary>
internal sealed class OutputOptions
{
    public Option<bool> Json { get; } = new("--json")
    {
        Description = "End with one JSON object on standard output, on standard error where standard output is the target.",
    };

    public Option<bool> Quiet { get; } = new("--quiet")
    {
        Description = "Write errors only.",
    };

    public Option<string?> Progress { get; } = new("--progress")
    {
        HelpName = "MODE",
        Description = "auto, bar, plain (a line every few seconds) or none. Default: auto, a bar on a terminal.",
    };

    public void AddTo(Command command, bool hideProgress = false)
    {
        Progress.Hidden = hideProgress;
        command.Add(Json);
        command.Add(Quiet);
        command.Add(Progress);
    }
}
