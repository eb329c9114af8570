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
            : ForeignWords.HasValue(name, same => FindIn(root, same) is { } meant && meant.ValueType != typeof(bool))
            ?? (Letters(name) is { Length: > 0 } letters && Array.TrueForAll(letters, letter => FindIn(root, letter) is { } flag && flag.ValueType == typeof(bool)) ? false : null);

        static Option? FindIn(RootCommand root, string name) => root.Subcommands.SelectMany(command => command.Options).FirstOrDefault(option => option is not HelpOption && IsNamed(option, name));
    }

    private static List<string> Translate(Command command, string[] words, ICollection<string> notes)
    {
        List<string> result = [];
        Queue<string> rest = new(Split(command, words));
        while (rest.TryDequeue(out string? word))
        {
            string? next = rest.TryPeek(out string? after) && after is not ['-', _, ..] ? after : null;
            string name = GetName(word);
            if (word == "--")
            {
                result.AddRange([word, .. rest]);
                break;
            }

            if (FindIn(command, name) is { } own)
            {
                result.Add(word);
                if (own.ValueType != typeof(bool) && word == name && rest.TryDequeue(out string? value))
                {
                    result.Add(value); // a value isn't an option, whatever it looks like
                }
            }
            else if (ForeignWords.SameAs(command, name) is { } same)
            {
                // The AWS CLI's --request-payer can have a value, and here it is a flag.
                bool isPayer = name == "--request-payer";
                result.Add(same.Option + (same.OptionValue is not null ? $"={same.OptionValue}" : isPayer && word[name.Length..] == "=requester" ? string.Empty : word[name.Length..]));
                bool takesValue = FindIn(command, same.Option!)!.ValueType != typeof(bool) && same.OptionValue is null;
                if (word == name && (takesValue || (isPayer && next == "requester")) && rest.TryDequeue(out string? value) && takesValue)
                {
                    result.Add(value);
                }
            }
            else if (ForeignWords.AlwaysDone(command, name, word == name ? next : word[(name.Length + 1)..]) is { } done)
            {
                notes.Add($"{name} has no effect here: {done.Needless}");
                _ = done.HasValue && word == name && next is not null && rest.TryDequeue(out _);
            }
            else
            {
                result.Add(word);
            }
        }

        return result;
    }

    /// <summary>Splits bundles of short options, such as -rf, if each letter is known. The parser doesn't, so that a bundle with an unknown letter is an error.</summary>
    private static IEnumerable<string> Split(Command command, string[] words)
    {
        bool isValue = false;
        bool isEnd = false;
        foreach (string word in words)
        {
            isEnd |= !isValue && word == "--";
            string[] letters = isValue || isEnd || IsKnown(command, word) ? [] : Letters(word);
            isValue = !isValue && !isEnd && TakesNext(command, word);
            if (letters.Length == 0 || !Array.TrueForAll(letters, letter => IsKnown(command, letter)))
            {
                yield return word;
                continue;
            }

            foreach (string letter in letters)
            {
                yield return letter;
            }
        }
    }

    private static bool TakesNext(Command command, string word)
        => (FindIn(command, word) ?? (ForeignWords.SameAs(command, word) is { OptionValue: null, Option: { } same } ? FindIn(command, same) : null)) is { } option && option.ValueType != typeof(bool);

    private static bool IsKnown(Command command, string name) => FindIn(command, name) is { } own ? own is not HelpOption : ForeignWords.IsKnown(command, name);

    /// <summary>Gets the short options of a bundle; none if the word isn't one.</summary>
    private static string[] Letters(string word)
        => word is ['-', not '-', _, ..] && word.Skip(1).All(char.IsAsciiLetter) ? [.. word.Skip(1).Select(static letter => $"-{letter}")] : [];

    private static Option? FindIn(Command command, string name) => command.Options.FirstOrDefault(option => IsNamed(option, name));

    private static string GetName(string word) => word.Split('=', 2)[0];

    private static bool IsNamed(Option option, string name) => option.Name == name || option.Aliases.Contains(name);
}
