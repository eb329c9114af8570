using System.CommandLine;
using System.CommandLine.Help;
using System.Text;

namespace Transfer.Cli.Commands;

/// <summary>Writes the help: of the tool, so that it fits a terminal of 80 by 24, and of a command, with examples before all options.</summary>
internal static class HelpText
{
    private const int MaxFirstColumn = 28;
    private const int MinWidth = 60;
    private const int MaxWidth = 110;
    private const int Gap = 2;

    public static void Write(Command command, TextWriter writer, int width)
    {
        width = Math.Clamp(width, MinWidth, MaxWidth);
        if (command is RootCommand root)
        {
            WriteRoot(root, writer, width);
        }
        else
        {
            WriteCommand(command, writer, width);
        }
    }

    /// <summary>Gets the names of an option, the short one first. Other aliases are for habits from other tools.</summary>
    public static string NamesOf(Option option)
        => string.Join(", ", option.Aliases.Where(alias => alias is ['-', not ('-' or '?')]).Append(option.Name));

    private static void WriteRoot(RootCommand root, TextWriter writer, int width)
    {
        Wrap(writer, root.Description ?? string.Empty, 0, width);
        writer.WriteLine();
        writer.WriteLine("Usage: transfer COMMAND [options]");
        writer.WriteLine("  transfer cp big.iso s3://bucket/iso/       Upload a file");
        writer.WriteLine("  transfer cp -r s3://bucket/photos photos   Download all objects under a prefix");
        writer.WriteLine();
        WriteCommands(writer, [.. root.Subcommands.OfType<ToolCommand>()], width);
        writer.WriteLine();
        writer.WriteLine($"Options: {string.Join(", ", root.Options.Where(option => !option.Hidden).Select(NamesOf))}");
        writer.WriteLine("Run 'transfer COMMAND --help' for the options of a command, with examples.");
    }

    /// <summary>Writes the commands by groups, in two columns if they fit.</summary>
    private static void WriteCommands(TextWriter writer, ToolCommand[] commands, int width)
    {
        int name = commands.Max(command => command.Name.Length) + Gap;
        int cell = name + commands.Max(command => command.Summary.Length) + Gap;
        int columns = width / cell > 1 ? 2 : 1;
        foreach (IGrouping<string, ToolCommand> group in commands.GroupBy(command => command.Group))
        {
            writer.WriteLine($"{group.Key}:");
            foreach (ToolCommand[] row in group.Chunk(columns))
            {
                string line = string.Concat(row.Select(command => (command.Name.PadRight(name) + command.Summary).PadRight(cell)));
                writer.WriteLine(new string(' ', Gap) + line.TrimEnd());
            }
        }
    }

    private static void WriteCommand(Command command, TextWriter writer, int width)
    {
        Wrap(writer, command.Description ?? string.Empty, 0, width);
        writer.WriteLine();
        string arguments = string.Concat(command.Arguments.Select(argument => argument.Arity.MinimumNumberOfValues == 0 ? $" [{argument.Name}]" : $" {argument.Name}"));
        writer.WriteLine($"Usage: transfer {command.Name}{arguments} [options]");
        ToolCommand? tool = command as ToolCommand;
        if (tool is { Examples.Count: > 0 })
        {
            writer.WriteLine();
            writer.WriteLine("Examples:");
            foreach ((string line, string what) in tool.Examples)
            {
                writer.WriteLine($"  {line}");
                writer.WriteLine($"      {what}");
            }
        }

        if (command.Arguments.Count > 0)
        {
            writer.WriteLine();
            WriteRows(writer, "Arguments", command.Arguments.Select(argument => (argument.Name, argument.Description ?? string.Empty)), null, width);
        }

        (string Title, IReadOnlyList<Option> Options)[] groups = [.. tool?.Groups ?? []];
        HashSet<Option> grouped = [.. groups.SelectMany(group => group.Options)];
        foreach (IGrouping<string, IReadOnlyList<Option>> group in groups.Append((Title: "Help", Options: (IReadOnlyList<Option>)[.. command.Options.Where(option => !grouped.Contains(option))])).GroupBy(group => group.Title, group => group.Options))
        {
            (string, string)[] rows = [.. group.SelectMany(options => options).Where(option => !option.Hidden).Select(Row)];
            if (rows.Length > 0)
            {
                writer.WriteLine();
                WriteRows(writer, group.Key, rows, null, width);
            }
        }

        if (tool is { Notes.Count: > 0 })
        {
            writer.WriteLine();
            foreach (string note in tool.Notes)
            {
                Wrap(writer, note, 0, width);
            }
        }
    }

    private static (string Name, string Text) Row(Option option)
    {
        string text = option is HelpOption ? "Show this help." : option is VersionOption ? "Show the version." : option.Description ?? string.Empty;
        return (option.HelpName is { } value ? $"{NamesOf(option)} {value}" : NamesOf(option), text);
    }

    private static void WriteRows(TextWriter writer, string title, IEnumerable<(string Name, string Text)> rows, int? firstColumn, int width)
    {
        (string Name, string Text)[] all = [.. rows];
        writer.WriteLine($"{title}:");
        int column = firstColumn ?? Math.Min(MaxFirstColumn, all.Max(row => row.Name.Length)) + 4;
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

    /// <summary>Writes words. Lines after the first begin at <paramref name="indent"/>.</summary>
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
