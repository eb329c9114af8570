using System.CommandLine;
using Transfer.S3.Cli.Execution;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary>A command of the tool. The constructor of each adds its arguments and options, in the order of the help, and sets what else the help shows.</summary>
internal abstract class ToolCommand : Command
{
    protected ToolCommand(CommandRunner runner, string name, string group, string summary, string description)
        : base(name, description)
    {
        Group = group;
        Summary = summary;
        SetAction((line, cancellationToken) => runner.RunAsync(line, Output, RunAsync, cancellationToken));
    }

    /// <summary>Gets the title under which the help of the tool lists the command.</summary>
    public string Group { get; }

    /// <summary>Gets the summary of the command in the help of the tool: a few words that fit on its line.</summary>
    public string Summary { get; }

    /// <summary>Gets example command lines that can be copied, each with a description.</summary>
    public IReadOnlyList<(string Line, string What)> Examples { get; protected init; } = [];

    /// <summary>Gets notes, such as exit codes.</summary>
    public IReadOnlyList<string> Notes { get; protected init; } = [];

    /// <summary>Gets the options that the short help of this command leaves out, although it shows them for other commands.</summary>
    public IReadOnlyList<Option> Uncommon { get; protected init; } = [];

    /// <summary>Gets the options, grouped by their titles in the help.</summary>
    public List<(string Title, IReadOnlyList<Option> Options)> Groups { get; } = [];

    /// <summary>Gets the output options. The command adds those that it has; the others keep their defaults.</summary>
    protected OutputOptions Output { get; } = new();

    /// <summary>Runs the command, after the command line was checked and the output was set up.</summary>
    protected abstract Task RunAsync(ParseResult line, Invocation invocation, CancellationToken cancellationToken);
}
