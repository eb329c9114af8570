using System.CommandLine;
using System.CommandLine.Parsing;
using Transfer.Cli.Options;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Execution;

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
                throw new UsageException($"'{Printable.Text(token.Value)}' is not an option of {line.CommandResult.Command.Name}; to use a name that begins with '-', put '--' before it");
            }
        }

        if (line.Errors.Count > 0)
        {
            throw new UsageException(string.Join("; ", line.Errors.Select(error => Printable.Line(error.Message).TrimEnd('.'))));
        }
    }
}
