using System.CommandLine;
using Transfer.Cli.Commands;

namespace Transfer.Cli.Execution;

/// <summary>Brings a command line into the form that the parser knows: options after the command, and options of the AWS CLI by their names here.</summary>
internal static class CommandWords
{
    private const string Help = "--help";
    private const string Version = "--version";

    public static string[] Normalize(RootCommand root, string[] words)
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
        return [words[command], .. Translate(found, rest)];
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

            if (root.Subcommands.SelectMany(command => command.Options).FirstOrDefault(option => option is not System.CommandLine.Help.HelpOption && IsNamed(option, NameOf(words[i]))) is not { } option)
            {
                return -1;
            }

            i += option.ValueType == typeof(bool) || words[i].Contains('=', StringComparison.Ordinal) ? 0 : 1;
        }

        return -1;
    }

    private static IEnumerable<string> Translate(Command command, string[] words)
    {
        for (int i = 0; i < words.Length; i++)
        {
            if (words[i] == "--")
            {
                return [.. words[..i].SelectMany(word => Translate(command, word)), .. words[i..]];
            }
        }

        // The AWS CLI's --request-payer can have a value, and here it is a flag.
        return words.Where((word, i) => !(word == "requester" && i > 0 && words[i - 1] == "--request-payer")).SelectMany(word => Translate(command, word));
    }

    private static string[] Translate(Command command, string word)
    {
        string name = NameOf(word);
        if (ForeignWords.SameAs(name) is not { } same || !command.Options.Any(option => IsNamed(option, same.Option)))
        {
            return [word];
        }

        string value = same.Value is null ? word[name.Length..] : $"={same.Value}";
        return [same.Option + (value == "=requester" ? string.Empty : value)];
    }

    private static string NameOf(string word) => word.Split('=', 2)[0];

    private static bool IsNamed(Option option, string name) => option.Name == name || option.Aliases.Contains(name);
}
