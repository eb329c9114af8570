using System.CommandLine;
using System.CommandLine.Help;
using Transfer.S3.Cli.Commands;

namespace Transfer.S3.Cli.Execution;

/// <summary>Brings a command line into the form that the parser knows: options after the command, and options of other tools by their names here.</summary>
internal static class CommandWords
{
    private const string Help = "--help";
    private const string Version = "--version";

    /// <param name="root">The commands.</param>
    /// <param name="words">The command line.</param>
    /// <param name="notes">Receives what to say about options that were left out, because they have no effect here.</param>
    public static string[] Normalize(RootCommand root, string[] words, ICollection<string> notes)
    {
        switch (words)
        {
            case ["help", { } name, .. var others]:
                return [name, others is ["--all" or HelpText.CompleteName, ..] ? HelpText.CompleteName : Help];
            case ["help"]:
                return [Help];
            case ["version"]:
                return [Version];
        }

        int command = IndexOfCommand(root, words);
        if (command < 0)
        {
            return words;
        }

        Command found = Find(root, words[command])!;
        string[] rest = [.. words[..command], .. words[(command + 1)..]];
        return [words[command], .. Translate(found, rest, notes)];
    }

    private static Command? Find(RootCommand root, string name) => root.Subcommands.FirstOrDefault(command => command.Name == name);

    /// <summary>Gets the index of the first word that isn't an option of any command, or the value of one, if it is a command; otherwise, -1.</summary>
    private static int IndexOfCommand(RootCommand root, string[] words)
    {
        for (int i = 0; i < words.Length; i++)
        {
            if (words[i] is not ['-', _, ..])
            {
                return Find(root, words[i]) is null ? -1 : i;
            }

            if (TakesValue(root, GetName(words[i])) is not { } takesValue)
            {
                return -1;
            }

            i += takesValue && !words[i].Contains('=', StringComparison.Ordinal) ? 1 : 0;
        }

        return -1;
    }

    /// <summary>Gets whether an option of a command, or one of another tool, has a value; null if it isn't known.</summary>
    private static bool? TakesValue(RootCommand root, string name)
    {
        return FindIn(root, name) is { } own ? own.ValueType != typeof(bool)
            : ForeignWords.SameAs(name) is { } same ? same.Value is null && FindIn(root, same.Option) is { } meant && meant.ValueType != typeof(bool)
            : ForeignWords.AlwaysDone(name)?.HasValue;

        static Option? FindIn(RootCommand root, string name) => root.Subcommands.SelectMany(command => command.Options).FirstOrDefault(option => option is not HelpOption && IsNamed(option, name));
    }

    private static List<string> Translate(Command command, string[] words, ICollection<string> notes)
    {
        List<string> result = [];
        for (int i = 0; i < words.Length; i++)
        {
            string word = words[i];
            string? next = i + 1 < words.Length && words[i + 1] is not ['-', _, ..] ? words[i + 1] : null;
            string name = GetName(word);
            if (word == "--")
            {
                result.AddRange(words[i..]);
                break;
            }

            if (FindIn(command, name) is { } own)
            {
                result.Add(word);
                if (own.ValueType != typeof(bool) && word == name && i + 1 < words.Length)
                {
                    result.Add(words[++i]); // a value isn't an option, whatever it looks like
                }
            }
            else if (ForeignWords.SameAs(name) is { } same && FindIn(command, same.Option) is { } meant)
            {
                // The AWS CLI's --request-payer can have a value, and here it is a flag.
                bool isPayer = name == "--request-payer";
                result.Add(same.Option + (same.Value is not null ? $"={same.Value}" : isPayer && word[name.Length..] == "=requester" ? string.Empty : word[name.Length..]));
                i += isPayer && word == name && next == "requester" ? 1 : 0;
                if (meant.ValueType != typeof(bool) && same.Value is null && word == name && i + 1 < words.Length)
                {
                    result.Add(words[++i]);
                }
            }
            else if (ForeignWords.AlwaysDone(name) is { } done && (done.OnlyValue is null || done.OnlyValue == (word == name ? next : word[(name.Length + 1)..])))
            {
                notes.Add($"{name} has no effect here: {done.Reason}");
                i += done.HasValue && word == name && next is not null ? 1 : 0;
            }
            else
            {
                result.Add(word);
            }
        }

        return result;
    }

    private static Option? FindIn(Command command, string name) => command.Options.FirstOrDefault(option => IsNamed(option, name));

    private static string GetName(string word) => word.Split('=', 2)[0];

    private static bool IsNamed(Option option, string name) => option.Name == name || option.Aliases.Contains(name);
}
