using System.CommandLine;
using System.CommandLine.Help;
using System.Text;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary>
/// Writes the help: of the tool and of a command, with examples before its options. The short help fits a terminal of 80 by 24. The complete one has everything.
/// </summary>
internal static class HelpText
{
    private const int MaxFirstColumn = 28;
    private const int MaxFirstColumnOfShort = 24;
    private const int MaxShortExamples = 3;
    private const int MinWidth = 60;
    private const int MaxWidth = 110;
    private const int Gap = 2;

    /// <summary>The name of the option that shows the complete help.</summary>
    public const string CompleteName = "--help-all";

    /// <summary>The lines of a screen, without that of the prompt.</summary>
    private const int ScreenLines = 23;

    /// <summary>The groups of options that most commands have. The short help only names them.</summary>
    private static readonly string[] CommonGroups = ["Connection", "Output", "Diagnostics"];

    /// <param name="command">The command, or the tool.</param>
    /// <param name="writer">What to write to.</param>
    /// <param name="width">The width of the terminal.</param>
    /// <param name="isComplete">Whether to write everything, and not only what fits on a screen. For the tool, that includes all commands.</param>
    public static void Write(Command command, TextWriter writer, int width, bool isComplete = false)
    {
        width = Math.Clamp(width, MinWidth, MaxWidth);
        if (command is not RootCommand root)
        {
            if (isComplete)
            {
                WriteCommand(command, writer, width);
            }
            else
            {
                WriteShort(command, writer, width);
            }

            return;
        }

        WriteRoot(root, writer, width);
        foreach (Command one in isComplete ? root.Subcommands.Where(one => !one.Hidden) : [])
        {
            writer.WriteLine();
            WriteCommand(one, writer, width);
        }
    }

    /// <summary>Gets the names of an option, the short one first. Other aliases are for habits from other tools.</summary>
    public static string GetNames(Option option)
        => string.Join(", ", option.Aliases.Where(alias => alias is ['-', not ('-' or '?')]).Append(option.Name));

    private static void WriteRoot(RootCommand root, TextWriter writer, int width)
    {
        Wrap(writer, root.Description ?? string.Empty, 0, width);
        writer.WriteLine("Usage: transfer COMMAND [options]");
        writer.WriteLine("  transfer cp big.iso s3://bucket/iso/       Upload a file");
        writer.WriteLine("  transfer cp -r s3://bucket/photos photos   Download all objects under a prefix");
        writer.WriteLine();
        WriteCommands(writer, [.. root.Subcommands.OfType<ToolCommand>().Where(command => !command.Hidden)], width);
        writer.WriteLine($"Options: {string.Join(", ", root.Options.Where(option => !option.Hidden).Select(GetNames))}. Details: transfer help COMMAND");
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

    /// <summary>Gets how a command is used.</summary>
    public static string GetUsage(Command command)
        => $"transfer {command.Name}{string.Concat(command.Arguments.Select(argument => argument.Arity.MinimumNumberOfValues == 0 ? $" [{argument.Name}]" : $" {argument.Name}"))} [options]";

    /// <summary>
    /// Writes what fits on a screen: the options that most people need, with the first sentence of each, and as many examples as there is room for. If the complete
    /// help fits, that is written.
    /// </summary>
    private static void WriteShort(Command command, TextWriter writer, int width)
    {
        string complete = ToText(text => WriteCommand(command, text, width));
        if (GetLines(complete) <= ScreenLines)
        {
            writer.Write(complete);
            return;
        }

        ToolCommand? tool = command as ToolCommand;
        ILookup<bool, Option> options = (tool?.Groups ?? []).SelectMany(static group => group.Options, static (group, option) => (group.Title, option))
            .Where(pair => !pair.option.Hidden && pair.option is not IRareOption && !tool!.Uncommon.Contains(pair.option)).ToLookup(static pair => CommonGroups.Contains(pair.Title), static pair => pair.option);
        string head = ToText(text =>
        {
            Wrap(text, FirstSentence(command.Description ?? string.Empty), 0, width);
            text.WriteLine($"Usage: {GetUsage(command)}");
        });
        string tail = ToText(text =>
        {
            text.WriteLine();
            WriteShortRows(text, [.. options[false]], width);
            if (options[true].Any())
            {
                text.Write(options[false].Any() ? "  Also: " : "Options: ");
                Wrap(text, string.Join(", ", options[true].Select(GetShortName)), "  Also: ".Length, width);
            }

            text.WriteLine();
            Wrap(text, $"Run 'transfer {command.Name} {CompleteName}' for all options{(tool is { Notes.Count: > 0 } ? ", with exit codes" : string.Empty)}.", 0, width);
        });
        writer.Write(head);
        WriteShortExamples(writer, [.. (tool?.Examples ?? []).Take(MaxShortExamples)], ScreenLines - GetLines(head) - GetLines(tail) - 2, width);
        writer.Write(tail);
    }

    /// <summary>Writes each option with what fits on its line.</summary>
    private static void WriteShortRows(TextWriter writer, Option[] options, int width)
    {
        if (options.Length > 0)
        {
            (string Name, string Text)[] rows = [.. options.Select(Row).Select(static row => row.Name.Length > MaxFirstColumnOfShort ? row with { Name = row.Name[..row.Name.LastIndexOf(' ')] } : row)];
            int column = rows.Max(static row => row.Name.Length) + 4;
            WriteRows(writer, "Options", rows.Select(row => (row.Name, Shorten(FirstSentence(row.Text), width - column))), column, width);
        }
    }

    /// <summary>Writes as many examples as there is room for, but at least one. The description is beside the line, or else under it.</summary>
    private static void WriteShortExamples(TextWriter writer, (string Line, string What)[] examples, int room, int width)
    {
        if (examples.Length == 0)
        {
            return;
        }

        writer.WriteLine();
        writer.WriteLine("Examples:");
        int column = examples.Select(static example => example.Line.Length).Where(length => length <= width * 2 / 3).DefaultIfEmpty(0).Max() + 4;
        foreach ((string line, string what) in examples)
        {
            bool isBeside = line.Length + 4 <= column && column + what.Length <= width;
            string text = isBeside ? $"  {line.PadRight(column - 2)}{what}" : $"  {line}{Environment.NewLine}      {what}";
            int lines = isBeside ? 1 : 2;
            if (lines > room && (line, what) != examples[0])
            {
                break;
            }

            writer.WriteLine(text);
            room -= lines;
        }
    }

    /// <summary>Gets the shortest name of an option.</summary>
    private static string GetShortName(Option option) => option.Aliases.FirstOrDefault(static alias => alias is ['-', not ('-' or '?')]) ?? option.Name;

    private static void WriteCommand(Command command, TextWriter writer, int width)
    {
        Wrap(writer, command.Description ?? string.Empty, 0, width);
        writer.WriteLine();
        writer.WriteLine($"Usage: {GetUsage(command)}");
        ToolCommand? tool = command as ToolCommand;
        WriteExamples(writer, tool?.Examples ?? []);
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

    private static void WriteExamples(TextWriter writer, IReadOnlyList<(string Line, string What)> examples)
    {
        if (examples.Count == 0)
        {
            return;
        }

        writer.WriteLine();
        writer.WriteLine("Examples:");
        foreach ((string line, string what) in examples)
        {
            writer.WriteLine($"  {line}");
            writer.WriteLine($"      {what}");
        }
    }

    private static string ToText(Action<TextWriter> write)
    {
        using StringWriter text = new();
        write(text);
        return text.ToString();
    }

    private static int GetLines(string text) => text.Count(letter => letter == '\n');

    /// <summary>Gets the text up to the first period that ends a sentence.</summary>
    private static string FirstSentence(string text)
    {
        int end = text.IndexOf(". ", StringComparison.Ordinal);
        return end < 0 ? text : text[..(end + 1)];
    }

    /// <summary>Leaves out details after a colon, or else after a comma or a space, if a sentence is too long for a line.</summary>
    private static string Shorten(string sentence, int width)
    {
        if (sentence.Length <= width)
        {
            return sentence;
        }

        string start = sentence[..(width - 1)];
        int end = start.IndexOf(": ", StringComparison.Ordinal);
        end = end < 0 ? start.LastIndexOf(", ", StringComparison.Ordinal) : end;
        return end > width / 3 ? $"{start[..end]}." : $"{start[..start.LastIndexOf(' ')]}…";
    }

    private static (string Name, string Text) Row(Option option)
    {
        string text = option is HelpOption ? "Show this help." : option is VersionOption ? "Show the version." : option.Description ?? string.Empty;
        return (option.HelpName is { } value ? $"{GetNames(option)} {value}" : GetNames(option), text);
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
