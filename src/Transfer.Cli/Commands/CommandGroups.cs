using System.CommandLine;

namespace Transfer.S3.Cli.Commands;

/// <summary>Adds options to a command by groups.</summary>
internal static class CommandGroups
{
    /// <summary>Adds options that the help lists under a separate title.</summary>
    public static void AddGroup(this Command command, string title, params IReadOnlyList<Option> options)
    {
        foreach (Option option in options)
        {
            if (option.HelpName?.Split('|') is { Length: > 1 } values)
            {
                option.CompletionSources.Add([.. values.Where(value => value.Length > 1)]);
            }

            command.Add(option);
        }

        (command as ToolCommand)?.Groups.Add((title, options));
    }
}
