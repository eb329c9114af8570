using System.CommandLine;
using System.CommandLine.Help;
using System.Text;
using Transfer.S3.Cli;
using Transfer.S3.Cli.Commands;
using Transfer.S3.Cli.Options;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Tests.Documentation;

/// <summary>Writes the reference of the tool as Markdown, from the definitions that its help and its parser use.</summary>
internal static class CommandReference
{
    private const string Introduction = """
        # Command reference

        This page lists all commands and options of `transfer`. [Command line](cli.md) explains how to use them. Options for settings
        can also be set by [environment variables](cli.md#environment-variables).

        This page is generated. To update it, run the tests with `TRANSFER_WRITE_REFERENCE=1`.

        """;

    public static string Write()
    {
        StringBuilder page = new(Introduction);
        using ToolConsole console = new(TextWriter.Null, TextWriter.Null);
        RootCommand root = new Tool(console, new ToolEnvironment(_ => null), TimeProvider.System).CreateRoot();
        foreach (ToolCommand command in root.Subcommands.Cast<ToolCommand>())
        {
            Write(page, command);
        }

        return page.ToString();
    }

    private static void Write(StringBuilder page, ToolCommand command)
    {
        string arguments = string.Concat(command.Arguments.Select(argument => argument.Arity.MinimumNumberOfValues == 0 ? $" [{argument.Name}]" : $" {argument.Name}"));
        page.Append($"\n## transfer {command.Name}\n\n{Text(command.Description)}\n\n```text\ntransfer {command.Name}{arguments} [options]\n```\n");
        WriteTable(page, "Arguments", "Argument", command.Arguments.Select(argument => (argument.Name, argument.Description)));
        foreach (IGrouping<string, IReadOnlyList<Option>> group in command.Groups.GroupBy(group => group.Title, group => group.Options))
        {
            WriteTable(page, group.Key, "Option", group.SelectMany(options => options).Where(option => !option.Hidden && option is not HelpOption).Select(option => (GetName(option), option.Description)));
        }

        page.Append("\nExamples:\n\n```console\n");
        foreach ((string line, string what) in command.Examples)
        {
            page.Append($"# {what}\n{line}\n");
        }

        page.Append("```\n");
        foreach (string note in command.Notes)
        {
            page.Append($"\n{Text(note)}\n");
        }
    }

    private static void WriteTable(StringBuilder page, string title, string column, IEnumerable<(string Name, string? Description)> rows)
    {
        (string Name, string? Description)[] all = [.. rows];
        if (all.Length == 0)
        {
            return;
        }

        page.Append($"\n{title}:\n\n| {column} | Description |\n|---|---|\n");
        foreach ((string name, string? description) in all)
        {
            page.Append($"| `{name.Replace("|", "\\|", StringComparison.Ordinal)}` | {Text(description)} |\n");
        }
    }

    private static string GetName(Option option) => option.HelpName is { } value ? $"{HelpText.GetNames(option)} {value}" : HelpText.GetNames(option);

    /// <summary>Escapes what Markdown would read as formatting.</summary>
    private static string Text(string? text)
    {
        StringBuilder escaped = new();
        foreach (char letter in text ?? string.Empty)
        {
            escaped.Append(letter is '|' or '*' or '<' or '`' ? "\\" : string.Empty).Append(letter);
        }

        return escaped.ToString();
    }
}
