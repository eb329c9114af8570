using System.CommandLine;
using System.Text;

namespace Transfer.S3.Cli.Commands;

/// <summary>Writes the manual page in the format of man, from the definitions that the help and the parser use.</summary>
internal static class ManualPage
{
    public static void Write(ToolRoot root, TextWriter writer)
    {
        ToolCommand[] commands = [.. root.BuildAll().OfType<ToolCommand>().Where(command => !command.Hidden)];
        writer.WriteLine($".TH TRANSFER 1 \"\" \"transfer {Text(Tool.Version?.Split('+')[0] ?? string.Empty)}\" \"User Commands\"");
        Section(writer, "NAME", $"transfer \\- {Text((root.Description ?? string.Empty).TrimEnd('.'))}");
        Section(writer, "SYNOPSIS", ".B transfer", ".I COMMAND", "[options]");
        writer.WriteLine(".SH COMMANDS");
        foreach (ToolCommand command in commands)
        {
            Item(writer, $"transfer {command.Name}", command.Summary + ".");
        }

        foreach (ToolCommand command in commands)
        {
            Write(command, writer);
        }

        Section(
            writer,
            "ENVIRONMENT",
            Text("Options for settings can also be set by a variable: TRANSFER_ and the name of the option, such as TRANSFER_PART_SIZE for --part-size. "
                + "The command line comes first. Connections and credentials use the variables and the files of the AWS CLI."));
        Section(writer, "EXIT STATUS", Text("0 success, 1 failure, 2 usage or configuration error, 3 content mismatch, 130 interrupted."));
    }

    private static void Write(ToolCommand command, TextWriter writer)
    {
        Section(writer, $"TRANSFER {command.Name.ToUpperInvariant()}", $".B {Text(HelpText.GetUsage(command))}", ".PP", Text(command.Description));
        foreach (Argument argument in command.Arguments)
        {
            Item(writer, argument.Name, argument.Description);
        }

        foreach (IGrouping<string, IReadOnlyList<Option>> group in command.Groups.GroupBy(group => group.Title, group => group.Options))
        {
            writer.WriteLine($".SS {Quoted(group.Key)}");
            foreach (Option option in group.SelectMany(options => options).Where(option => !option.Hidden))
            {
                Item(writer, option.HelpName is { } value ? $"{HelpText.GetNames(option)} {value}" : HelpText.GetNames(option), option.Description);
            }
        }

        writer.WriteLine($".SS {Quoted($"Examples of {command.Name}")}");
        foreach ((string line, string what) in command.Examples)
        {
            Item(writer, line, what + ".");
        }

        foreach (string note in command.Notes)
        {
            writer.WriteLine(".PP");
            writer.WriteLine(Text(note));
        }
    }

    private static void Section(TextWriter writer, string title, params ReadOnlySpan<string> lines)
    {
        writer.WriteLine($".SH {Quoted(title)}");
        foreach (string line in lines)
        {
            writer.WriteLine(line);
        }
    }

    private static void Item(TextWriter writer, string term, string? text)
    {
        writer.WriteLine(".TP");
        writer.WriteLine($"\\fB{Text(term)}\\fR");
        writer.WriteLine(Text(text));
    }

    private static string Quoted(string text) => $"\"{Text(text)}\"";

    /// <summary>Escapes what would be a request or a character of typography. Pages are ASCII, so that every version of man shows them.</summary>
    private static string Text(string? text)
    {
        StringBuilder escaped = new();
        foreach (char letter in text ?? string.Empty)
        {
            escaped.Append(letter switch
            {
                '\\' => "\\e",
                '-' => "\\-",
                '\'' => "\\(aq",
                '"' => "\\(dq",
                '`' => "\\(ga",
                '^' => "\\(ha",
                '~' => "\\(ti",
                '…' => "...",
                > '~' => $"\\[u{(int)letter:X4}]",
                _ => letter.ToString(),
            });
        }

        return escaped is { Length: > 0 } && escaped[0] == '.' ? $"\\&{escaped}" : escaped.ToString();
    }
}
