using System.CommandLine;
using System.CommandLine.Parsing;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Commands;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Execution;

/// <summary>Reports errors of the command line as a whole.</summary>
internal static class CommandLineErrors
{
    /// <exception cref="UsageException">Thrown when the command line is not valid.</exception>
    public static void Check(ParseResult line)
    {
        // Checked before the parser's errors, because it takes an unknown option for an argument, and then reports another argument.
        HashSet<Token> arguments = [.. line.CommandResult.Children.OfType<ArgumentResult>().SelectMany(result => result.Tokens), .. line.UnmatchedTokens.Select(text => new Token(text, TokenType.Argument, null!))];
        foreach (Token token in line.Tokens.TakeWhile(token => token.Type != TokenType.DoubleDash))
        {
            if (token.Value.Length > 1 && token.Value[0] == '-' && arguments.Contains(token))
            {
                throw new UsageException(Unknown(line.CommandResult.Command, token.Value));
            }
        }

        if (line.Errors.Count > 0)
        {
            throw new UsageException(string.Join("; ", line.Errors.Select(error => GetText(line, error)).Distinct(StringComparer.Ordinal)));
        }
    }

    /// <summary>Gets what to say about a word that should be a command.</summary>
    public static string UnknownCommand(RootCommand root, string word)
    {
        string what = $"'{Printable.Text(word)}' is not a command";
        return ForeignWords.AdviceForCommand(word) is { } advice ? $"{what}; {advice}"
            : Suggestion.Find(word, root.Subcommands.Select(command => command.Name)) is { } meant ? $"{what}; did you mean 'transfer {meant}'?"
            : $"{what}; the commands are {Names(root)}";
    }

    public static string Names(RootCommand root) => string.Join(", ", root.Subcommands.Select(command => command.Name));

    private static string Unknown(Command command, string word)
    {
        string name = word.Split('=', 2)[0];
        string what = $"'{Printable.Text(word)}' is not an option of {command.Name}";
        Command[] others = [.. command.Parents.OfType<ToolRoot>().SelectMany(root => root.BuildAll()).Where(other => other != command && !other.Hidden)];
        Command[] owners = [.. others.Where(other => other.Options.Any(option => option.Name == name || option.Aliases.Contains(name)))];
        return ForeignWords.AdviceForOption(command, name) is { } advice ? $"{what}; {advice}"
            : owners.Length > 0 ? $"{what}, but of {GetNames(owners)}"
            : ForeignWords.SameElsewhere(name) is { } same ? $"{what}, and neither is {same}, which has the same meaning"
            : Suggestion.Find(name, command.Options.Select(option => option.Name)) is { } meant ? $"{what}; did you mean {meant}?"
            : name.StartsWith("--", StringComparison.Ordinal) && !File.Exists(word) ? what
            : $"{what}; to use a name that begins with '-', put '--' before it";
    }

    private static string GetNames(Command[] commands) => commands switch
    {
        [var one] => one.Name,
        [var one, var two] => $"{one.Name} and {two.Name}",
        [var one, var two, var three] => $"{one.Name}, {two.Name}, and {three.Name}",
        _ => $"{commands[0].Name}, {commands[1].Name}, and {commands.Length - 2} other commands",
    };

    // The parser's texts name its types, and say the same for each missing argument.
    private static string GetText(ParseResult line, ParseError error)
    {
        Command command = line.CommandResult.Command;
        switch (error.SymbolResult)
        {
            case OptionResult { Option: { } option, Tokens.Count: 0 } when option.ValueType != typeof(bool):
                return $"{option.Name} needs a value: {Values(option)}";
            case OptionResult { Option: { } option, IdentifierTokenCount: > 1 }:
                return $"{option.Name} is specified more than once";
            case CommandResult or ArgumentResult when line.UnmatchedTokens.Count == 0:
                return $"an argument is missing; {command.Name} needs {string.Join(" and ", command.Arguments.Where(argument => argument.Arity.MinimumNumberOfValues > 0).Select(argument => argument.Name))}";
            default:
                return line.UnmatchedTokens is [{ } extra, ..] ? $"'{Printable.Text(extra)}' is one argument too many for {command.Name}" : Printable.Line(error.Message).TrimEnd('.');
        }
    }

    private static string Values(Option option)
        => option.HelpName?.Split('|') is { Length: > 1 } values ? EnumText.AnyOf(values) : option.HelpName ?? "text";
}
