using System.CommandLine;

namespace Transfer.S3.Cli.Commands;

/// <summary>A command with additional content for its help, such as examples and notes.</summary>
internal sealed class ToolCommand(string name, string description) : Command(name, description)
{
    /// <summary>Gets the title under which the help of the tool lists the command.</summary>
    public required string Group { get; init; }

    /// <summary>Gets the summary of the command in the help of the tool: a few words that fit on its line.</summary>
    public required string Summary { get; init; }

    /// <summary>Gets example command lines that can be copied, each with a description.</summary>
    public IReadOnlyList<(string Line, string What)> Examples { get; init; } = [];

    /// <summary>Gets notes, such as exit codes.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>Gets the options, grouped by their titles in the help.</summary>
    public List<(string Title, IReadOnlyList<Option> Options)> Groups { get; } = [];
}
