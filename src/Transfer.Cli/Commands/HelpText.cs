using System.CommandLine;
using System.CommandLine.Help;
using System.Text;

namespace Transfer.Cli.Commands;

/// <summary>The help of a command: what it is for, examples, then every option.</summary>
internal static class HelpText
{
    private const int MaxFirstColumn = 28;
    private const int MinWidth = 60;
    private const int MaxWidth = 110;

    public static void Write(Command command, TextWriter writer, int width)
    {
        width = Math.Clamp(width, MinWidth, MaxWidth);
        Wrap(writer, command.Description ?? string.Empty, 0, width);
        writer.WriteLine();
        writer.WriteLine($"Usage: {Usage(command)}");
        Command[] commands = [.. command.Subcommands.Where(sub => !sub.Hidden)];
        Section(writer, "Commands", commands.Select(sub => (sub.Name, sub.Description ?? string.Empty)), width);
        Section(writer, "Arguments", command.Arguments.Select(argument => (argument.Name, argument.Description ?? string.Empty)), width);
        if (command is ToolCommand tool && tool.Examples.Count > 0)
        {
            writer.WriteLine();
            writer.WriteLine("Examples:");
            foreach ((string line, string what) in tool.Examples)
            {
                writer.WriteLine($"  {line}");
                writer.WriteLine($"      {what}");
            }
        }

        Section(writer, "Options", command.Options.Where(option => !option.Hidden).Select(option => (Name(option), Description(option))), width);
        if (command is ToolCommand { Notes.Count: > 0 } noted)
        {
            writer.WriteLine();
            foreach (string note in noted.Notes)
            {
                Wrap(writer, note, 0, width);
            }
        }
    }

    private static string Usage(Command command)
    {
        if (command is RootCommand)
        {
            return "transfer COMMAND [options]";
        }

        string arguments = string.Concat(command.Arguments.Select(argument => argument.Arity.MinimumNumberOfValues == 0 ? $" [{argument.Name}]" : $" {argument.Name}"));
        return $"transfer {command.Name}{arguments} [options]";
    }

    private static string Description(Option option) => option is HelpOption ? "Show this help." : option is VersionOption ? "Show the version." : option.Description ?? string.Empty;

    private static string Name(Option option)
    {
        string[] aliases = [.. option.Aliases.Where(alias => alias.StartsWith('-') && alias is not "-?").Order(StringComparer.Ordinal)];
        string name = string.Join(", ", aliases.Append(option.Name));
        return option.HelpName is { } value ? $"{name} {value}" : name;
    }

    private static void Section(TextWriter writer, string title, IEnumerable<(string Name, string Text)> rows, int width)
    {
        (string Name, string Text)[] all = [.. rows];
        if (all.Length == 0)
        {
            return;
        }

        writer.WriteLine();
        writer.WriteLine($"{title}:");
        int column = Math.Min(MaxFirstColumn, all.Max(row => row.Name.Length)) + 4;
        foreach ((string name, string text) in all)
        {
            writer.Write($"  {name}");
            if (name.Length + 4 > column)
            {
                writer.WriteLine();
                writer.Write(new string(' ', column));
            }
            else
            {
                writer.Write(new string(' ', column - name.Length - 2));
            }

            Wrap(writer, text, column, width);
        }
    }

    /// <summary>Writes words; lines after the first begin at <paramref name="indent"/>.</summary>
    private static void Wrap(TextWriter writer, string text, int indent, int width)
    {
        StringBuilder line = new();
        foreach (string word in text.Split(' '))
        {
            if (line.Length > 0 && indent + line.Length + 1 + word.Length > width)
            {
                writer.WriteLine(line);
                writer.Write(new string(' ', indent));
                line.Clear();
            }

            line.Append(line.Length > 0 ? " " : string.Empty).Append(word);
        }

        writer.WriteLine(line);
    }
}
