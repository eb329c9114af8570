using System.CommandLine;

namespace Transfer.Cli.Commands;

/// <summary>A command with what its help shows besides its options.</summary>
internal sealed class ToolCommand(string name, string description) : Command(name, description)
{
    /// <summary>Gets the title under which the help of the tool lists the command.</summary>
    public required string Group { get; init; }

    /// <summary>Gets what the help of the tool says about the command: a few words that fit on its line.</summary>
    public required string Summary { get; init; }

    /// <summary>Gets command lines that can be copied, each with what it does.</summary>
    public IReadOnlyList<(string Line, string What)> Examples { get; init; } = [];

    /// <summary>Gets what else users need to know, such as exit codes.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>Gets the options by the titles that the help lists them under.</summary>
    public List<(string Title, IReadOnlyList<Option> Options)> Groups { get; } = [];
}
