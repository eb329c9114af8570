using System.CommandLine;

namespace Transfer.Cli.Options;

/// <summary>The options that say which of many files or objects are meant.</summary>
internal sealed class FilterOptions
{
    public Option<string[]> Include { get; } = new("--include")
    {
        HelpName = "PATTERN",
        Description = "Only paths that match: *.txt at any depth, dir/ for all below, ** for any folders. May be given more than once. Default: all.",
    };

    public Option<string[]> Exclude { get; } = new("--exclude")
    {
        HelpName = "PATTERN",
        Description = "Of these, leave out paths that match. May be given more than once.",
    };

    public void AddTo(Command command)
    {
        command.Add(Include);
        command.Add(Exclude);
    }
}
