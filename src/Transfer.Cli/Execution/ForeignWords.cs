using System.CommandLine;

namespace Transfer.S3.Cli.Execution;

/// <summary>Finds the words of other tools in the tables: what they are called here, or what to use instead.</summary>
internal static class ForeignWords
{
    private static readonly Dictionary<string, ForeignWord> Commands = ForeignCommands.All.SelectMany(static row => row.Names, static (row, name) => (name, row)).ToDictionary(StringComparer.Ordinal);
    private static readonly ILookup<string, ForeignWord> Options = ForeignOptions.All.SelectMany(static row => row.Names, static (row, name) => (name, row)).ToLookup(static pair => pair.name, static pair => pair.row, StringComparer.Ordinal);

    /// <summary>Gets what is to be used instead of a command of another tool; null if it isn't known.</summary>
    public static string? AdviceForCommand(string command) => Commands.TryGetValue(command, out ForeignWord? row) ? row.Advice : null;

    /// <summary>Gets the option with the same meaning that a command has; null if there is none.</summary>
    public static ForeignWord? SameAs(Command command, string option) => Rows(command, option).FirstOrDefault(row => row.Option is { } same && Has(command, same));

    /// <summary>Gets the option with the same meaning that the command doesn't have; null if no command has one.</summary>
    public static string? SameElsewhere(string option) => Options[option].FirstOrDefault(static row => row.Option is not null)?.Option;

    /// <summary>Gets an option that asks for what a command always does; null if it isn't one.</summary>
    /// <param name="command">The command.</param>
    /// <param name="option">The option.</param>
    /// <param name="value">The value that is given, or null.</param>
    public static ForeignWord? AlwaysDone(Command command, string option, string? value)
        => Rows(command, option).FirstOrDefault(row => row.Needless is not null && (row.OnlyValue is null || row.OnlyValue == value));

    /// <summary>Gets what to do instead of giving an option to a command; null if it isn't known.</summary>
    public static string? AdviceForOption(Command command, string option) => Rows(command, option).FirstOrDefault(row => row.Advice is not null && row.AdvisedOptions.All(own => Has(command, own)))?.Advice;

    /// <summary>Gets whether an option of another tool has a value; null if it isn't known.</summary>
    /// <param name="option">The option.</param>
    /// <param name="takesValue">Returns whether an option here has one.</param>
    public static bool? HasValue(string option, Func<string, bool> takesValue)
        => Options[option].FirstOrDefault() is { } row ? row.Option is { } same ? row.OptionValue is null && takesValue(same) : row.HasValue : null;

    /// <summary>Gets whether a word means something for a command.</summary>
    public static bool IsKnown(Command command, string option) => Rows(command, option).Any();

    /// <summary>Gets the rows of an option, those for the command first.</summary>
    private static IEnumerable<ForeignWord> Rows(Command command, string option)
        => Options[option].Where(row => row.Commands.Count == 0 || row.Commands.Contains(command.Name)).OrderBy(static row => row.Commands.Count == 0);

    private static bool Has(Command command, string name) => command.Options.Any(option => option.Name == name || option.Aliases.Contains(name));
}
