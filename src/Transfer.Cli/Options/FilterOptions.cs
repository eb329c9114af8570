using System.CommandLine;
using Transfer.Cli.Commands;

namespace Transfer.Cli.Options;

/// <summary>The options that select files and objects.</summary>
internal sealed class FilterOptions
{
    public Option<string[]> Include { get; } = new("--include")
    {
        HelpName = "PATTERN",
        Description = "Compare only paths that match. Repeatable. *.txt matches at any depth, dir/ everything under dir, ** any folders. Default: all paths.",
    };

    public Option<string[]> Exclude { get; } = new("--exclude")
    {
        HelpName = "PATTERN",
        Description = "Leave out paths that match, even if they are included. Repeatable.",
    };

    public void AddTo(Command command) => command.AddGroup("Comparison", Include, Exclude);
}
