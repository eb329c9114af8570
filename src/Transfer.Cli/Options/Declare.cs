using System.CommandLine;

namespace Transfer.S3.Cli.Options;

/// <summary>Declares options: the name, what the help calls the value, and the description. The short help leaves out rare ones, which few people need.</summary>
internal static class Declare
{
    /// <summary>Declares an option with a value.</summary>
    public static Option<string?> Text(string name, string value, string description, string[]? completions = null)
        => Complete(new Option<string?>(name) { HelpName = value, Description = description }, completions);

    /// <summary>Declares a rare option with a value.</summary>
    public static Option<string?> RareText(string name, string value, string description, string[]? completions = null)
        => Complete(new RareOption<string?>(name) { HelpName = value, Description = description }, completions);

    /// <summary>Declares an option that can be repeated.</summary>
    public static Option<string[]> Texts(string name, string value, string description) => new(name) { HelpName = value, Description = description };

    /// <summary>Declares a rare option that can be repeated.</summary>
    public static Option<string[]> RareTexts(string name, string value, string description) => new RareOption<string[]>(name) { HelpName = value, Description = description };

    /// <summary>Declares an option without a value.</summary>
    public static Option<bool> Flag(string name, string description, string? alias = null) => new(name, alias is null ? [] : [alias]) { Description = description };

    /// <summary>Declares a rare option without a value.</summary>
    public static Option<bool> RareFlag(string name, string description) => new RareOption<bool>(name) { Description = description };

    private static Option<string?> Complete(Option<string?> option, string[]? completions)
    {
        if (completions is not null)
        {
            option.CompletionSources.Add(completions);
        }

        return option;
    }
}
