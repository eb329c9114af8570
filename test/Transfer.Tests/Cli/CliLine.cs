using System.CommandLine;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Tests.Cli;

/// <summary>Parses a command line with a simulated environment.</summary>
internal static class CliLine
{
    public static OptionValues Values(Action<Command> addOptions, string line, params (string Name, string Value)[] environment)
    {
        RootCommand root = [];
        addOptions(root);
        return new OptionValues(root.Parse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)), Environment(environment));
    }

    public static ToolEnvironment Environment(params (string Name, string Value)[] environment)
        => new(name => environment.FirstOrDefault(variable => variable.Name == name).Value);
}
