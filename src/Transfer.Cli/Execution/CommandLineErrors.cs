using System.CommandLine;
using System.CommandLine.Parsing;
using Transfer.Cli.Options;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Execution;

/// <summary>What is wrong with a line as a whole.</summary>
internal static class CommandLineErrors
{
    /// <exception cref="UsageException">The line can't be understood.</exception>
    public static void Check(ParseResult line)
    {
        // Before what the parser found: it takes an option that it doesn't know for an argument, and then complains about another one.
        HashSet<Token> arguments = [.. line.CommandResult.Children.OfType<ArgumentResult>().SelectMany(result => result.Tokens), .. line.UnmatchedTokens.Select(text => new Token(text, TokenType.Argument, null!))];
        foreach (Token token in line.Tokens.TakeWhile(token => token.Type != TokenType.DoubleDash))
        {
            if (token.Value.Length > 1 && token.Value[0] == '-' && arguments.Contains(token))
            {
                throw new UsageException($"'{Printable.Text(token.Value)}' is no option of {line.CommandResult.Command.Name}; a name that begins with '-' goes behind '--'");
            }
        }

        if (line.Errors.Count > 0)
        {
            throw new UsageException(string.Join("; ", line.Errors.Select(error => Printable.Line(error.Message).TrimEnd('.'))));
        }
    }
}
