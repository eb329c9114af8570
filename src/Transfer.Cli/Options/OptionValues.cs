using System.CommandLine;
using Transfer.Cli.Rendering;

namespace Transfer.Cli.Options;

/// <summary>Reads options from the command line, or else from the environment. Errors name where a value came from.</summary>
internal sealed class OptionValues(ParseResult line, ToolEnvironment environment)
{
    public delegate bool Parser<T>(string text, out T value);

    public ToolEnvironment Environment { get; } = environment;

    /// <summary>Gets the tool's environment variable for an option: TRANSFER_PART_SIZE for --part-size.</summary>
    public static string VariableOf(Option option) => "TRANSFER_" + option.Name.TrimStart('-').Replace('-', '_').ToUpperInvariant();

    /// <summary>Finds the text of an option: on the command line, or in the first of the variables that is set.</summary>
    public GivenValue? Find(Option<string?> option, params ReadOnlySpan<string> variables)
    {
        if (line.GetResult(option) is { Implicit: false } && line.GetValue(option) is { } text)
        {
            return new GivenValue(option.Name, text);
        }

        foreach (string variable in variables)
        {
            if (Environment.Get(variable) is { } value)
            {
                return new GivenValue(variable, value);
            }
        }

        return null;
    }

    /// <summary>Finds the text of an option on the command line only.</summary>
    public GivenValue? Line(Option<string?> option) => Find(option, []);

    /// <summary>Gets all texts of a repeatable option on the command line.</summary>
    public IReadOnlyList<string> Lines(Option<string[]> option) => line.GetValue(option) ?? [];

    public GivenValue? Find(Option<string?> option) => Find(option, VariableOf(option));

    /// <summary>Gets whether a flag is on: on the command line, or else in the tool's environment variable.</summary>
    public bool IsOn(Option<bool> option)
    {
        if (line.GetResult(option) is { Implicit: false })
        {
            return line.GetValue(option);
        }

        string variable = VariableOf(option);
        return Environment.Get(variable) is { } text && Convert<bool>(new GivenValue(variable, text), FlagText.TryParse, FlagText.Accepted);
    }

    /// <summary>Gets whether the command line specifies an option.</summary>
    public bool IsOnLine(Option option) => line.GetResult(option) is { Implicit: false };

    /// <summary>Gets whether the command has an option. The variable of an option that it doesn't have means nothing to it.</summary>
    public bool Accepts(Option option) => line.CommandResult.Command.Options.Contains(option);

    /// <summary>Gets how often the command line repeats a flag, as in -vv.</summary>
    public int CountOnLine(Option<bool> option) => line.GetResult(option) is { Implicit: false } result && line.GetValue(option) ? result.IdentifierTokenCount : 0;

    /// <summary>Gets whether a flag is specified, on or off.</summary>
    public bool IsGiven(Option<bool> option) => line.GetResult(option) is { Implicit: false } || Environment.Get(VariableOf(option)) is not null;

    public long? Size(Option<string?> option, long min, long max)
    {
        string accepted = $"a size from {Units.Size(min)} to {Units.Size(max)}: {SizeText.Accepted}";
        return Find(option) is { } given
            ? Convert(given, (string text, out long bytes) => SizeText.TryParse(text, out bytes) && bytes >= min && bytes <= max, accepted)
            : null;
    }

    public T? Read<T>(Option<string?> option, Parser<T> parser, string accepted)
        where T : struct
        => Find(option) is { } given ? Convert(given, parser, accepted) : null;

    public static T Convert<T>(GivenValue given, Parser<T> parser, string accepted)
        => parser(given.Text, out T value) ? value : throw Wrong(given, accepted);

    public static UsageException Wrong(GivenValue given, string accepted)
        => new($"{given.Source} got '{Printable.Text(given.Text)}'; it accepts {accepted}");
}
