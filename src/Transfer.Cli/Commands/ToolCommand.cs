using System.CommandLine;

namespace Transfer.Cli.Commands;

/// <summary>A command with what its help shows beside options.</summary>
internal sealed class ToolCommand(string name, string description) : Command(name, description)
{
    /// <summary>Whole lines that can be copied, each with what it does.</summary>
    public IReadOnlyList<(string Line, string What)> Examples { get; init; } = [];

    /// <summary>What else is worth knowing.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
